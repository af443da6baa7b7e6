// SQL sets rollups aside within savepoints: Prisma has none.
import { errorText } from '@plimsoll/contract/rules/error-text';
import { printableText } from '@plimsoll/contract/rules/printable-text';
import type { PoolClient } from 'pg';
import { milliseconds, timestamp } from './time.ts';

/**
 * Keeps one bucket that fails from stopping a rollup: `workOrSetAside` finds it, and the tables rollup_set_aside and
 * fleet_rollup_due hold it until its next try. SQL, because it runs inside the rollups' transactions.
 */

/**
 * SQLSTATEs of errors that what is being summed may cause: data, integrity, cardinality, program limits, damaged pages,
 * and a statement that takes too long. Any other (connection, locks, disk, schema) concerns every bucket alike: the job
 * fails as a whole and runs again.
 */
const CLASSES = ['21', '22', '23', '54', 'XX'];
const STATEMENT_TIMEOUT = '57014';
const codeOf = (error: unknown): string => (error as { code?: string } | null)?.code ?? '';
const isOfBucket = (error: unknown): boolean =>
  codeOf(error) === STATEMENT_TIMEOUT || CLASSES.includes(codeOf(error).slice(0, 2));

/** Returns true for the text of a statement that took too long: a smaller one may succeed. */
export const tookTooLong = (text: string): boolean => text.startsWith(STATEMENT_TIMEOUT);

const MOST_TEXT = 500;
/** The SQLSTATE and PostgreSQL's message. */
const errorTextOf = (error: unknown): string => printableText(`${codeOf(error)} ${errorText(error)}`, MOST_TEXT);

/**
 * Runs `work` in a savepoint. An error of a bucket undoes what it wrote and is returned as a text; any other is thrown.
 */
export const attempt = async <T>(
  client: PoolClient,
  work: () => Promise<T>,
): Promise<{ done: T } | { error: string }> => {
  await client.query('SAVEPOINT attempt');
  try {
    const done = await work();
    await client.query('RELEASE SAVEPOINT attempt');
    return { done };
  } catch (error) {
    if (!isOfBucket(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT attempt; RELEASE SAVEPOINT attempt');
    return { error: errorTextOf(error) };
  }
};

/**
 * Calls `work` once with all items. If an error of a bucket ends it, calls it with each half instead, down to the single
 * items that fail: those go to `setAside`. Of n items, k bad ones cost about k × log2(n) more calls.
 */
export const workOrSetAside = async <T>(
  client: PoolClient,
  items: readonly T[],
  work: (items: readonly T[]) => Promise<number>,
  setAside: (item: T, error: string) => Promise<void>,
): Promise<number> => {
  const [first] = items;
  if (first === undefined) return 0;
  const result = await attempt(client, () => work(items));
  if ('done' in result) return result.done;
  if (items.length === 1) {
    await setAside(first, result.error);
    return 0;
  }
  const middle = Math.ceil(items.length / 2);
  const before = await workOrSetAside(client, items.slice(0, middle), work, setAside);
  return before + (await workOrSetAside(client, items.slice(middle), work, setAside));
};

/** SQL of the time of the next try after `attempts` failures: 1 min, then twice as long each time, at most 6 h. */
export const retryAt = (now: string, attempts: string): string =>
  `${timestamp(now)} + LEAST(interval '1 minute' * 2 ^ LEAST(${attempts}, 16), interval '6 hours')`;

/** A bucket of one server or node, by its key. */
export interface SubjectBucket {
  key: number;
  /** Epoch ms. */
  at: number;
}
/** The one level whose keys are those of nodes; all others are keys of servers. */
export const KUBERNETES_LEVEL = 'kubernetes-5m';

const SET_ASIDE = `INSERT INTO rollup_set_aside AS a (level, subject_key, ts, failed_at, retry_at, error)
  VALUES ($1, $2, ${timestamp('$3')}, ${timestamp('$4')}, ${retryAt('$4', '0')}, $5)
  ON CONFLICT (level, subject_key, ts) DO UPDATE SET attempts = a.attempts + 1, error = excluded.error,
    failed_at = excluded.failed_at, retry_at = ${retryAt('$4', 'a.attempts')}`;
export const setSubjectAside = async (
  client: PoolClient,
  level: string,
  { key, at }: SubjectBucket,
  failure: { now: number; error: string },
): Promise<void> => {
  await client.query(SET_ASIDE, [level, key, at, failure.now, failure.error]);
};

/** Few at a time, so that no transaction gets long. */
const MOST_TRIES = 100;
const DUE = `SELECT subject_key AS key, ${milliseconds('ts')} AS at FROM rollup_set_aside
  WHERE level = $1 AND retry_at <= ${timestamp('$2')} ORDER BY retry_at LIMIT ${MOST_TRIES}`;
const REPAIRED = `DELETE FROM rollup_set_aside a USING unnest($2::integer[], $3::double precision[]) AS b(key, at)
  WHERE a.level = $1 AND a.subject_key = b.key AND a.ts = ${timestamp('b.at')}`;
/** Parameters of a statement over buckets: their keys and their times. */
export const bucketArrays = (buckets: readonly SubjectBucket[]): [number[], number[]] => [
  buckets.map(({ key }) => key),
  buckets.map(({ at }) => at),
];

/** Tries the buckets again whose time has come; a repaired one, or one without samples by now, is set aside no more. */
export const tryAgain = async (
  client: PoolClient,
  level: string,
  now: number,
  work: (buckets: readonly SubjectBucket[]) => Promise<number>,
): Promise<number> => {
  const { rows: due } = await client.query<SubjectBucket>(DUE, [level, now]);
  return workOrSetAside(
    client,
    due,
    async (buckets) => {
      const rows = await work(buckets);
      await client.query(REPAIRED, [level, ...bucketArrays(buckets)]);
      return rows;
    },
    (bucket, error) => setSubjectAside(client, level, bucket, { now, error }),
  );
};
