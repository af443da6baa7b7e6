-- Processes, connections and events of hosts.

-- The lists of the newest report that had them, whole: a row a process would be 50 writes a report. json, not jsonb:
-- it is written every minute and read now and then.
CREATE TABLE server_list (
    server_key integer NOT NULL REFERENCES server (key) ON DELETE CASCADE,
    -- 'processes' or 'connections'
    kind       text NOT NULL,
    sample_at  timestamptz NOT NULL,
    entries    json NOT NULL,
    PRIMARY KEY (server_key, kind)
) WITH (fillfactor = 70);

-- The top of the list every 15 minutes.
CREATE TABLE server_list_history (
    ts         timestamptz NOT NULL,
    server_key integer NOT NULL,
    kind       text NOT NULL,
    sample_at  timestamptz NOT NULL,
    entries    json NOT NULL,
    PRIMARY KEY (server_key, kind, ts)
) PARTITION BY RANGE (ts);
CREATE INDEX server_list_history_ts_idx ON server_list_history USING brin (ts) WITH (pages_per_range = 32);
CREATE TABLE server_list_history_default PARTITION OF server_list_history DEFAULT;

-- An event has an id that is stable within its stream, so that a replay adds none.
CREATE TABLE activity_event (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    server_key   integer NOT NULL REFERENCES server (key) ON DELETE CASCADE,
    stream_key   integer NOT NULL,
    event_id     text NOT NULL,
    at           timestamptz NOT NULL,
    event_type   text NOT NULL,
    severity     text NOT NULL,
    service_name text,
    process_name text,
    message      text NOT NULL
);
CREATE UNIQUE INDEX activity_event_key ON activity_event (stream_key, event_id);
CREATE INDEX activity_event_server_key_at_idx ON activity_event (server_key, at DESC);
