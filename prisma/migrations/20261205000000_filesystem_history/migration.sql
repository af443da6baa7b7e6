-- Use of each filesystem, every half hour for two weeks: the forecast needs it. Samples only have the fullest one.
CREATE TABLE filesystem_history (
    ts         timestamptz NOT NULL,
    server_key integer NOT NULL,
    -- One element a filesystem, in one order.
    mounts     text[] NOT NULL,
    used_bytes real[] NOT NULL,
    PRIMARY KEY (server_key, ts)
) PARTITION BY RANGE (ts);
CREATE TABLE filesystem_history_default PARTITION OF filesystem_history DEFAULT;

-- The trend of each filesystem by its history. Independent of load lines, so that a moved line counts at once.
CREATE TABLE filesystem_trend (
    server_key  integer PRIMARY KEY REFERENCES server (key) ON DELETE CASCADE,
    computed_at timestamptz NOT NULL,
    trends      json NOT NULL
);
