// SQL reads nodes: their latest figures come from six tables in one statement.
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { NodeAgentMode } from '@plimsoll/contract/rules/kubernetes-limits';
import type { NodeFilter, NodeRecord, NodeServer, RankedNode, RecentNodesFilter } from '../node-records.ts';
import type { ClusterFilter } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { type ClusterKey, clusterKeys, clusterReaders, type UsageRow, usageOf } from './clusters.ts';
import { nodeInScope, scopeParameter } from './scope.ts';
import { WINDOW_MS } from './pods.ts';

interface ReadingsRow extends UsageRow {
  cluster_key: number;
  name: string;
  server_id: string;
  agent_sample_at: Date | null;
  mode: NodeAgentMode;
  kubelet: ReaderStatePart;
  tls_verified: boolean;
  figures: NodePart['node'];
  server_key: number | null;
  server_sample_at: Date | null;
  cpu_percent: number | null;
  memory_percent: number | null;
  disk_percent: number | null;
}
const READINGS = `n.cluster_key, n.name, n.server_id, u.source, u.measured_at, u.cpu_cores, u.memory_bytes,
    a.sample_at AS agent_sample_at, a.mode, a.kubelet, a.tls_verified, a.figures, s.key AS server_key,
    l.sample_at AS server_sample_at, l.cpu_percent, l.memory_percent, l.disk_percent`;
/** A server that passed to another account is no longer the node's. */
export const JOINS = `LEFT JOIN kube_node_usage u ON u.node_key = n.key LEFT JOIN kube_node_agent a ON a.node_key = n.key
  JOIN cluster c ON c.key = n.cluster_key
  LEFT JOIN server s ON s.id = n.server_id AND s.organisation_id = c.organisation_id AND s.is_kubernetes_node
  LEFT JOIN server_latest l ON l.server_key = s.key`;
export const LIVING = 'n.cluster_key = ANY($1::int[]) AND n.gone_at IS NULL';
export const ORDER = 'n.name, n.key';

type NodeRow = ReadingsRow & {
  server_seen_at: Date | null;
  uptime_seconds: number | null;
  cluster_token_id: string | null;
  enrolled_at: Date | null;
  first_seen_at: Date;
  object: NodeObject;
};
const NODES = `SELECT ${READINGS},
    (SELECT max(r.last_received_at) FROM report_stream r WHERE r.server_key = s.key) AS server_seen_at,
    (SELECT f.value->'uptime_seconds' FROM server_fact f WHERE f.server_key = s.key AND f.name = 'system') AS uptime_seconds,
    n.cluster_token_id, n.enrolled_at, n.first_seen_at, n.object
  FROM kube_node n ${JOINS}
  WHERE ${LIVING} AND ($2::uuid[] IS NULL OR n.server_id = ANY($2))
    AND ($3::text IS NULL OR n.name = $3 OR n.server_id::text = lower($3)) ORDER BY ${ORDER}`;
/** Columns of kube_node_listing_idx only: the bulky object is not read. */
const RANKED = `SELECT ${READINGS}, n.ready, n.created_at, n.cpu_capacity, n.memory_capacity
  FROM kube_node n ${JOINS} WHERE ${LIVING} AND ${nodeInScope('n', '$2')} ORDER BY ${ORDER}`;
const POD_COUNTS = `SELECT p.cluster_key, p.node_name, count(*)::int AS pods FROM kube_pod p
  WHERE p.cluster_key = ANY($1::int[]) AND p.gone_at IS NULL AND p.node_name IS NOT NULL GROUP BY 1, 2`;
/** To the millisecond, the unit of the answer: nodes of one moment stand in order of their names. */
const RECENT = `SELECT n.server_id, (count(*) OVER ())::int AS total FROM kube_node n
  WHERE ${LIVING} AND ($2::uuid IS NULL OR n.cluster_token_id = $2)
  ORDER BY date_trunc('milliseconds', COALESCE(n.enrolled_at, n.first_seen_at)) DESC, ${ORDER} LIMIT $3`;

interface TotalsRow {
  cluster_key: number;
  node_name: string;
  pods: number;
  request_cpu: number | null;
  request_memory: number | null;
  limit_cpu: number | null;
  limit_memory: number | null;
}
const AMOUNTS = {
  request_cpu: 'cpu_request',
  request_memory: 'memory_request',
  limit_cpu: 'cpu_limit',
  limit_memory: 'memory_limit',
};
/** Finished pods hold nothing any more, but stand in the list of the node's pods. */
const TOTALS = `SELECT p.cluster_key, p.node_name, count(*)::int AS pods,
    ${Object.entries(AMOUNTS)
      .map(([name, column]) => `sum(p.${column}) FILTER (WHERE p.phase NOT IN ('Succeeded', 'Failed')) AS ${name}`)
      .join(', ')}
  FROM unnest($1::int[], $2::text[]) AS n(cluster_key, name)
  JOIN kube_pod p ON p.cluster_key = n.cluster_key AND p.node_name = n.name AND p.gone_at IS NULL GROUP BY 1, 2`;
const RESTARTS = `SELECT e.cluster_key, e.node_name, count(*)::int AS restarts FROM kube_container_end e
  WHERE e.cluster_key = ANY($1::int[]) AND e.at > to_timestamp(($3::float8 - ${WINDOW_MS}) / 1000.0) AND e.restarted
    AND (e.cluster_key, e.node_name) IN (SELECT n.cluster_key, n.name FROM unnest($1::int[], $2::text[]) AS n(cluster_key, name))
  GROUP BY 1, 2`;

type Readers = Map<number, ReaderStatePart[]>;
const placeOf = (row: { cluster_key: number; node_name: string }): string => `${row.cluster_key}/${row.node_name}`;

export async function listNodes(database: Database, filter: NodeFilter, now: number): Promise<NodeRecord[]> {
  const clusters = await clusterKeys(database, filter);
  return readNodes(database, clusters, filter, now);
}

async function readNodes(
  database: Database,
  clusters: ClusterKey[],
  { serverIds, named }: Pick<NodeFilter, 'serverIds' | 'named'>,
  now: number,
): Promise<NodeRecord[]> {
  const { pool } = database;
  const keys = clusters.map(({ key }) => key);
  const [{ rows }, readers] = await Promise.all([
    pool.query<NodeRow>(NODES, [keys, serverIds ?? null, named ?? null]),
    clusterReaders(database, keys),
  ]);
  if (rows.length === 0) return [];
  const places = [rows.map((row) => row.cluster_key), rows.map(({ name }) => name)];
  const [totals, restarts] = await Promise.all([
    pool.query<TotalsRow>(TOTALS, places),
    pool.query<{ cluster_key: number; node_name: string; restarts: number }>(RESTARTS, [...places, now]),
  ]);
  const totalOf = new Map(totals.rows.map((row) => [placeOf(row), row]));
  const restartsOf = new Map(restarts.rows.map((row) => [placeOf(row), row.restarts]));
  return rows.map((row) => {
    const cluster = clusters.find(({ key }) => key === row.cluster_key);
    const place = placeOf({ cluster_key: row.cluster_key, node_name: row.name });
    const total = totalOf.get(place);
    return {
      serverId: row.server_id,
      clusterId: cluster?.id ?? '',
      clusterName: cluster?.name ?? null,
      clusterTokenId: row.cluster_token_id,
      enrolledAt: row.enrolled_at?.getTime() ?? null,
      firstSeenAt: row.first_seen_at.getTime(),
      object: row.object,
      ...readingsOf(row, readers),
      server: wholeServerOf(row),
      pods: total?.pods ?? 0,
      requests: { cpuCores: total?.request_cpu ?? null, memoryBytes: total?.request_memory ?? null },
      limits: { cpuCores: total?.limit_cpu ?? null, memoryBytes: total?.limit_memory ?? null },
      restarts: restartsOf.get(place) ?? 0,
    };
  });
}

interface RankedRow extends ReadingsRow {
  ready: boolean | null;
  created_at: number;
  cpu_capacity: number | null;
  memory_capacity: number | null;
}

export async function rankNodes(database: Database, filter: ClusterFilter, countPods: boolean): Promise<RankedNode[]> {
  const keys = (await clusterKeys(database, filter)).map(({ key }) => key);
  const { pool } = database;
  const [{ rows }, readers, counts] = await Promise.all([
    pool.query<RankedRow>(RANKED, [keys, scopeParameter(filter)]),
    clusterReaders(database, keys),
    countPods ? pool.query<{ cluster_key: number; node_name: string; pods: number }>(POD_COUNTS, [keys]) : { rows: [] },
  ]);
  const podsOf = new Map(counts.rows.map((row) => [placeOf(row), row.pods]));
  return rows.map((row) => rankedOf(row, readers, podsOf));
}

const rankedOf = (row: RankedRow, readers: Readers, podsOf: Map<string, number>): RankedNode => ({
  serverId: row.server_id,
  object: {
    name: row.name,
    ready: row.ready,
    created_at: row.created_at,
    capacity: { cpu_cores: row.cpu_capacity, memory_bytes: row.memory_capacity },
  },
  ...readingsOf(row, readers),
  server: serverOf(row),
  pods: podsOf.get(placeOf({ cluster_key: row.cluster_key, node_name: row.name })) ?? 0,
});

/** Null without a living node. */
export async function firstNode(database: Database, keys: number[], within: string | null): Promise<RankedNode | null> {
  const [{ rows }, readers] = await Promise.all([
    database.pool.query<RankedRow>(`${RANKED} LIMIT 1`, [keys, within]),
    clusterReaders(database, keys),
  ]);
  return rows[0] ? rankedOf(rows[0], readers, new Map()) : null;
}

export async function recentNodes(
  database: Database,
  filter: RecentNodesFilter,
  now: number,
): Promise<{ nodes: NodeRecord[]; total: number }> {
  const clusters = await clusterKeys(database, filter);
  const keys = clusters.map(({ key }) => key);
  const { rows } = await database.pool.query<{ server_id: string; total: number }>(RECENT, [
    keys,
    filter.tokenId ?? null,
    filter.limit,
  ]);
  const chosen = rows.map(({ server_id: id }) => id);
  const nodes = new Map(
    (await readNodes(database, clusters, { serverIds: chosen }, now)).map((node) => [node.serverId, node]),
  );
  return { nodes: chosen.flatMap((id) => nodes.get(id) ?? []), total: rows[0]?.total ?? 0 };
}

const readingsOf = (row: ReadingsRow, readers: Readers): Pick<NodeRecord, 'usage' | 'agent' | 'readers'> => ({
  usage: usageOf(row),
  agent: agentOf(row),
  readers: readers.get(row.cluster_key) ?? [],
});

const agentOf = (row: ReadingsRow): NodeRecord['agent'] =>
  row.agent_sample_at === null
    ? null
    : {
        mode: row.mode,
        sampleAt: row.agent_sample_at.getTime(),
        kubelet: row.kubelet,
        tlsVerified: row.tls_verified,
        figures: row.figures,
      };

const serverOf = (row: ReadingsRow): Pick<NodeServer, 'sample'> | null =>
  row.server_key === null
    ? null
    : {
        sample: row.server_sample_at && {
          sampleAt: row.server_sample_at.getTime(),
          cpuPercent: row.cpu_percent,
          memoryPercent: row.memory_percent,
          diskPercent: row.disk_percent,
        },
      };

function wholeServerOf(row: NodeRow): NodeServer | null {
  const server = serverOf(row);
  return server && { lastSeenAt: row.server_seen_at?.getTime() ?? null, uptimeSeconds: row.uptime_seconds, ...server };
}
