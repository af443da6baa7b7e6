-- Public status pages: groups, announced maintenance, incidents that people write, and a row a day of each server.
ALTER TABLE status_page_server ADD COLUMN group_name text;
-- False for the pages that exist: an upgrade publishes nothing new.
ALTER TABLE status_page ADD COLUMN shows_maintenance boolean NOT NULL DEFAULT false;

CREATE TABLE status_incident (
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    page_id        uuid NOT NULL REFERENCES status_page (id) ON DELETE CASCADE,
    title          text NOT NULL,
    impact         text NOT NULL,
    -- Servers of the page whose parts it affects. A server that leaves the page is ignored.
    server_ids     uuid[] NOT NULL,
    started_at     timestamptz NOT NULL,
    resolved_at    timestamptz,
    next_update_at timestamptz,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    created_by     uuid
);
CREATE INDEX status_incident_page_id_idx ON status_incident (page_id, started_at DESC);

CREATE TABLE status_incident_update (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    incident_id uuid NOT NULL REFERENCES status_incident (id) ON DELETE CASCADE,
    at          timestamptz NOT NULL,
    state       text NOT NULL,
    text        text NOT NULL,
    created_by  uuid
);
CREATE INDEX status_incident_update_incident_id_idx ON status_incident_update (incident_id, at DESC);

-- Seconds of a UTC day, of the servers on status pages.
CREATE TABLE server_day (
    server_key      integer NOT NULL REFERENCES server (key) ON DELETE CASCADE,
    day             date NOT NULL,
    good_seconds    integer NOT NULL,
    down_seconds    integer NOT NULL,
    unknown_seconds integer NOT NULL,
    PRIMARY KEY (server_key, day)
);
CREATE INDEX server_day_day_idx ON server_day (day);
