// SQL sums every cluster in three passes: nodes with their usage, pods (pod-sums.ts), open alerts.
import type { Pool } from 'pg';
import type { ClusterLoad } from '../cluster-ranking.ts';
import { MOST_USAGE_PERCENT } from '../cluster-state.ts';
import type { ClusterFilter } from '../types.ts';
import { JOINS } from './nodes.ts';
import type { KeptPodSums } from './pod-sums.ts';
import { clusterInScope, nodeInScope, scopeParameter } from './scope.ts';
import { FRESH_MS } from './usage.ts';

const CLUSTERS = `SELECT c.key, c.uid, c.name, c.version, c.last_seen_at, c.xmin::text AS written FROM cluster c
  WHERE c.organisation_id = $1 AND ${clusterInScope('c', '$2')} ORDER BY c.key`;

const fresh = (column: string): string => `${column} > to_timestamp(($2::float8 - ${FRESH_MS}) / 1000.0)`;
/** The ladder of nodeFigures: the node's own agent, then what the collector reports. Null beyond what can be true. */
const usedPercent = (own: string, usage: string, capacity: string): string =>
  `COALESCE(CASE WHEN ${fresh('l.sample_at')} THEN l.${own} END,
    CASE WHEN ${fresh('u.measured_at')} AND ${capacity} > 0 AND u.${usage} / ${capacity} * 100 <= ${MOST_USAGE_PERCENT}
      THEN LEAST(100, u.${usage} / ${capacity} * 100) END)`;
/** $1 clusters  $2 now, ms  $3 scope */
const NODES = `SELECT cluster_key, count(*)::int AS nodes, count(*) FILTER (WHERE ready)::int AS ready,
    sum(cpu_allocatable) AS cpu_allocatable, sum(memory_allocatable) AS memory_allocatable,
    sum(cpu_percent * cpu_capacity) / NULLIF(sum(cpu_capacity) FILTER (WHERE cpu_percent IS NOT NULL), 0) AS cpu_percent,
    sum(memory_percent * memory_capacity) / NULLIF(sum(memory_capacity) FILTER (WHERE memory_percent IS NOT NULL), 0)
      AS memory_percent
  FROM (SELECT o.*, ${usedPercent('cpu_percent', 'cpu_cores', 'o.cpu_capacity')}::float8 AS cpu_percent,
      ${usedPercent('memory_percent', 'memory_bytes', 'o.memory_capacity')}::float8 AS memory_percent
    FROM (SELECT n.key, n.cluster_key, n.server_id, n.ready, n.cpu_capacity, n.memory_capacity, n.cpu_allocatable,
        n.memory_allocatable
      FROM kube_node n
      WHERE n.cluster_key = ANY($1::int[]) AND n.gone_at IS NULL AND ${nodeInScope('n', '$3')}) o
    ${JOINS.replaceAll('n.key', 'o.key').replaceAll('n.cluster_key', 'o.cluster_key').replaceAll('n.server_id', 'o.server_id')}) each_node
  GROUP BY cluster_key`;
/** $1 clusters  $2 organisation */
const ALERTS = `SELECT cluster_key, count(*)::int AS total, count(*) FILTER (WHERE level = 'critical')::int AS critical FROM (
    SELECT a.cluster_key, a.level FROM alert a WHERE a.cluster_key = ANY($1::int[]) AND a.resolved_at IS NULL
    UNION ALL
    SELECT n.cluster_key, a.level FROM alert a JOIN server s ON s.key = a.server_key AND s.organisation_id = $2
      JOIN kube_node n ON n.server_id = s.id AND n.gone_at IS NULL AND n.cluster_key = ANY($1::int[])
    WHERE COALESCE(a.resolved_at, 'infinity') = 'infinity' AND a.cluster_key IS NULL) open GROUP BY 1`;

interface ClusterRow {
  key: number;
  uid: string;
  name: string | null;
  version: string | null;
  last_seen_at: Date;
  /** The transaction that wrote the row last. */
  written: string;
}
interface NodesRow {
  cluster_key: number;
  nodes: number;
  ready: number;
  cpu_allocatable: number | null;
  memory_allocatable: number | null;
  cpu_percent: number | null;
  memory_percent: number | null;
}
interface AlertsRow {
  cluster_key: number;
  total: number;
  critical: number;
}
const byCluster = <Row extends { cluster_key: number }>({ rows }: { rows: Row[] }): Map<number, Row> =>
  new Map(rows.map((row) => [row.cluster_key, row]));

export async function listClusterLoads(
  { pool, podSums }: { pool: Pool; podSums: KeptPodSums },
  filter: ClusterFilter,
  now: number,
): Promise<ClusterLoad[]> {
  const within = scopeParameter(filter);
  const { organisationId } = filter.owner;
  const { rows } = await pool.query<ClusterRow>(CLUSTERS, [organisationId, within]);
  const keys = rows.map(({ key }) => key);
  const [nodes, pods, alerts] = await Promise.all([
    pool.query<NodesRow>(NODES, [keys, now, within]).then(byCluster),
    podSums.read(
      rows.map(({ key, written }) => ({ key, version: written })),
      within,
    ),
    pool.query<AlertsRow>(ALERTS, [keys, organisationId]).then(byCluster),
  ]);
  return rows.map((row) => {
    const [node, pod, alert] = [nodes.get(row.key), pods.get(row.key), alerts.get(row.key)];
    return {
      id: row.uid,
      name: row.name,
      version: row.version,
      lastSeenAt: row.last_seen_at.getTime(),
      nodes: node?.nodes ?? 0,
      readyNodes: node?.ready ?? 0,
      pods: pod?.pods ?? 0,
      brokenPods: pod?.broken ?? 0,
      allocatable: { cpuCores: node?.cpu_allocatable ?? null, memoryBytes: node?.memory_allocatable ?? null },
      requested: {
        // Pods that request nothing request zero; without a node there is nothing to share.
        cpuCores: node === undefined ? null : (pod?.cpuRequest ?? 0),
        memoryBytes: node === undefined ? null : (pod?.memoryRequest ?? 0),
      },
      used: { cpuPercent: node?.cpu_percent ?? null, memoryPercent: node?.memory_percent ?? null },
      alerts: { total: alert?.total ?? 0, critical: alert?.critical ?? 0 },
    };
  });
}
