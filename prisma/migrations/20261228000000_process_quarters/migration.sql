-- The top of the process list of every quarter of an hour, and the list that an alert keeps, until a job packs them. Not
-- in server_list_history: rows of connections there would keep the space of the packed rows in use. Rows from before stay
-- readable there until the job packs them too.
CREATE TABLE process_quarter (
    -- Start of the quarter of an hour, or the sample time of a list that an alert keeps.
    ts         timestamptz NOT NULL,
    server_key integer NOT NULL,
    sample_at  timestamptz NOT NULL,
    -- json, not jsonb: it is written once and read once, by the job.
    entries    json NOT NULL,
    PRIMARY KEY (server_key, ts)
);
-- All servers share the times, so an entry takes a few bytes. The job finds closed windows by it.
CREATE INDEX process_quarter_ts_idx ON process_quarter (ts);

-- The lists of one server and six hours, compressed. See quarter-block.ts for the format.
CREATE TABLE process_quarter_block (
    ts         timestamptz NOT NULL,
    server_key integer NOT NULL,
    lists      integer NOT NULL,
    packed     bytea NOT NULL,
    PRIMARY KEY (server_key, ts)
) PARTITION BY RANGE (ts);
CREATE TABLE process_quarter_block_default PARTITION OF process_quarter_block DEFAULT;
-- Compressed by the job; PostgreSQL would try in vain.
ALTER TABLE process_quarter_block ALTER COLUMN packed SET STORAGE EXTERNAL;
