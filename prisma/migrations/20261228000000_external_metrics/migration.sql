-- Metrics that other agents sent of hosts. They wait here until their report interval has ended.

CREATE TABLE external_reading (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id     uuid NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    -- SHA-256 of agent and identity.
    source_hash    bytea NOT NULL,
    agent          text NOT NULL,
    identity       text NOT NULL,
    name           text NOT NULL,
    interval_at    timestamptz NOT NULL,
    received_at    timestamptz NOT NULL,
    -- Reported already, and kept for the counters of the next report.
    is_reported    boolean NOT NULL DEFAULT false,
    reading_values json NOT NULL,
    growths        json NOT NULL
);
CREATE INDEX external_reading_source_idx ON external_reading (account_id, source_hash, interval_at);
