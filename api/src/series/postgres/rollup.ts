import type { PoolClient } from 'pg';
import { ROLLUP_LEVELS } from '../series-level.ts';
import type { SeriesLevel } from '../series-level.ts';
import { rollUpFleets } from './fleet-rollup.ts';
import { ROLLED_UP } from '../stored-figures.ts';
import { rolledUpColumns } from './fleet-columns.ts';
import { attempt, bucketArrays, setSubjectAside, tryAgain, workOrSetAside } from '../../database/set-aside.ts';
import type { SubjectBucket } from '../../database/set-aside.ts';
import type { Database } from '../../database/database.ts';
import { underLock } from '../../database/job-lock.ts';
import { DAY_MS, milliseconds, timestamp } from '../../database/time.ts';
import type { Rollups } from '../store.ts';

/** A report may be stamped as received before a scan and committed after it; a request lasts 15 s at most. */
const OVERLAP_MS = 120_000;
/** Catching up after a long stop goes in steps of this length, so that no transaction gets long. */
const STEP_MS = DAY_MS;

const computed: [string, string][] = [['samples', 'count(*)::integer'], ...rolledUpColumns(ROLLED_UP)];
const names = computed.map(([name]) => name);

/**
 * One row a server and bucket from the samples `source` selects; writing it again changes nothing. Their account's
 * bucket is due to be summed again from then on. Answers `rows`.
 */
const upsert = (level: SeriesLevel, source: string): string => `
WITH written AS (
  INSERT INTO host_rollup_${level.name} (ts, server_key, ${names.join(', ')})
  SELECT bucket, server_key, ${computed.map(([, expression]) => expression).join(', ')}
  FROM (${source}) sample GROUP BY bucket, server_key
  ON CONFLICT (server_key, ts) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
  RETURNING server_key, ts
), due AS (
  INSERT INTO fleet_rollup_due (account_id, level, ts)
  SELECT DISTINCT s.account_id, '${level.name}', written.ts FROM written JOIN server s ON s.key = written.server_key
  WHERE s.account_id IS NOT NULL
  ON CONFLICT DO NOTHING
)
SELECT count(*)::integer AS rows FROM written`;

const bucketOf = (column: string, level: SeriesLevel): string =>
  `date_bin('${level.stepSeconds} seconds', ${column}, to_timestamp(0))`;

const newlyClosed = (level: SeriesLevel): string => `
  SELECT ${bucketOf('ts', level)} AS bucket, host_sample.* FROM host_sample
  WHERE ts >= ${timestamp('$1')} AND ts < ${timestamp('$2')}`;

/**
 * Samples of the buckets before $1 that reports received since $2 changed. Samples are only ever added, so a bucket of
 * as many as it was made of is the same: what the scan before has done is not done again for its overlap.
 */
const changedByLateSamples = (level: SeriesLevel): string => {
  const samples = `FROM host_sample h WHERE h.server_key = late.server_key
    AND h.ts >= late.bucket AND h.ts < late.bucket + interval '${level.stepSeconds} seconds'`;
  return `
  SELECT late.bucket, changed.* FROM (
    SELECT DISTINCT s.server_key, ${bucketOf('l.sample_at', level)} AS bucket
    FROM report_ledger l JOIN report_stream s ON s.key = l.stream_key
    WHERE l.received_at >= ${timestamp('$2')} AND l.sample_at < ${timestamp('$1')}
  ) late LEFT JOIN host_rollup_${level.name} known ON known.server_key = late.server_key AND known.ts = late.bucket
  CROSS JOIN LATERAL (SELECT h.* ${samples}) changed
  WHERE (SELECT count(*) ${samples}) <> COALESCE(known.samples, 0) AND NOT EXISTS (
    SELECT FROM rollup_set_aside a WHERE a.level = '${level.name}' AND a.subject_key = late.server_key AND a.ts = late.bucket)`;
};

/** Samples of the buckets $1 (servers) and $2 (beginnings, ms) hold, side by side. */
const ofBuckets = (level: SeriesLevel): string => `
  SELECT ${timestamp('b.at')} AS bucket, h.* FROM unnest($1::integer[], $2::double precision[]) AS b(key, at)
  JOIN host_sample h ON h.server_key = b.key AND h.ts >= ${timestamp('b.at')}
    AND h.ts < ${timestamp('b.at')} + interval '${level.stepSeconds} seconds'`;

interface Progress {
  completeTo: number;
  scannedTo: number;
}
const READ_PROGRESS = `SELECT ${milliseconds('complete_to')} AS "completeTo", ${milliseconds('scanned_to')} AS "scannedTo"
  FROM rollup_progress WHERE level = $1`;
const WRITE_PROGRESS = `INSERT INTO rollup_progress (level, complete_to, scanned_to)
  VALUES ($1, ${timestamp('$2')}, ${timestamp('$3')})
  ON CONFLICT (level) DO UPDATE SET complete_to = excluded.complete_to, scanned_to = excluded.scanned_to`;

/** Without any progress yet: everything, from the oldest sample on. */
const firstProgress = async (client: PoolClient, stepMs: number, now: number): Promise<Progress> => {
  const { rows } = await client.query<{ at: number | null }>(
    `SELECT ${milliseconds('min(ts)')} AS at FROM host_sample`,
  );
  const oldest = Math.min(rows[0]?.at ?? now, now);
  return { completeTo: Math.floor(oldest / stepMs) * stepMs, scannedTo: now };
};

const write = async (client: PoolClient, statement: string, values: unknown[]): Promise<number> => {
  const { rows } = await client.query<{ rows: number }>(statement, values);
  return rows[0]?.rows ?? 0;
};
const writeBuckets = (client: PoolClient, level: SeriesLevel, buckets: readonly SubjectBucket[]): Promise<number> =>
  write(client, upsert(level, ofBuckets(level)), bucketArrays(buckets));

/**
 * Writes what `source` selects in one statement. If a bucket makes it fail, the others are written and that one set
 * aside.
 */
const writeAll = async (
  client: PoolClient,
  level: SeriesLevel,
  source: string,
  range: [number, number],
  now: number,
): Promise<number> => {
  const result = await attempt(client, () => write(client, upsert(level, source), range));
  if ('done' in result) return result.done;
  const { rows } = await client.query<SubjectBucket>(
    `SELECT DISTINCT server_key AS key, ${milliseconds('bucket')} AS at FROM (${source}) sample ORDER BY 1, 2`,
    range,
  );
  return workOrSetAside(
    client,
    rows,
    (buckets) => writeBuckets(client, level, buckets),
    (bucket, error) => setSubjectAside(client, level.name, bucket, { now, error }),
  );
};

const rollUpLevel = async (
  client: PoolClient,
  level: SeriesLevel,
  now: number,
): Promise<{ rows: number; isDone: boolean }> => {
  const stepMs = level.stepSeconds * 1000;
  const { rows: known } = await client.query<Progress>(READ_PROGRESS, [level.name]);
  const progress = known[0] ?? (await firstProgress(client, stepMs, now));
  const closed = Math.floor(now / stepMs) * stepMs;
  const completeTo = Math.max(progress.completeTo, Math.min(closed, progress.completeTo + STEP_MS));
  const repaired = await tryAgain(client, level.name, now, (buckets) => writeBuckets(client, level, buckets));
  const since = progress.scannedTo - OVERLAP_MS;
  const late = await writeAll(client, level, changedByLateSamples(level), [progress.completeTo, since], now);
  const fresh = await writeAll(client, level, newlyClosed(level), [progress.completeTo, completeTo], now);
  await client.query(WRITE_PROGRESS, [level.name, completeTo, now]);
  return { rows: repaired + late + fresh, isDone: completeTo >= closed };
};

/** Each step is one call of `inTransaction`; null when another replica is at it. */
const rollUp = async (
  inTransaction: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T | null>,
  now: number,
): Promise<number | null> => {
  let total = 0;
  const levels = ROLLUP_LEVELS.map((level) => (client: PoolClient) => rollUpLevel(client, level, now));
  for (const work of [...levels, (client: PoolClient) => rollUpFleets(client, now)]) {
    for (let isDone = false; !isDone;) {
      const step = await inTransaction(work);
      if (step === null) return null;
      total += step.rows;
      isDone = step.isDone;
    }
  }
  return total;
};

/** Advisory lock: of several replicas one rolls up. */
const ROLLUP_LOCK = 0x72_6f_6c_6c;

export const createRollupStore = ({ pool }: Database): Rollups => ({
  rollUp: (now) => rollUp(underLock(pool, ROLLUP_LOCK), now),
});
