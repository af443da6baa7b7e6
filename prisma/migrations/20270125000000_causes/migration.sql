-- The newest answer of the analyser about each incident. It goes with the incident.
CREATE TABLE incident_cause (
    incident_id     uuid PRIMARY KEY REFERENCES incident (id) ON DELETE CASCADE,
    -- Whose data the answer is made of. A server that is transferred takes its incident along, but not the answer.
    organisation_id uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- When a replica last began to compute it.
    started_at      timestamptz NOT NULL,
    -- Alerts of the incident then.
    members         integer NOT NULL,
    -- Null: no computation has ended yet.
    computed_at     timestamptz,
    -- A sentence for each cause, without what programs said. Empty: none was found.
    findings        text[] NOT NULL DEFAULT '{}',
    answer          jsonb
);
CREATE INDEX incident_cause_organisation_id_idx ON incident_cause (organisation_id);
CREATE INDEX incident_cause_started_at_idx ON incident_cause (started_at);

-- Channels that have sent the cause of an incident, or are about to: each sends at most one message of its own about it.
CREATE TABLE notify_cause (
    channel_id  uuid NOT NULL REFERENCES notify_channel (id) ON DELETE CASCADE,
    incident_id uuid NOT NULL REFERENCES incident (id) ON DELETE CASCADE,
    at          timestamptz NOT NULL,
    PRIMARY KEY (channel_id, incident_id)
);
CREATE INDEX notify_cause_incident_id_idx ON notify_cause (incident_id);

-- Without a row an organisation has the defaults.
CREATE TABLE notify_setting (
    organisation_id  uuid PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    -- A message may quote one log line.
    quotes_log_lines boolean NOT NULL DEFAULT false
);

DO $$
BEGIN
    IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
        ALTER TABLE incident_cause ALTER COLUMN answer SET COMPRESSION lz4;
    END IF;
END
$$;
