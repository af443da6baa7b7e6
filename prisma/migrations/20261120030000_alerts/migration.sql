-- How the rules stand for each server, and the alerts they opened.

-- tracks: what is pending or firing, by rule and subject; a server that never had any has no row.
CREATE TABLE alert_track (
    server_key integer PRIMARY KEY REFERENCES server (key) ON DELETE CASCADE,
    tracks     jsonb NOT NULL,
    version    bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 50);

CREATE TABLE alert (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    server_key      integer NOT NULL REFERENCES server (key) ON DELETE CASCADE,
    rule            text NOT NULL,
    metric          text NOT NULL,
    subject         text NOT NULL,
    level           text NOT NULL,
    title           text NOT NULL,
    message         text NOT NULL,
    value           real,
    threshold       real,
    -- Sample times on our clock.
    opened_at       timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    resolved_at     timestamptz,
    acknowledged_at timestamptz
);
-- At most one open alert for a rule and what it watches, whatever races.
CREATE UNIQUE INDEX alert_open_key ON alert (server_key, rule, subject) WHERE resolved_at IS NULL;
CREATE INDEX alert_server_key_opened_at_idx ON alert (server_key, opened_at DESC);
