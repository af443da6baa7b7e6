// SQL rolls results up and reads them by bucket: arrays in partitions, which Prisma cannot express.
import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { PoolClient } from 'pg';
import type { Database } from '../../database/database.ts';
import { underLock } from '../../database/job-lock.ts';
import { milliseconds as ms, timestamp as at } from '../../database/time.ts';
import type { BucketRow, CheckRollups } from '../store.ts';
import type { RollupLevel } from '../types.ts';

const LOCK = 0x63_68_72_75;
const STEP_SECONDS: Readonly<Record<RollupLevel, number>> = { '5m': 300, '1h': 3600 };
const LEVELS = ['5m', '1h'] as const;
/** Results of a report arrive within this time; later ones make their hour due again (results.ts). */
export const CLOSED_AFTER_SECONDS = 300;
/** Catching up after a long stop goes in steps of this length. */
const MOST_HOURS = 6;

const bin = (seconds: string, column: string): string =>
  `date_bin(${seconds} * interval '1 second', ${column}, to_timestamp(0))`;
const RESULT_TIME = `r.ts - make_interval(secs => c.age)`;
const MEANS = ['dns', 'connect', 'tls', 'wait', 'transfer', 'total'] as const;
const COLUMNS = ['results', 'good', ...MEANS.map((name) => `${name}_ms`), 'min_ms', 'p95_ms', 'max_ms'];
const FIGURES = `count(*)::integer AS results, count(*) FILTER (WHERE c.ok)::integer AS good,
    ${MEANS.map((name) => `avg(c.${name})::real AS ${name}_ms`).join(', ')}, min(c.total) AS min_ms,
    (percentile_cont(0.95) WITHIN GROUP (ORDER BY c.total))::real AS p95_ms, max(c.total) AS max_ms`;
const EACH = `check_result r CROSS JOIN LATERAL unnest(r.check_keys, r.ages, r.oks, r.dns_ms, r.connect_ms, r.tls_ms, r.wait_ms,
    r.transfer_ms, r.total_ms) AS c(key, age, ok, dns, connect, tls, wait, transfer, total)`;

/**
 * $1 from, ms  $2 to, ms. A report may be younger than its results by up to a week. Writing a bucket again changes nothing;
 * one of fewer results than before has lost some of them to the retention.
 */
const rollUp = (
  level: RollupLevel,
): string => `INSERT INTO check_rollup_${level} AS t (ts, check_key, ${COLUMNS.join(', ')})
  SELECT ${bin(String(STEP_SECONDS[level]), RESULT_TIME)} AS bucket, c.key, ${FIGURES}
  FROM ${EACH} JOIN check_definition d ON d.key = c.key
  WHERE r.ts >= ${at('$1')} AND r.ts < ${at('$2')} + interval '7 days' AND ${RESULT_TIME} >= ${at('$1')} AND ${RESULT_TIME} < ${at('$2')}
    AND c.ok IS NOT NULL
  GROUP BY 1, 2
  ON CONFLICT (check_key, ts) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}
  WHERE excluded.results >= t.results`;

/** $1 now, ms. The first run begins with the oldest result. */
const PROGRESS = `SELECT ${ms(`COALESCE((SELECT rolled_to FROM check_rollup_state), (SELECT ${bin('3600', 'min(ts)')} - interval '1 hour'
    FROM check_result), ${bin('3600', at('$1'))})`)} AS "rolledTo"`;
const SAVE = `INSERT INTO check_rollup_state (rolled_to) VALUES (${at('$1')})
  ON CONFLICT (id) DO UPDATE SET rolled_to = excluded.rolled_to`;
/** $1 rolled to, ms. A few hours a run; each is read whole. */
const DUE = `DELETE FROM check_rollup_due WHERE hour = ANY (ARRAY(SELECT DISTINCT hour FROM check_rollup_due
    WHERE hour < ${at('$1')} ORDER BY hour LIMIT ${String(MOST_HOURS)})) RETURNING ${ms('hour')} AS hour`;

async function write(client: PoolClient, from: number, to: number): Promise<number> {
  let rows = 0;
  for (const level of LEVELS) {
    const stepMs = STEP_SECONDS[level] * 1000;
    const [first, end] = [Math.floor(from / stepMs) * stepMs, Math.floor(to / stepMs) * stepMs];
    if (first < end) rows += (await client.query(rollUp(level), [first, end])).rowCount ?? 0;
  }
  return rows;
}

async function advance(client: PoolClient, now: number): Promise<number> {
  const { rows: progress } = await client.query<{ rolledTo: number }>(PROGRESS, [now]);
  const rolledTo = progress[0]?.rolledTo ?? now;
  const stepMs = STEP_SECONDS['5m'] * 1000;
  const closed = Math.floor((now - CLOSED_AFTER_SECONDS * 1000) / stepMs) * stepMs;
  const to = Math.min(closed, rolledTo + MOST_HOURS * HOUR_MS);
  let rows = 0;
  if (to > rolledTo) {
    rows += await write(client, rolledTo, to);
    await client.query(SAVE, [to]);
  }
  const { rows: due } = await client.query<{ hour: number }>(DUE, [Math.max(rolledTo, to)]);
  for (const hour of new Set(due.map((row) => row.hour)))
    rows += await write(client, hour, Math.min(Math.max(rolledTo, to), hour + HOUR_MS));
  return rows;
}

/** A mean of several buckets is weighted by their results; their p95 is the highest. */
const OUTER = `sum(results)::integer AS results, sum(good)::integer AS good,
    ${MEANS.map((name) => `sum(${name}_ms * results) / NULLIF(sum(results) FILTER (WHERE ${name}_ms IS NOT NULL), 0) AS ${name}`).join(', ')},
    max(p95_ms)::float8 AS p95, max(max_ms)::float8 AS max`;
/** $1 check  $2 from, ms  $3 to, ms  $4 step, seconds. Results that are not rolled up yet are read as they are. */
const series = (level: RollupLevel): string => `WITH known AS (
    SELECT ${bin(String(STEP_SECONDS[level]), `COALESCE((SELECT rolled_to FROM check_rollup_state), to_timestamp(0))`)} AS rolled),
  parts AS (
    SELECT t.ts, ${COLUMNS.map((name) => `t.${name}`).join(', ')} FROM check_rollup_${level} t, known
    WHERE t.check_key = $1 AND t.ts >= ${at('$2')} AND t.ts < LEAST(${at('$3')}, known.rolled)
    UNION ALL
    SELECT ${bin(String(STEP_SECONDS[level]), RESULT_TIME)}, ${FIGURES} FROM known, ${EACH}
    WHERE r.check_keys @> ARRAY[$1::integer] AND c.key = $1 AND c.ok IS NOT NULL AND r.ts >= GREATEST(${at('$2')}, known.rolled)
      AND ${RESULT_TIME} >= GREATEST(${at('$2')}, known.rolled) AND ${RESULT_TIME} < ${at('$3')} GROUP BY 1)
  SELECT ${ms(bin('$4', 'ts'))} AS at, ${OUTER} FROM parts GROUP BY 1 ORDER BY 1`;

export const createCheckRollups = ({ pool }: Database): CheckRollups => ({
  advance: (now) => underLock(pool, LOCK)((client) => advance(client, now)),
  listBuckets: async (level, key, { from, to, stepMs }) =>
    (await pool.query<BucketRow>(series(level), [key, from, to, stepMs / 1000])).rows,
});
