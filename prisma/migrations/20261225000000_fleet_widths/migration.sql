-- Sums of 120 s and of one week are stored from now on. What is rolled up already is due for them: the last two days,
-- and one hour of each week. A replica of the version before, which cannot sum them, must not take these rows, so they
-- wait for a quarter of an hour; the five minutes that close meanwhile are due with them.
INSERT INTO fleet_rollup_due (account_id, level, ts, retry_at, failed_at)
SELECT a.id, '5m', bucket.ts, now() + interval '15 minutes', to_timestamp(0)
FROM account a, generate_series(
    date_bin('5 minutes', now() - interval '2 days', to_timestamp(0)),
    now() + interval '15 minutes', interval '5 minutes') AS bucket (ts)
WHERE EXISTS (SELECT FROM server s WHERE s.account_id = a.id)
UNION ALL
SELECT a.id, '1h', bucket.ts, now() + interval '15 minutes', to_timestamp(0)
FROM account a, generate_series(
    date_bin('7 days', now() - interval '1 year', to_timestamp(0)), now(), interval '7 days') AS bucket (ts)
WHERE EXISTS (SELECT FROM server s WHERE s.account_id = a.id)
ON CONFLICT DO NOTHING;
