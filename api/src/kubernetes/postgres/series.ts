// SQL reads series: buckets are averaged in the database.
import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import type { Owner } from '../../tenancy/owner.ts';
import type { NodeRecord } from '../node-records.ts';
import type { PodRecord } from '../pod-records.ts';
import type { SeriesRange, UsageBucket } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { clusterKeys, SOURCE_RANKS } from './clusters.ts';

const FIVE_MINUTES = 300;
const DAY_MS = 86_400_000;

interface BucketRow {
  at: string;
  count: number;
  told: boolean;
  cpu_avg: number | null;
  cpu_min: number | null;
  cpu_max: number | null;
  memory_avg: number | null;
  memory_min: number | null;
  memory_max: number | null;
}
const bucketOf = (row: BucketRow): UsageBucket => ({
  at: Number(row.at),
  count: row.count,
  isTold: row.told,
  cpuCores: { avg: row.cpu_avg, min: row.cpu_min, max: row.cpu_max },
  memoryBytes: { avg: row.memory_avg, min: row.memory_min, max: row.memory_max },
});

const BUCKET = `(floor(extract(epoch FROM s.ts) / $4) * $4 * 1000)::int8 AS at`;
const RANGE = `s.node_key = $1 AND s.ts >= to_timestamp($2 / 1000.0) AND s.ts < to_timestamp($3 / 1000.0)`;
/** The place of the pod in the arrays is looked up once per row. */
const PLACE = 'JOIN LATERAL (SELECT array_position(s.pods, $5) AS i) x ON x.i IS NOT NULL';
/**
 * A mean of five minutes that Prometheus told holds in each finer bucket that begins in it, else charts of short ranges
 * would be all gaps. `cpu` and `memory` are expressions over one row of the rollup.
 */
const toldSeries = (cpu: string, memory: string, place: string): string => `SELECT b.at * 1000 AS at, true AS told,
    ${cpu} AS cpu, ${memory} AS memory
  FROM (SELECT *, extract(epoch FROM ts) AS began FROM kube_rollup_5m r
    WHERE r.node_key = $1 AND r.source IS NOT NULL AND r.ts > to_timestamp($2 / 1000.0 - ${FIVE_MINUTES})
      AND r.ts < to_timestamp($3 / 1000.0)) s
  ${place}
  CROSS JOIN LATERAL generate_series(
    (CASE WHEN $4 < ${FIVE_MINUTES} THEN ceil(s.began / $4) ELSE floor(s.began / $4) END * $4)::int8,
    (CASE WHEN $4 < ${FIVE_MINUTES} THEN s.began + ${FIVE_MINUTES - 1} ELSE floor(s.began / $4) * $4 END)::int8, $4::int8) AS b(at)
  WHERE b.at * 1000 >= $2 AND b.at * 1000 < $3`;
/** `cpu` and `memory` are expressions over one row of samples, `told` the same of what Prometheus told. */
const rawSeries = (
  cpu: string,
  memory: string,
  place: string,
  told: string,
): string => `SELECT at, count(*)::int AS count,
    bool_or(told) AS told,
    avg(cpu)::float8 AS cpu_avg, min(cpu)::float8 AS cpu_min, max(cpu)::float8 AS cpu_max,
    avg(memory)::float8 AS memory_avg, min(memory)::float8 AS memory_min, max(memory)::float8 AS memory_max
  FROM (SELECT ${BUCKET}, s.source = ${SOURCE_RANKS.prometheus} AS told, ${cpu} AS cpu, ${memory} AS memory
      FROM kube_sample s ${place} WHERE ${RANGE}
    UNION ALL ${told}) each GROUP BY at ORDER BY at`;
const POD_RAW = rawSeries(
  's.cpu[x.i]',
  's.memory[x.i]',
  PLACE,
  toldSeries('s.cpu_avg[x.i]', 's.memory_avg[x.i]', PLACE),
);
const NODE_RAW = rawSeries('s.cpu_cores', 's.memory_bytes', '', toldSeries('s.node_cpu_avg', 's.node_memory_avg', ''));
/** Buckets of a rollup weigh as many samples as they hold. */
const weighted = (value: string): string =>
  `(sum(${value} * s.samples) / NULLIF(sum(s.samples) FILTER (WHERE ${value} IS NOT NULL), 0))::float8`;
const POD_ROLLED = `SELECT ${BUCKET}, sum(s.samples)::float8 AS count, bool_or(s.source IS NOT NULL) AS told, ${weighted('s.cpu_avg[x.i]')} AS cpu_avg,
    min(s.cpu_min[x.i])::float8 AS cpu_min, max(s.cpu_max[x.i])::float8 AS cpu_max, ${weighted('s.memory_avg[x.i]')} AS memory_avg,
    min(s.memory_min[x.i])::float8 AS memory_min, max(s.memory_max[x.i])::float8 AS memory_max
  FROM kube_rollup_5m s ${PLACE}
  WHERE ${RANGE} GROUP BY 1 ORDER BY 1`;
const NODE_ROLLED = `SELECT ${BUCKET}, sum(s.samples)::float8 AS count, bool_or(s.source IS NOT NULL) AS told, ${weighted('s.node_cpu_avg')} AS cpu_avg,
    min(s.node_cpu_avg)::float8 AS cpu_min, max(s.node_cpu_avg)::float8 AS cpu_max,
    ${weighted('s.node_memory_avg')} AS memory_avg, min(s.node_memory_avg)::float8 AS memory_min,
    max(s.node_memory_avg)::float8 AS memory_max
  FROM kube_rollup_5m s WHERE ${RANGE} GROUP BY 1 ORDER BY 1`;

/** Raw rows while they last, and for ranges so short that the rollup's last buckets would be missing from them. */
const isRaw = ({ from, to, bucketSeconds }: SeriesRange, now: number): boolean =>
  bucketSeconds < FIVE_MINUTES || (to - from <= DAY_MS && from > now - RETENTION_DAYS.raw * DAY_MS);

async function series(
  { pool }: Database,
  statements: { raw: string; rolled: string },
  values: unknown[],
  range: SeriesRange,
  now: number,
): Promise<UsageBucket[]> {
  const { rows } = await pool.query<BucketRow>(isRaw(range, now) ? statements.raw : statements.rolled, values);
  return rows.map(bucketOf);
}

export async function podSeries(
  database: Database,
  pod: PodRecord,
  owner: Owner,
  range: SeriesRange,
  now: number,
): Promise<UsageBucket[]> {
  const [cluster] = await clusterKeys(database, { owner, clusterId: pod.clusterId });
  const { rows } = await database.pool.query<{ pod: number; node: number }>(
    `SELECT p.key AS pod, n.key AS node FROM kube_pod p JOIN kube_node n ON n.cluster_key = p.cluster_key AND n.name = p.node_name
       WHERE p.cluster_key = $1 AND p.uid = $2 ORDER BY (n.gone_at IS NULL) DESC, n.key DESC LIMIT 1`,
    [cluster?.key, pod.object.uid],
  );
  const keys = rows[0];
  if (!keys) return [];
  const values = [keys.node, range.from, range.to, range.bucketSeconds, keys.pod];
  return series(database, { raw: POD_RAW, rolled: POD_ROLLED }, values, range, now);
}

export async function nodeSeries(
  database: Database,
  node: NodeRecord,
  owner: Owner,
  range: SeriesRange,
  now: number,
): Promise<UsageBucket[]> {
  const [cluster] = await clusterKeys(database, { owner, clusterId: node.clusterId });
  const { rows } = await database.pool.query<{ key: number }>(
    'SELECT key FROM kube_node WHERE cluster_key = $1 AND uid = $2',
    [cluster?.key, node.object.uid],
  );
  const key = rows[0]?.key;
  if (key === undefined) return [];
  const values = [key, range.from, range.to, range.bucketSeconds];
  return series(database, { raw: NODE_RAW, rolled: NODE_ROLLED }, values, range, now);
}
