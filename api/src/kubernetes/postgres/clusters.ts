// SQL reads clusters: counts and states come with them in one statement.
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { Owner } from '../../tenancy/owner.ts';
import { notFound } from '../../errors.ts';
import type { ClusterFilter, ClusterRecord, ClusterState, Measured } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { clusterInScope, nodeInScope, podInScope, scopeParameter } from './scope.ts';

/** Stored rank of each source of usage; the lowest is the best. */
export const SOURCE_RANKS = { kubelet: 1, 'metrics-server': 2, prometheus: 3 } as const;
const SOURCE_NAMES = ['kubelet', 'metrics-server', 'prometheus'] as const;
export const sourceName = (rank: number): (typeof SOURCE_NAMES)[number] => SOURCE_NAMES[rank - 1] ?? 'prometheus';

export interface UsageRow {
  source: number | null;
  measured_at: Date | null;
  cpu_cores: number | null;
  memory_bytes: number | null;
}
export const usageOf = (row: UsageRow): Measured | null =>
  row.source === null || row.measured_at === null
    ? null
    : {
        source: sourceName(row.source),
        measuredAt: row.measured_at.getTime(),
        cpuCores: row.cpu_cores,
        memoryBytes: row.memory_bytes,
      };

export interface ClusterKey {
  key: number;
  id: string;
  name: string | null;
}
/** Readers of each cluster's collector, by the cluster's key. */
export async function clusterReaders({ pool }: Database, keys: number[]): Promise<Map<number, ReaderStatePart[]>> {
  const { rows } = await pool.query<{ key: number; readers: ReaderStatePart[] }>({
    name: 'cluster_readers',
    text: 'SELECT key, readers FROM cluster WHERE key = ANY($1::int[])',
    values: [keys],
  });
  return new Map(rows.map(({ key, readers }) => [key, readers]));
}

/** The owner's clusters that the filter names. Throws `not_found` for one that is not the owner's. */
export async function clusterKeys({ pool }: Database, { owner, clusterId }: ClusterFilter): Promise<ClusterKey[]> {
  const { rows } = await pool.query<ClusterKey>({
    name: 'cluster_keys',
    text: `SELECT key, uid AS id, name FROM cluster WHERE organisation_id = $1 AND ($2::text IS NULL OR uid = $2) ORDER BY key`,
    values: [owner.organisationId, clusterId ?? null],
  });
  if (clusterId !== undefined && rows.length === 0) throw notFound('Cluster');
  return rows;
}

interface ClusterRow {
  uid: string;
  name: string | null;
  version: string | null;
  first_seen_at: Date;
  last_seen_at: Date;
  nodes: number;
  pods: number;
  rules_organisation: boolean;
}
const SELECT = `SELECT c.uid, c.name, c.version, c.first_seen_at, c.last_seen_at, c.rules_organisation,
    (SELECT count(*)::int FROM kube_node n WHERE n.cluster_key = c.key AND n.gone_at IS NULL
      AND ${nodeInScope('n', '$2')}) AS nodes,
    (SELECT count(*)::int FROM kube_pod p WHERE p.cluster_key = c.key AND p.gone_at IS NULL
      AND ${podInScope('p', '$2')}) AS pods
  FROM cluster c WHERE c.organisation_id = $1 AND ${clusterInScope('c', '$2')} ORDER BY c.name, c.key`;

/** Counts are of what is in the scope. */
export async function listClusters(
  { pool }: Database,
  owner: Owner,
  within: ClusterFilter['within'],
): Promise<ClusterRecord[]> {
  const { rows } = await pool.query<ClusterRow>(SELECT, [owner.organisationId, scopeParameter({ within })]);
  return rows.map((row) => ({
    id: row.uid,
    name: row.name,
    version: row.version,
    firstSeenAt: row.first_seen_at.getTime(),
    lastSeenAt: row.last_seen_at.getTime(),
    nodes: row.nodes,
    pods: row.pods,
    rulesOrganisation: row.rules_organisation,
  }));
}

interface StateRow {
  uid: string;
  name: string | null;
  last_seen_at: Date;
  node_agents_at: Date | null;
  standby: ClusterState['standby'];
  readers: ReaderStatePart[];
  refusals: ClusterState['refusals'];
  api_addresses: string[];
  rival: ClusterState['rival'];
}

/** In the order of the list, without its counts. Throws `not_found` for a cluster that is not the owner's. */
export async function clusterStates({ pool }: Database, filter: ClusterFilter): Promise<ClusterState[]> {
  const { owner, clusterId } = filter;
  const { rows } = await pool.query<StateRow>(
    `SELECT c.uid, c.name, c.last_seen_at, c.readers, c.refusals, c.standby, c.api_addresses, c.rival,
       (SELECT max(a.sample_at) FROM kube_node n JOIN kube_node_agent a ON a.node_key = n.key
        WHERE n.cluster_key = c.key AND n.gone_at IS NULL) AS node_agents_at
     FROM cluster c
     WHERE c.organisation_id = $1 AND ($2::text IS NULL OR c.uid = $2) AND ${clusterInScope('c', '$3')}
     ORDER BY c.name, c.key`,
    [owner.organisationId, clusterId ?? null, scopeParameter(filter)],
  );
  // One outside the scope is still the owner's.
  if (clusterId !== undefined && rows.length === 0 && filter.within === undefined) throw notFound('Cluster');
  return rows.map((row) => ({
    id: row.uid,
    name: row.name,
    lastSeenAt: row.last_seen_at.getTime(),
    nodeAgentsSeenAt: row.node_agents_at?.getTime() ?? null,
    standby: row.standby,
    readers: row.readers,
    refusals: row.refusals,
    apiAddresses: row.api_addresses,
    rival: row.rival,
  }));
}
