import type { PoolClient } from 'pg';
import { FLEET_STEPS } from '../fleet-steps.ts';
import type { FleetStep } from '../fleet-steps.ts';
import { ROLLUP_LEVELS } from '../series-level.ts';
import { fleetColumns, overServersColumns, perServerColumns } from './fleet-columns.ts';
import { partRows } from './part-rows.ts';
import { ROLLED_UP } from '../stored-figures.ts';
import { retryAt, workOrSetAside } from '../../database/set-aside.ts';
import { DAY_MS, milliseconds, timestamp } from '../../database/time.ts';

const COLUMNS = fleetColumns(ROLLED_UP).join(', ');

/** Newest first: a short chart is ready again soonest. Few at a time, so that no transaction gets long. */
const TAKE = `DELETE FROM fleet_rollup_due d USING (
    SELECT account_id, level, ts FROM fleet_rollup_due WHERE retry_at IS NULL OR retry_at <= ${timestamp('$2')}
    ORDER BY ts DESC LIMIT $1
  ) taken WHERE d.account_id = taken.account_id AND d.level = taken.level AND d.ts = taken.ts
  RETURNING d.account_id AS account, d.level, ${milliseconds('d.ts')} AS at, d.attempts`;
const MOST_AT_ONCE = 500;

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
const NEAR_MS = 3_600_000;

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
  WHERE account_id = ANY ($1::uuid[]) AND step_seconds = ${seconds} AND ts >= ${timestamp('$2')} AND ts < ${timestamp('$3')}`;

const written = ({ seconds, source }: FleetStep): string => `
WITH owned AS MATERIALIZED (
  SELECT key, account_id FROM server WHERE account_id = ANY ($1::uuid[])
), part AS (
  ${partRows(source, ROLLED_UP, `server_key IN (SELECT key FROM owned) AND ts >= ${timestamp('$2')} AND ts < ${timestamp('$3')}`)}
), per_server AS (
  SELECT date_bin('${seconds} seconds', ts, to_timestamp(0)) AS bucket, server_key, sum(samples) AS samples,
    ${perServerColumns(ROLLED_UP).join(', ')}
  FROM part GROUP BY 1, 2
)
INSERT INTO fleet_rollup (account_id, step_seconds, ts, samples, servers, ${COLUMNS})
SELECT owned.account_id, ${seconds}, bucket, sum(samples)::double precision, count(*)::integer,
  ${overServersColumns(ROLLED_UP).join(', ')}
FROM per_server JOIN owned ON owned.key = per_server.server_key GROUP BY 1, 3`;

const sumAgain = async (client: PoolClient, step: FleetStep, run: DueRun, now: number): Promise<number> => {
  const width = step.seconds * 1000;
  const kept = Math.max(run.from, now - step.retentionDays * DAY_MS);
  if (kept >= run.to) return 0;
  const values = [run.accounts, Math.floor(kept / width) * width, Math.ceil(run.to / width) * width];
  await client.query(removed(step), values);
  return (await client.query(written(step), values)).rowCount ?? 0;
};

const SET_ASIDE = `INSERT INTO fleet_rollup_due AS d (account_id, level, ts, attempts, failed_at, retry_at, error)
  VALUES ($1, $2, ${timestamp('$3')}, $4 + 1, ${timestamp('$5')}, ${retryAt('$5', '$4::integer')}, $6)
  ON CONFLICT (account_id, level, ts) DO UPDATE SET attempts = excluded.attempts, failed_at = excluded.failed_at,
    retry_at = excluded.retry_at, error = excluded.error`;

/**
 * Sums some of the due buckets over the servers of their accounts, in the transaction that takes them off the list. A bucket
 * that fails goes back on it with a time for the next try; the other accounts and buckets are summed.
 */
export const rollUpFleets = async (client: PoolClient, now: number): Promise<{ rows: number; isDone: boolean }> => {
  const { rows: due } = await client.query<Due>(TAKE, [MOST_AT_ONCE, now]);
  let rows = 0;
  for (const { name, stepSeconds } of ROLLUP_LEVELS) {
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
        const runs = runsOf(some, stepSeconds * 1000);
        for (const step of steps) for (const run of runs) written += await sumAgain(client, step, run, now);
        return written;
      },
      async ({ account, level, at, attempts }, error) => {
        await client.query(SET_ASIDE, [account, level, at, attempts, now, error]);
      },
    );
  }
  return { rows, isDone: due.length < MOST_AT_ONCE };
};
