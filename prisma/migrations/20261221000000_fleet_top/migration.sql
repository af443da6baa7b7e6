-- The server with the highest value of each sum over servers. Nullable without a default: no table is rewritten, and the
-- version before inserts without these columns. The key is not a foreign key: a sum outlives the server.
ALTER TABLE fleet_rollup
    ADD COLUMN cpu_top    integer,
    ADD COLUMN memory_top integer,
    ADD COLUMN disk_top   integer;

-- Sums of the last days are stored again with it. A replica of the version before would store them without it, so they
-- wait for a quarter of an hour.
INSERT INTO fleet_rollup_due (account_id, level, ts, retry_at, failed_at)
SELECT a.id, '5m', bucket.ts, now() + interval '15 minutes', to_timestamp(0)
FROM account a, generate_series(
    date_bin('5 minutes', now() - interval '2 days', to_timestamp(0)), now(), interval '5 minutes') AS bucket (ts)
WHERE EXISTS (SELECT FROM server s WHERE s.account_id = a.id)
UNION ALL
SELECT a.id, '1h', bucket.ts, now() + interval '15 minutes', to_timestamp(0)
FROM account a, generate_series(
    date_bin('1 hour', now() - interval '14 days', to_timestamp(0)), now(), interval '1 hour') AS bucket (ts)
WHERE EXISTS (SELECT FROM server s WHERE s.account_id = a.id)
ON CONFLICT DO NOTHING;
