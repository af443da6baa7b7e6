// SQL removes what is gone: deletions with their own time limit and joins.
import type { PoolClient } from 'pg';
import type { ClusterUpkeep } from '../store.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import {
  attempt,
  bucketArrays,
  KUBERNETES_LEVEL,
  setSubjectAside,
  tryAgain,
  workOrSetAside,
} from '../../database/set-aside.ts';
import type { SubjectBucket } from '../../database/set-aside.ts';
import { milliseconds, timestamp } from '../../database/time.ts';

/** Only one replica rolls up at a time; any constant. */
const ROLLUP_LOCK = 0x6b_72_6f_6c;
const JOB_TIMEOUT_MS = 120_000;
/** Nodes deliver up to 24 h late after an outage. */
const LOOK_BACK_MS = 26 * 3_600_000;
const BUCKET_MS = 300_000;

/**
 * Recomputes whole buckets, and only buckets whose number of rows changed since. Our own measurements replace those of
 * Prometheus for the same bucket.
 */
const rollupOf = (
  samples: string,
): string => `INSERT INTO kube_rollup_5m (ts, node_key, samples, node_cpu_avg, node_memory_avg, pods, cpu_avg, cpu_min, cpu_max,
    memory_avg, memory_min, memory_max)
  SELECT b.at, b.node_key, b.samples, b.node_cpu, b.node_memory, p.pods, p.cpu_avg, p.cpu_min, p.cpu_max, p.memory_avg,
    p.memory_min, p.memory_max
  FROM (
    SELECT at, node_key, count(*)::int AS samples, avg(cpu_cores) AS node_cpu, avg(memory_bytes) AS node_memory
    FROM (${samples}) AS s GROUP BY 1, 2) b
  LEFT JOIN kube_rollup_5m known ON known.node_key = b.node_key AND known.ts = b.at
  JOIN LATERAL (
    SELECT COALESCE(array_agg(pod ORDER BY pod), '{}') AS pods, COALESCE(array_agg(cpu_avg ORDER BY pod), '{}') AS cpu_avg,
      COALESCE(array_agg(cpu_min ORDER BY pod), '{}') AS cpu_min, COALESCE(array_agg(cpu_max ORDER BY pod), '{}') AS cpu_max,
      COALESCE(array_agg(memory_avg ORDER BY pod), '{}') AS memory_avg,
      COALESCE(array_agg(memory_min ORDER BY pod), '{}') AS memory_min,
      COALESCE(array_agg(memory_max ORDER BY pod), '{}') AS memory_max
    FROM (
      SELECT x.pod, avg(x.cpu)::real AS cpu_avg, min(x.cpu) AS cpu_min, max(x.cpu) AS cpu_max,
        avg(x.memory)::real AS memory_avg, min(x.memory) AS memory_min, max(x.memory) AS memory_max
      FROM kube_sample s, unnest(s.pods, s.cpu, s.memory) AS x(pod, cpu, memory)
      WHERE s.node_key = b.node_key AND s.ts >= b.at AND s.ts < b.at + interval '5 minutes' GROUP BY x.pod) each) p ON true
  WHERE known.samples IS DISTINCT FROM b.samples OR known.source IS NOT NULL
  ON CONFLICT (node_key, ts) DO UPDATE SET samples = excluded.samples, node_cpu_avg = excluded.node_cpu_avg,
    node_memory_avg = excluded.node_memory_avg, pods = excluded.pods, cpu_avg = excluded.cpu_avg, cpu_min = excluded.cpu_min,
    cpu_max = excluded.cpu_max, memory_avg = excluded.memory_avg, memory_min = excluded.memory_min,
    memory_max = excluded.memory_max, source = NULL`;

const IN_RANGE = `SELECT date_bin('5 minutes', ts, 'epoch') AS at, node_key, cpu_cores, memory_bytes FROM kube_sample
  WHERE ts >= to_timestamp($1 / 1000.0) AND ts < to_timestamp($2 / 1000.0)`;
/** Buckets set aside are left to their next try, else each run failed on them again. */
const SAMPLES = `SELECT * FROM (${IN_RANGE}) r WHERE NOT EXISTS (SELECT FROM rollup_set_aside a
  WHERE a.level = '${KUBERNETES_LEVEL}' AND a.subject_key = r.node_key AND a.ts = r.at)`;
const ROLLUP = rollupOf(SAMPLES);
const BUCKETS = `SELECT DISTINCT node_key AS key, ${milliseconds('at')} AS at FROM (${SAMPLES}) r ORDER BY 1, 2`;
/** $1 nodes  $2 beginnings of their buckets, ms */
const ROLLUP_BUCKETS = rollupOf(`SELECT ${timestamp('w.at')} AS at, s.node_key, s.cpu_cores, s.memory_bytes
  FROM unnest($1::integer[], $2::double precision[]) AS w(key, at) JOIN kube_sample s ON s.node_key = w.key
    AND s.ts >= ${timestamp('w.at')} AND s.ts < ${timestamp('w.at')} + interval '5 minutes'`);

const writeBuckets = async (client: PoolClient, buckets: readonly SubjectBucket[]): Promise<number> =>
  (await client.query(ROLLUP_BUCKETS, bucketArrays(buckets))).rowCount ?? 0;

const rollUp = async (client: PoolClient, now: number): Promise<number> => {
  const repaired = await tryAgain(client, KUBERNETES_LEVEL, now, (buckets) => writeBuckets(client, buckets));
  const closed = Math.floor(now / BUCKET_MS) * BUCKET_MS;
  const range = [closed - LOOK_BACK_MS, closed];
  const result = await attempt(client, () => client.query(ROLLUP, range));
  if ('done' in result) return repaired + (result.done.rowCount ?? 0);
  const { rows } = await client.query<SubjectBucket>(BUCKETS, range);
  const written = await workOrSetAside(
    client,
    rows,
    (buckets) => writeBuckets(client, buckets),
    (bucket, error) => setSubjectAside(client, KUBERNETES_LEVEL, bucket, { now, error }),
  );
  return repaired + written;
};

export const createClusterUpkeep = ({ pool }: Database): ClusterUpkeep => ({
  rollup: (now) =>
    inTransaction(pool, async (client: PoolClient) => {
      await client.query(`SET LOCAL statement_timeout = ${JOB_TIMEOUT_MS}`);
      const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS got', [
        ROLLUP_LOCK,
      ]);
      if (!rows[0]?.got) return 0;
      return rollUp(client, now);
    }),
});
