// SQL sums nodes: the overview and the list of permissions need a few rows, whatever the number of nodes.
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { UsageSource } from '@plimsoll/contract/rules/kubernetes-limits';
import type { KubeletRecord, NodeTotals } from '../node-records.ts';
import type { ClusterFilter } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { clusterKeys, sourceName } from './clusters.ts';
import { firstNode, JOINS, LIVING, ORDER } from './nodes.ts';
import { nodeInScope, scopeParameter } from './scope.ts';
import { MOST_USAGE_PERCENT } from '../cluster-state.ts';
import { FRESH_MS } from './usage.ts';

/** Not-ready nodes that a health chip names. */
const MOST_CAUSES = 5;

const fresh = (column: string): string => `${column} > to_timestamp(($2::float8 - ${FRESH_MS}) / 1000.0)`;
const shareOfCapacity = (column: string, capacity: string): string =>
  `CASE WHEN n.${capacity} > 0 AND ${column} / n.${capacity} * 100 <= ${MOST_USAGE_PERCENT}
     THEN LEAST(100, ${column} / n.${capacity} * 100) END`;
/** As rounded() of the answer: a mean is of what the nodes show. Text keeps the digits that a `real` was stored with. */
const rounded = (value: string): string => `floor((${value}) * 100 + 0.5) / 100`;
/** The ladder of nodeFigures in cluster-state.ts: the node's own agent, then what the cluster's collector reports. */
const TOTALS = `WITH reading AS (
    SELECT n.key, n.name, n.ready, u.source, u.measured_at, l.sample_at,
      CASE WHEN ${fresh('l.sample_at')} THEN l.cpu_percent::text::float8 END AS own_cpu,
      CASE WHEN ${fresh('l.sample_at')} THEN l.memory_percent::text::float8 END AS own_memory,
      CASE WHEN ${fresh('u.measured_at')} THEN ${shareOfCapacity('u.cpu_cores::text::float8', 'cpu_capacity')} END AS usage_cpu,
      CASE WHEN ${fresh('u.measured_at')} THEN ${shareOfCapacity('u.memory_bytes', 'memory_capacity')} END AS usage_memory
    FROM kube_node n ${JOINS} WHERE ${LIVING} AND ${nodeInScope('n', '$3')})
  SELECT count(*)::int AS nodes, count(*) FILTER (WHERE ready)::int AS ready,
    sum(${rounded('COALESCE(own_cpu, usage_cpu)')} ORDER BY name, key) / count(COALESCE(own_cpu, usage_cpu)) AS cpu_percent,
    sum(${rounded('COALESCE(own_memory, usage_memory)')} ORDER BY name, key) / count(COALESCE(own_memory, usage_memory)) AS memory_percent,
    count(own_cpu)::int AS by_agent,
    array_agg(DISTINCT source) FILTER (WHERE own_cpu IS NULL AND usage_cpu IS NOT NULL) AS usage_sources,
    min(CASE WHEN own_cpu IS NOT NULL THEN sample_at WHEN usage_cpu IS NOT NULL THEN measured_at END) AS oldest_at
  FROM reading`;
const NOT_READY = `SELECT n.name, n.server_id, (SELECT one->>'reason' FROM jsonb_array_elements(n.object->'conditions') one
    WHERE one->>'type' = 'Ready' LIMIT 1) AS reason
  FROM kube_node n WHERE ${LIVING} AND n.ready IS NOT TRUE
    AND ${nodeInScope('n', '$2')} ORDER BY ${ORDER} LIMIT ${MOST_CAUSES}`;

interface TotalsRow {
  nodes: number;
  ready: number;
  cpu_percent: number | null;
  memory_percent: number | null;
  by_agent: number;
  usage_sources: number[] | null;
  oldest_at: Date | null;
}

export async function sumNodes(database: Database, filter: ClusterFilter, now: number): Promise<NodeTotals> {
  const keys = (await clusterKeys(database, filter)).map(({ key }) => key);
  const within = scopeParameter(filter);
  const { pool } = database;
  const [{ rows }, notReady] = await Promise.all([
    pool.query<TotalsRow>(TOTALS, [keys, now, within]),
    pool.query<{ name: string; server_id: string; reason: string | null }>(NOT_READY, [keys, within]),
  ]);
  const totals = rows[0];
  const oldestAt = totals?.oldest_at?.getTime() ?? null;
  const byAgent: UsageSource[] = totals && totals.by_agent > 0 ? ['node-agent'] : [];
  return {
    nodes: totals?.nodes ?? 0,
    ready: totals?.ready ?? 0,
    cpuPercent: totals?.cpu_percent ?? null,
    memoryPercent: totals?.memory_percent ?? null,
    sources: [...byAgent, ...(totals?.usage_sources ?? []).map(sourceName)],
    oldestAt,
    first: oldestAt === null ? await firstNode(database, keys, within) : null,
    notReady: notReady.rows.map((row) => ({ name: row.name, serverId: row.server_id, reason: row.reason })),
  };
}

interface KubeletRow {
  uid: string;
  name: string;
  kubelet: ReaderStatePart;
  tls_verified: boolean;
}
const WELL = `a.kubelet->>'state' = 'ok' AND a.kubelet->>'detail' IS NULL
  AND a.kubelet->'left_out' IS NULL AND a.tls_verified`;
const kubelets = (condition: string): string => `SELECT c.uid, n.name, a.kubelet, a.tls_verified
  FROM kube_node n JOIN kube_node_agent a ON a.node_key = n.key JOIN cluster c ON c.key = n.cluster_key
  WHERE ${LIVING} AND ${condition} ORDER BY ${ORDER} LIMIT $2`;

export async function listKubelets(
  database: Database,
  filter: ClusterFilter,
  limit: number,
): Promise<{ failing: KubeletRecord[]; well: KubeletRecord | null }> {
  const keys = (await clusterKeys(database, filter)).map(({ key }) => key);
  const { pool } = database;
  const [failing, well] = await Promise.all([
    pool.query<KubeletRow>(kubelets(`NOT (${WELL})`), [keys, limit]),
    pool.query<KubeletRow>(kubelets(WELL), [keys, 1]),
  ]);
  return { failing: failing.rows.map(kubeletOf), well: well.rows[0] ? kubeletOf(well.rows[0]) : null };
}

const kubeletOf = (row: KubeletRow): KubeletRecord => ({
  clusterId: row.uid,
  nodeName: row.name,
  kubelet: row.kubelet,
  tlsVerified: row.tls_verified,
});
