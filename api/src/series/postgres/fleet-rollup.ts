// SQL sums a fleet: one statement aggregates partitions, which Prisma cannot express.
import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { PoolClient } from 'pg';
import { FLEET_STEPS } from '../fleet-steps.ts';
import type { FleetStep } from '../fleet-steps.ts';
import { ROLLUP_LEVELS } from '../series-level.ts';
import { fleetColumns, overServersColumns, perServerColumns } from './fleet-columns.ts';
import { partRows } from './part-rows.ts';
import { ROLLED_UP } from '../rolled-up-figures.ts';
import { retryAt, workOrSetAside } from '../../database/set-aside.ts';
import { milliseconds, timestamp } from '../../database/time.ts';

const lengthOf = (level: FleetStep['due']): number =>
  (ROLLUP_LEVELS.find(({ name }) => name === level)?.stepSeconds ?? 0) * 1000;
const COLUMNS = fleetColumns(ROLLED_UP).join(', ');

/**
 * Newest first: a short chart is ready again soonest. A bucket that its level has not reached waits: it stands for a
 * wider one that is still open.
 */
const TAKE = `DELETE FROM fleet_rollup_due d USING (
    SELECT due.organisation_id, due.level, due.ts FROM fleet_rollup_due due
    JOIN rollup_progress p ON p.level = due.level AND due.ts < p.complete_to
    WHERE due.retry_at IS NULL OR due.retry_at <= ${timestamp('$2')}
    ORDER BY due.ts DESC LIMIT $1
  ) taken WHERE d.organisation_id = taken.organisation_id AND d.level = taken.level AND d.ts = taken.ts
  RETURNING d.organisation_id AS account, d.level, ${milliseconds('d.ts')} AS at, d.attempts`;
const MOST_AT_ONCE = 500;
/** Rows that one statement sums. A transaction takes so few buckets that each of its steps is a few statements. */
const MOST_ROWS = 400_000;
/** Rows of one server in an hour. */
const HOURLY_ROWS: Record<FleetStep['source'], number> = { raw: 60, '5m': 12, '1h': 1 };
/** Five minutes of samples: what a due bucket reads most often. */
const ROWS_OF_BUCKET = 5;
const LARGEST_ACCOUNT = `SELECT COALESCE(max(servers), 0)::integer AS servers
  FROM (SELECT count(*) AS servers FROM server WHERE organisation_id IS NOT NULL GROUP BY organisation_id) owned`;

interface Due {
  account: string;
  level: FleetStep['due'];
  at: number;
  /** Number of earlier failures. */
  attempts: number;
}

/** Buckets [from, to) that the same accounts have due, epoch ms. */
export interface DueRun {
  accounts: string[];
  from: number;
  to: number;
}
/** Two stretches closer than this are summed as one: a gap that is read for nothing costs less than a statement. */
const NEAR_MS = HOUR_MS;

const runsOfAccount = (times: number[], lengthMs: number): { from: number; to: number }[] => {
  const runs: { from: number; to: number }[] = [];
  for (const at of times.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && at <= last.to + NEAR_MS) last.to = at + lengthMs;
    else runs.push({ from: at, to: at + lengthMs });
  }
  return runs;
};

/** Usually one: the bucket that closed last, of every account. */
export const runsOf = (due: readonly Pick<Due, 'account' | 'at'>[], lengthMs: number): DueRun[] => {
  const runs = new Map<string, DueRun>();
  for (const [account, times] of Map.groupBy(due, (one) => one.account)) {
    for (const { from, to } of runsOfAccount(
      times.map(({ at }) => at),
      lengthMs,
    )) {
      const key = `${from} ${to}`;
      const run = runs.get(key) ?? { accounts: [], from, to };
      run.accounts.push(account);
      runs.set(key, run);
    }
  }
  return [...runs.values()];
};

/** $1 accounts  $2 from, ms  $3 to, ms: whole buckets of the step */
const removed = ({ seconds }: FleetStep): string => `DELETE FROM fleet_rollup
  WHERE organisation_id = ANY ($1::uuid[]) AND step_seconds = ${seconds} AND ts >= ${timestamp('$2')} AND ts < ${timestamp('$3')}`;

const written = ({ seconds, source }: FleetStep): string => `
WITH owned AS MATERIALIZED (
  SELECT key, organisation_id FROM server WHERE organisation_id = ANY ($1::uuid[])
), part AS (
  ${partRows(source, ROLLED_UP, `server_key IN (SELECT key FROM owned) AND ts >= ${timestamp('$2')} AND ts < ${timestamp('$3')}`)}
), per_server AS (
  SELECT date_bin('${seconds} seconds', ts, to_timestamp(0)) AS bucket, server_key, sum(samples) AS samples,
    ${perServerColumns(ROLLED_UP).join(', ')}
  FROM part GROUP BY 1, 2
)
INSERT INTO fleet_rollup (organisation_id, step_seconds, ts, samples, servers, ${COLUMNS})
SELECT owned.organisation_id, ${seconds}, bucket, sum(samples)::double precision, count(*)::integer,
  ${overServersColumns(ROLLED_UP).join(', ')}
FROM per_server JOIN owned ON owned.key = per_server.server_key GROUP BY 1, 3`;

/** A time of what is due: the servers of the largest account, and the end of the complete buckets of the level. */
interface Extent {
  servers: number;
  completeTo: number;
  now: number;
}

/** The bucket that ends an open one is due when the open one closes, even if no server reports until then. */
const WAIT = `INSERT INTO fleet_rollup_due (organisation_id, level, ts)
  SELECT unnest($1::uuid[]), $2, ${timestamp('$3')} ON CONFLICT DO NOTHING`;

/** Sums the closed buckets of a step; an open one is summed once, when it closes. */
const sumAgain = async (client: PoolClient, step: FleetStep, run: DueRun, extent: Extent): Promise<number> => {
  const width = step.seconds * 1000;
  const kept = Math.max(run.from, extent.now - step.retentionDays * DAY_MS);
  if (kept >= run.to) return 0;
  const open = Math.floor(extent.completeTo / width) * width;
  if (run.to > open) {
    const length = lengthOf(step.due);
    const last = Math.floor((open + width - 1) / length) * length;
    await client.query(WAIT, [run.accounts, step.due, last]);
  }
  const end = Math.min(Math.ceil(run.to / width) * width, open);
  const hourly = Math.max(1, extent.servers) * HOURLY_ROWS[step.source];
  const piece = Math.max(1, Math.floor(((MOST_ROWS / hourly) * HOUR_MS) / width)) * width;
  let rows = 0;
  for (let from = Math.floor(kept / width) * width; from < end; from += piece) {
    const values = [run.accounts, from, Math.min(end, from + piece)];
    await client.query(removed(step), values);
    rows += (await client.query(written(step), values)).rowCount ?? 0;
  }
  return rows;
};

const SET_ASIDE = `INSERT INTO fleet_rollup_due AS d (organisation_id, level, ts, attempts, failed_at, retry_at, error)
  VALUES ($1, $2, ${timestamp('$3')}, $4 + 1, ${timestamp('$5')}, ${retryAt('$5', '$4::integer')}, $6)
  ON CONFLICT (organisation_id, level, ts) DO UPDATE SET attempts = excluded.attempts, failed_at = excluded.failed_at,
    retry_at = excluded.retry_at, error = excluded.error`;

const COMPLETE_TO = `SELECT level, ${milliseconds('complete_to')} AS "completeTo" FROM rollup_progress`;

/**
 * Sums some of the due buckets over the servers of their accounts, in the transaction that takes them off the list. A bucket
 * that fails goes back on it with a time for the next try; the other accounts and buckets are summed.
 */
export const rollUpFleets = async (client: PoolClient, now: number): Promise<{ rows: number; isDone: boolean }> => {
  const { rows: accounts } = await client.query<{ servers: number }>(LARGEST_ACCOUNT);
  const servers = accounts[0]?.servers ?? 0;
  const most = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(MOST_ROWS / (Math.max(1, servers) * ROWS_OF_BUCKET))));
  const { rows: due } = await client.query<Due>(TAKE, [most, now]);
  if (due.length === 0) return { rows: 0, isDone: true };
  const { rows: levels } = await client.query<{ level: string; completeTo: number }>(COMPLETE_TO);
  let rows = 0;
  for (const { level: name, completeTo } of levels) {
    const steps = FLEET_STEPS.filter((one) => one.due === name);
    // Side by side in the order of accounts, so that halving them parts the accounts first.
    const ofLevel = due
      .filter(({ level }) => level === name)
      .toSorted((a, b) => a.account.localeCompare(b.account) || a.at - b.at);
    rows += await workOrSetAside(
      client,
      ofLevel,
      async (some) => {
        let written = 0;
        for (const run of runsOf(some, lengthOf(some[0]?.level ?? '5m')))
          for (const step of steps) written += await sumAgain(client, step, run, { servers, completeTo, now });
        return written;
      },
      async ({ account, level, at, attempts }, error) => {
        await client.query(SET_ASIDE, [account, level, at, attempts, now, error]);
      },
    );
  }
  return { rows, isDone: due.length < most };
};
