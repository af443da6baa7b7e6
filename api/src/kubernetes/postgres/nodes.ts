// SQL reads nodes: their latest figures come from four tables in one statement.
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { NodeAgentMode } from '@plimsoll/contract/rules/kubernetes-limits';
import type { ClusterFilter, NodeRecord } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { clusterKeys, type UsageRow, usageOf } from './clusters.ts';
import { WINDOW_MS } from './pods.ts';

interface NodeRow extends UsageRow {
  cluster_key: number;
  name: string;
  server_id: string;
  cluster_token_id: string | null;
  enrolled_at: Date | null;
  first_seen_at: Date;
  object: NodeObject;
  sample_at: Date | null;
  mode: NodeAgentMode;
  kubelet: ReaderStatePart;
  tls_verified: boolean;
  figures: NodePart['node'];
}
const NODES = `SELECT n.cluster_key, n.name, n.server_id, n.cluster_token_id, n.enrolled_at, n.first_seen_at, n.object,
    u.source, u.measured_at, u.cpu_cores, u.memory_bytes, a.sample_at, a.mode, a.kubelet, a.tls_verified, a.figures
  FROM kube_node n LEFT JOIN kube_node_usage u ON u.node_key = n.key LEFT JOIN kube_node_agent a ON a.node_key = n.key
  WHERE n.cluster_key = ANY($1::int[]) AND n.gone_at IS NULL ORDER BY n.name, n.key`;

interface TotalsRow {
  cluster_key: number;
  node_name: string;
  pods: number;
  request_cpu: number | null;
  request_memory: number | null;
  limit_cpu: number | null;
  limit_memory: number | null;
}
const amount = (list: string, what: string): string =>
  `sum((p.object->'${list}'->>'${what}')::float8) FILTER (WHERE p.phase NOT IN ('Succeeded', 'Failed'))`;
/** Finished pods hold nothing any more, but stand in the list of the node's pods. */
const TOTALS = `SELECT p.cluster_key, p.node_name, count(*)::int AS pods,
    ${amount('requests', 'cpu_cores')} AS request_cpu, ${amount('requests', 'memory_bytes')} AS request_memory,
    ${amount('limits', 'cpu_cores')} AS limit_cpu, ${amount('limits', 'memory_bytes')} AS limit_memory
  FROM kube_pod p WHERE p.cluster_key = ANY($1::int[]) AND p.gone_at IS NULL AND p.node_name IS NOT NULL GROUP BY 1, 2`;
const RESTARTS = `SELECT cluster_key, node_name, count(*)::int AS restarts FROM kube_container_end
  WHERE cluster_key = ANY($1::int[]) AND at > to_timestamp(($2::float8 - ${WINDOW_MS}) / 1000.0) AND restarted GROUP BY 1, 2`;

export async function listNodes(database: Database, filter: ClusterFilter, now: number): Promise<NodeRecord[]> {
  const clusters = await clusterKeys(database, filter);
  const keys = clusters.map(({ key }) => key);
  const { pool } = database;
  const [nodes, totals, restarts] = await Promise.all([
    pool.query<NodeRow>(NODES, [keys]),
    pool.query<TotalsRow>(TOTALS, [keys]),
    pool.query<{ cluster_key: number; node_name: string; restarts: number }>(RESTARTS, [keys, now]),
  ]);
  const of = (row: { cluster_key: number; node_name: string }): string => `${row.cluster_key}/${row.node_name}`;
  const totalOf = new Map(totals.rows.map((row) => [of(row), row]));
  const restartsOf = new Map(restarts.rows.map((row) => [of(row), row.restarts]));
  return nodes.rows.map((row) => {
    const cluster = clusters.find(({ key }) => key === row.cluster_key);
    const place = of({ cluster_key: row.cluster_key, node_name: row.name });
    const total = totalOf.get(place);
    return {
      serverId: row.server_id,
      clusterId: cluster?.id ?? '',
      clusterName: cluster?.name ?? null,
      clusterTokenId: row.cluster_token_id,
      enrolledAt: row.enrolled_at?.getTime() ?? null,
      firstSeenAt: row.first_seen_at.getTime(),
      object: row.object,
      usage: usageOf(row),
      agent: agentOf(row),
      pods: total?.pods ?? 0,
      requests: { cpuCores: total?.request_cpu ?? null, memoryBytes: total?.request_memory ?? null },
      limits: { cpuCores: total?.limit_cpu ?? null, memoryBytes: total?.limit_memory ?? null },
      restarts: restartsOf.get(place) ?? 0,
    };
  });
}

const agentOf = (row: NodeRow): NodeRecord['agent'] =>
  row.sample_at === null
    ? null
    : {
        mode: row.mode,
        sampleAt: row.sample_at.getTime(),
        kubelet: row.kubelet,
        tlsVerified: row.tls_verified,
        figures: row.figures,
      };
