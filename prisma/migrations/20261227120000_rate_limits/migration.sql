-- Rates that all replicas count together. Unlogged: a try costs no write-ahead log, and after a crash the counts begin anew.
CREATE UNLOGGED TABLE rate_limit (
    key     bytea PRIMARY KEY,
    full_at timestamptz NOT NULL
);
COMMENT ON COLUMN rate_limit.key IS 'SHA-256 of the rate and of what it counts, so that no address of a stranger is stored';
COMMENT ON COLUMN rate_limit.full_at IS 'From then on the whole burst is free again';
