import type { Pool } from 'pg';
import { hashHeartbeatKey } from '../../../../api/src/checks/create-check.ts';

/** A check as a place reports about it. */
export interface SeededCheck {
  id: string;
  kind: 'http' | 'tcp';
}
export interface SeededPlace {
  serverId: string;
  checks: SeededCheck[];
}

const HISTORY = { resultHours: 6, rollupHours: 24, outageDays: 90 } as const;
const HTTP = `json_build_object('kind', 'http', 'timeout_ms', 10000, 'ip_version', 'any', 'url', 'https://shop-' || n || '.example.net/health',
  'method', 'GET', 'headers', '{}'::json, 'body', NULL, 'statuses', '[[200, 299]]'::json, 'expect', NULL, 'follow_redirects', true,
  'ignore_certificate', false)`;
const TCP = `json_build_object('kind', 'tcp', 'timeout_ms', 10000, 'ip_version', 'any', 'host', 'db-' || n || '.example.net', 'port', 5432, 'expect', NULL)`;
/** Each fifth check is a tcp one. */
const IS_TCP = 'n % 5 = 0';

/** $1 places  $2 checks of each. Each check runs from one server and is as old as its outages. */
const CHECKS = `WITH place AS (SELECT id, row_number() OVER (ORDER BY key) - 1 AS index FROM server ORDER BY key LIMIT $1::integer)
  INSERT INTO check_definition (organisation_id, name, kind, probe, runs_on_api, server_ids, retries, interval_seconds, is_enabled,
    created_at, updated_at)
  SELECT account.id, 'check ' || lpad(n::text, 4, '0'), CASE WHEN ${IS_TCP} THEN 'tcp' ELSE 'http' END,
    CASE WHEN ${IS_TCP} THEN ${TCP} ELSE ${HTTP} END, false, ARRAY[place.id], 1, 60, true,
    now() - interval '${String(HISTORY.outageDays)} days', now() - interval '${String(HISTORY.outageDays)} days'
  FROM account, place, LATERAL generate_series(place.index * $2::integer + 1, (place.index + 1) * $2::integer) AS n`;
const STATES = `INSERT INTO check_state (check_key, fold)
  SELECT key, json_build_object('status', 'up', 'since', floor(extract(epoch FROM created_at) * 1000), 'places', '{}'::json, 'foldedTo',
    floor(extract(epoch FROM now()) * 1000), 'rev', 1) FROM check_definition`;
/** Two short outages a month for each. */
const OUTAGES = `INSERT INTO check_outage (check_key, kind, began_at, ended_at, reason, status, phase, failed, voted)
  SELECT key, 'down', at, at + interval '7 minutes', 'status_unexpected', 503, NULL, 1, 1
  FROM check_definition, generate_series(now() - interval '${String(HISTORY.outageDays - 1)} days', now() - interval '1 day', interval '15 days') day,
    LATERAL (SELECT day + key % 1200 * interval '1 minute' AS at) moment`;
const numbers = (value: string): string => `array_agg((${value})::real ORDER BY c.key)`;
/** One row a place and minute, as reports leave them. */
const RESULTS = `INSERT INTO check_result (ts, organisation_id, place_key, check_keys, revs, ages, oks, reasons, phases, statuses, sizes,
    dns_ms, connect_ms, tls_ms, wait_ms, transfer_ms, total_ms)
  SELECT minute, c.organisation_id, s.key, array_agg(c.key ORDER BY c.key), array_agg(1::bigint ORDER BY c.key), ${numbers('c.key % 60')},
    array_agg(true ORDER BY c.key), array_agg(NULL::text ORDER BY c.key), array_agg(NULL::text ORDER BY c.key),
    array_agg(200::smallint ORDER BY c.key), array_agg(5120 ORDER BY c.key), ${numbers('3 + c.key % 7')}, ${numbers('20 + c.key % 11')},
    ${numbers('30 + c.key % 13')}, ${numbers('80 + c.key % 40')}, ${numbers('5')}, ${numbers('150 + c.key % 60')}
  FROM generate_series(now() - interval '${String(HISTORY.resultHours)} hours', now() - interval '1 minute', interval '1 minute') minute,
    check_definition c JOIN server s ON s.id = c.server_ids[1]
  GROUP BY minute, c.organisation_id, s.key`;
/** The job of the product may have begun with the results. */
const ROLLUPS = `INSERT INTO check_rollup_5m (ts, check_key, results, good, dns_ms, connect_ms, tls_ms, wait_ms, transfer_ms, total_ms, min_ms,
    p95_ms, max_ms)
  SELECT ts, key, 5, 5, 5, 25, 36, 100, 5, 171, 150, 190, 200
  FROM generate_series(date_bin('5 minutes', now(), to_timestamp(0)) - interval '${String(HISTORY.rollupHours)} hours',
    date_bin('5 minutes', now(), to_timestamp(0)) - interval '10 minutes', interval '5 minutes') ts, check_definition
  ON CONFLICT DO NOTHING`;
const ROLLED = `INSERT INTO check_rollup_state (rolled_to) VALUES (date_bin('5 minutes', now(), to_timestamp(0)) - interval '5 minutes')
  ON CONFLICT (id) DO UPDATE SET rolled_to = excluded.rolled_to`;

/** Gives the first servers checks with a day behind them, at once instead of by the API. */
export async function seedChecks(pool: Pool, places: number, each: number): Promise<SeededPlace[]> {
  await pool.query(CHECKS, [places, each]);
  for (const statement of [STATES, OUTAGES, RESULTS, ROLLUPS, ROLLED]) await pool.query(statement);
  await pool.query('ANALYZE');
  const { rows } = await pool.query<SeededPlace>(
    `SELECT server_ids[1] AS "serverId", json_agg(json_build_object('id', id, 'kind', kind) ORDER BY key) AS checks
     FROM check_definition GROUP BY 1`,
  );
  return rows;
}

/** Switches every check on or off without a history of its own. */
export const switchChecks = (pool: Pool, isEnabled: boolean): Promise<unknown> =>
  pool.query('UPDATE check_definition SET is_enabled = $1 WHERE probe IS NOT NULL', [isEnabled]);

/** Heartbeats of one account; more keys than one may have need several. */
const KEYS_AN_ACCOUNT = 5000;
const ACCOUNTS = `INSERT INTO account (email, name, created_at) SELECT 'jobs-' || n || '@example.com', 'Jobs', now() FROM generate_series(1, $1) n RETURNING id`;
const HEARTBEATS = `INSERT INTO check_definition (organisation_id, name, kind, runs_on_api, retries, interval_seconds, is_enabled,
    schedule, grace_seconds, key_hash, created_at, updated_at)
  SELECT $1, 'job ' || n, 'heartbeat', false, 0, 60, true, '{"kind": "interval", "seconds": 60}', 120, hash, now(), now()
  FROM unnest($2::bytea[]) WITH ORDINALITY AS k(hash, n)`;
const HEARTBEAT_STATES = `INSERT INTO check_state (check_key, fold, heartbeat)
  SELECT key, json_build_object('status', 'unknown', 'since', ms, 'places', '{}'::json, 'foldedTo', ms),
    json_build_object('goodAt', ms, 'lastCall', NULL, 'startedAt', NULL, 'durationMs', NULL)
  FROM check_definition, LATERAL (SELECT floor(extract(epoch FROM now()) * 1000) AS ms) moment WHERE kind = 'heartbeat'`;

/** Creates heartbeats that are due each minute, with these keys. */
export async function seedHeartbeats(pool: Pool, keys: readonly string[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(ACCOUNTS, [Math.ceil(keys.length / KEYS_AN_ACCOUNT)]);
  for (const [index, { id }] of rows.entries()) {
    const own = keys.slice(index * KEYS_AN_ACCOUNT, (index + 1) * KEYS_AN_ACCOUNT);
    await pool.query(HEARTBEATS, [id, own.map(hashHeartbeatKey)]);
  }
  await pool.query(HEARTBEAT_STATES);
  await pool.query('ANALYZE check_definition, check_state');
}
