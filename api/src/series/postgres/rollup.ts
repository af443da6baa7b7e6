// SQL aggregates closed buckets: one statement reads and writes partitions, which Prisma cannot express.
import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { PoolClient } from 'pg';
import { ROLLUP_LEVELS } from '../series-level.ts';
import type { SeriesLevel } from '../series-level.ts';
import { rollUpFleets } from './fleet-rollup.ts';
import { ROLLED_UP } from '../rolled-up-figures.ts';
import { rolledUpColumns } from './fleet-columns.ts';
import {
  attempt,
  bucketArrays,
  setSubjectAside,
  tookTooLong,
  tryAgain,
  workOrSetAside,
} from '../../database/set-aside.ts';
import type { SubjectBucket } from '../../database/set-aside.ts';
import type { Database } from '../../database/database.ts';
import { underLock } from '../../database/job-lock.ts';
import { milliseconds, timestamp } from '../../database/time.ts';
import type { Rollups } from '../store.ts';

/** A report may be stamped as received before a scan and committed after it; a request lasts 15 s at most. */
const OVERLAP_MS = 120_000;
/** Catching up after a long stop goes in steps of at most this length and this many samples. */
const STEP_MS = DAY_MS;
const MOST_SAMPLES = 200_000;
/** Late reports are looked for in the arrivals of this long at once. */
const LATE_MS = 300_000;
/** A collector sends a report a minute. */
const HOURLY_SAMPLES = 60;

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
  INSERT INTO fleet_rollup_due (organisation_id, level, ts)
  SELECT DISTINCT s.organisation_id, '${level.name}', written.ts FROM written JOIN server s ON s.key = written.server_key
  WHERE s.organisation_id IS NOT NULL
  ON CONFLICT DO NOTHING
)
SELECT count(*)::integer AS rows FROM written`;

const bucketOf = (column: string, level: SeriesLevel): string =>
  `date_bin('${level.stepSeconds} seconds', ${column}, to_timestamp(0))`;

const newlyClosed = (level: SeriesLevel): string => `
  SELECT ${bucketOf('ts', level)} AS bucket, host_sample.* FROM host_sample
  WHERE ts >= ${timestamp('$1')} AND ts < ${timestamp('$2')} AND server_key >= $3 AND server_key < $4`;

/**
 * Samples of the buckets before $1 that reports received from $2 until $3 changed. Samples are only ever added, so a bucket of
 * as many as it was made of is the same: what the scan before has done is not done again for its overlap.
 */
const changedByLateSamples = (level: SeriesLevel): string => {
  const samples = `FROM host_sample h WHERE h.server_key = late.server_key
    AND h.ts >= late.bucket AND h.ts < late.bucket + interval '${level.stepSeconds} seconds'`;
  return `
  SELECT late.bucket, changed.* FROM (
    SELECT DISTINCT s.server_key, ${bucketOf('l.sample_at', level)} AS bucket
    FROM report_ledger l JOIN report_stream s ON s.key = l.stream_key
    WHERE l.received_at >= ${timestamp('$2')} AND l.received_at < ${timestamp('$3')}
      AND l.sample_at < ${timestamp('$1')}
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
 * aside. Returns null, with nothing written, if the statement took too long and `mayHalve`.
 */
const writeAll = async (
  client: PoolClient,
  level: SeriesLevel,
  { source, values, mayHalve }: { source: string; values: number[]; mayHalve: boolean },
  now: number,
): Promise<number | null> => {
  const result = await attempt(client, () => write(client, upsert(level, source), values));
  if ('done' in result) return result.done;
  if (mayHalve && tookTooLong(result.error)) return null;
  const { rows } = await client.query<SubjectBucket>(
    `SELECT DISTINCT server_key AS key, ${milliseconds('bucket')} AS at FROM (${source}) sample ORDER BY 1, 2`,
    values,
  );
  return workOrSetAside(
    client,
    rows,
    (buckets) => writeBuckets(client, level, buckets),
    (bucket, error) => setSubjectAside(client, level.name, bucket, { now, error }),
  );
};

/** A stretch of time, epoch ms. */
interface Stretch {
  from: number;
  to: number;
}
/** Half of it in whole steps, and at least one. */
const halved = ({ from, to }: Stretch, stepMs: number): Stretch => ({
  from,
  to: from + Math.max(1, Math.floor((to - from) / 2 / stepMs)) * stepMs,
});

/** The length of a bucket, and the samples that a statement takes at most. */
interface Bounds {
  stepMs: number;
  mostSamples: number;
}
const HAS_MORE = `SELECT count(*) > $3 AS "hasMore" FROM (
  SELECT FROM host_sample WHERE ts >= ${timestamp('$1')} AND ts < ${timestamp('$2')} LIMIT $3 + 1) first`;
/** The whole stretch, or as many of its first buckets as hold few enough samples. */
const boundedBySamples = async (client: PoolClient, stretch: Stretch, bounds: Bounds): Promise<Stretch> => {
  if (stretch.to - stretch.from <= bounds.stepMs) return stretch;
  const values = [stretch.from, stretch.to, bounds.mostSamples];
  const { rows } = await client.query<{ hasMore: boolean }>(HAS_MORE, values);
  return rows[0]?.hasMore === true ? boundedBySamples(client, halved(stretch, bounds.stepMs), bounds) : stretch;
};

const MOST_KEY = 2 ** 31 - 1;
const EVERY_NTH_KEY = `SELECT key FROM (SELECT key, row_number() OVER (ORDER BY key) AS n FROM server) numbered
  WHERE n % $1 = 0 ORDER BY key`;
/** Ranges of server keys whose samples of one bucket are few enough for a statement. */
const keyRanges = async (client: PoolClient, { stepMs, mostSamples }: Bounds): Promise<[number, number][]> => {
  const servers = Math.floor((mostSamples / HOURLY_SAMPLES / stepMs) * HOUR_MS);
  const { rows } = await client.query<{ key: number }>(EVERY_NTH_KEY, [servers]);
  const bounds = [0, ...rows.map(({ key }) => key), MOST_KEY];
  return bounds.slice(1).map((bound, index) => [bounds[index] ?? 0, bound]);
};

/** Writes the closed buckets of a stretch, or of its beginning if all of it takes too long. Returns what was written. */
const writeFresh = async (
  client: PoolClient,
  level: SeriesLevel,
  stretch: Stretch & { bounds: Bounds },
  now: number,
): Promise<{ rows: number; to: number }> => {
  const { from, to, bounds } = stretch;
  const source = newlyClosed(level);
  if (to - from > bounds.stepMs) {
    const all = { source, values: [from, to, 0, MOST_KEY], mayHalve: true };
    const rows = await writeAll(client, level, all, now);
    if (rows !== null) return { rows, to };
    return writeFresh(client, level, { ...halved(stretch, bounds.stepMs), bounds }, now);
  }
  let rows = 0;
  if (to > from)
    for (const range of await keyRanges(client, bounds))
      rows += (await writeAll(client, level, { source, values: [from, to, ...range], mayHalve: false }, now)) ?? 0;
  return { rows, to };
};

/** Writes the buckets before `completeTo` that reports which arrived in a stretch changed. Returns as `writeFresh`. */
const writeLate = async (
  client: PoolClient,
  level: SeriesLevel,
  stretch: Stretch & { completeTo: number },
  now: number,
): Promise<{ rows: number; to: number }> => {
  const { from, to, completeTo } = stretch;
  const mayHalve = to - from > 1000;
  // The clock of another replica may be ahead.
  const end = to < now ? to : now + DAY_MS;
  const late = { source: changedByLateSamples(level), values: [completeTo, from, end], mayHalve };
  const rows = await writeAll(client, level, late, now);
  return rows === null ? writeLate(client, level, { ...halved(stretch, 1), completeTo }, now) : { rows, to };
};

type Step = (client: PoolClient) => Promise<{ rows: number; isDone: boolean }>;

const rollUpLevel = (level: SeriesLevel, now: number, mostSamples: number): Step => {
  const stepMs = level.stepSeconds * 1000;
  const bounds = { stepMs, mostSamples };
  const closed = Math.floor(now / stepMs) * stepMs;
  /** Arrivals before this were looked at by an earlier step of this run. */
  let lookedTo: number | null = null;
  return async (client) => {
    const { rows: known } = await client.query<Progress>(READ_PROGRESS, [level.name]);
    const progress = known[0] ?? (await firstProgress(client, stepMs, now));
    const { completeTo } = progress;
    const repaired = await tryAgain(client, level.name, now, (buckets) => writeBuckets(client, level, buckets));
    const since = lookedTo ?? Math.min(progress.scannedTo, now) - OVERLAP_MS;
    const arrivals = { from: since, to: Math.min(now, since + LATE_MS), completeTo };
    const late = await writeLate(client, level, arrivals, now);
    const ahead = { from: completeTo, to: Math.max(completeTo, Math.min(closed, completeTo + STEP_MS)) };
    const stretch = await boundedBySamples(client, ahead, bounds);
    const fresh = await writeFresh(client, level, { ...stretch, bounds }, now);
    await client.query(WRITE_PROGRESS, [level.name, fresh.to, Math.min(now, late.to + OVERLAP_MS)]);
    lookedTo = late.to;
    return { rows: repaired + late.rows + fresh.rows, isDone: fresh.to >= closed && late.to >= now };
  };
};

/**
 * Each step is one call of `inTransaction`; null when another replica is at it. A level, and the fleets, may take
 * `mostMs`: what is left is for the next run, so that catching up leaves the database time for reports.
 */
const rollUp = async (
  inTransaction: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T | null>,
  now: number,
  { mostMs, mostSamples }: { mostMs: number; mostSamples: number },
): Promise<number | null> => {
  let total = 0;
  const fleets: Step = (client) => rollUpFleets(client, now);
  for (const work of [...ROLLUP_LEVELS.map((level) => rollUpLevel(level, now, mostSamples)), fleets]) {
    const begun = performance.now();
    for (let isDone = false; !isDone && performance.now() - begun < mostMs;) {
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

/** A statement takes at most `mostSamples`, or those of one bucket and one server if these are more. */
export const createRollupStore = ({ pool }: Database, mostSamples = MOST_SAMPLES): Rollups => ({
  rollUp: (now, mostMs = Infinity) => rollUp(underLock(pool, ROLLUP_LOCK), now, { mostMs, mostSamples }),
});
