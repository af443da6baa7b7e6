-- Incidents group alerts of one cause; ingest_watch records when the installation last received reports.

CREATE TABLE incident (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- What it is about: of the three the most specific one is set. An incident of a server follows it to a new owner.
    account_id  uuid REFERENCES account (id) ON DELETE CASCADE,
    server_key  integer REFERENCES server (key) ON DELETE CASCADE,
    cluster_key integer REFERENCES cluster (key) ON DELETE CASCADE,
    -- Root subject, such as server:12, pod:UID or account:UUID.
    root        text NOT NULL,
    -- Metric and title of the alert that leads.
    cause       text NOT NULL,
    level       text NOT NULL,
    title       text NOT NULL,
    opened_at   timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    resolved_at timestamptz
);
-- At most one open incident per root subject, whatever races.
CREATE UNIQUE INDEX incident_open_key ON incident (root) WHERE resolved_at IS NULL;
CREATE INDEX incident_opened_at_idx ON incident (opened_at DESC, id);
CREATE INDEX incident_account_id_idx ON incident (account_id);
CREATE INDEX incident_server_key_idx ON incident (server_key);
CREATE INDEX incident_cluster_key_idx ON incident (cluster_key);

-- An ingest outage concerns an account and no single server.
ALTER TABLE alert ALTER COLUMN server_key DROP NOT NULL;
ALTER TABLE alert ADD COLUMN account_id uuid REFERENCES account (id) ON DELETE CASCADE;
ALTER TABLE alert ADD COLUMN incident_id uuid REFERENCES incident (id) ON DELETE SET NULL;
-- Another alert of the incident explains this one, such as the offline alert of its server: it is not sent by itself.
ALTER TABLE alert ADD COLUMN is_folded boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX alert_open_account_key ON alert (account_id, rule, subject)
    WHERE resolved_at IS NULL AND account_id IS NOT NULL;
CREATE INDEX alert_incident_id_idx ON alert (incident_id);
ALTER TABLE notify_outbox ALTER COLUMN server_key DROP NOT NULL;

-- One row. A gap in seen_at is a time when no replica ran; one in received_at a time when no report arrived.
CREATE TABLE ingest_watch (
    id           integer PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    seen_at      timestamptz NOT NULL,
    received_at  timestamptz,
    paused_until timestamptz NOT NULL
);

-- Alerts that are open at the upgrade get an incident per server.
INSERT INTO incident (server_key, root, cause, level, title, opened_at, updated_at)
SELECT DISTINCT ON (a.server_key) a.server_key, 'server:' || a.server_key, a.metric, a.level, a.title,
    min(a.opened_at) OVER (PARTITION BY a.server_key), max(a.updated_at) OVER (PARTITION BY a.server_key)
FROM alert a WHERE a.resolved_at IS NULL
ORDER BY a.server_key, a.metric <> 'offline', array_position(ARRAY['critical', 'error', 'warning', 'info'], a.level), a.opened_at;
UPDATE alert a SET incident_id = i.id, is_folded = i.cause = 'offline' AND a.metric <> 'offline'
FROM incident i WHERE i.server_key = a.server_key AND a.resolved_at IS NULL;
