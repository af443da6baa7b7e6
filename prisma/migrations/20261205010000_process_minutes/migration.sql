-- The greediest processes of every minute, for 48 hours. A report adds one small row; a job packs the rows of an hour.
CREATE TABLE process_minute (
    ts         timestamptz NOT NULL,
    server_key integer NOT NULL,
    -- json, not jsonb: it is written every minute and read once, by the job.
    entries    json NOT NULL,
    PRIMARY KEY (ts, server_key)
);

-- The lists of one server and hour, compressed: each command line is stored once. See process-block.ts for the format.
CREATE TABLE process_block (
    ts         timestamptz NOT NULL,
    server_key integer NOT NULL,
    lists      integer NOT NULL,
    packed     bytea NOT NULL,
    PRIMARY KEY (server_key, ts)
) PARTITION BY RANGE (ts);
CREATE TABLE process_block_default PARTITION OF process_block DEFAULT;
-- Compressed by the job; PostgreSQL would try in vain.
ALTER TABLE process_block ALTER COLUMN packed SET STORAGE EXTERNAL;
