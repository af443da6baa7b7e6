// SQL returns the transactions that wrote last: no column of a model names them.
import { notFound } from '../../errors.ts';
import type { Database } from '../../database/database.ts';
import type { ClusterFilter } from '../types.ts';
import type { ClusterKey } from './clusters.ts';

export interface ClusterVersion extends ClusterKey {
  /** Changes whenever pods of the cluster are written: a report writes its row in the same transaction (write-item.ts). */
  version: string;
  /** Changes with the usage of its pods too: the agent of a node writes the row of the agent as well (node-parts.ts). */
  usageVersion: string;
}

const VERSIONS = `SELECT c.key, c.uid AS id, c.name, c.xmin::text AS version,
    c.xmin::text || '/' || COALESCE(a.version, '') AS "usageVersion"
  FROM cluster c LEFT JOIN (SELECT n.cluster_key, sum(a.xmin::text::bigint)::text AS version
    FROM kube_node_agent a JOIN kube_node n ON n.key = a.node_key GROUP BY 1) a ON a.cluster_key = c.key
  WHERE c.organisation_id = $1 AND ($2::text IS NULL OR c.uid = $2) ORDER BY c.key`;

/** Reads them before the pods: what is read later may be newer than its version, and is then read once more. */
export async function clusterVersions(
  { pool }: Database,
  { owner, clusterId }: ClusterFilter,
): Promise<ClusterVersion[]> {
  const { rows } = await pool.query<ClusterVersion>({
    name: 'cluster_versions',
    text: VERSIONS,
    values: [owner.organisationId, clusterId ?? null],
  });
  if (clusterId !== undefined && rows.length === 0) throw notFound('Cluster');
  return rows;
}
