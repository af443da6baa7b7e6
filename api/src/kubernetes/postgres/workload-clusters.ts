// SQL reads one workload of every cluster: the newest pod of each comes from a lateral join.
import type { Database } from '../../database/database.ts';
import { milliseconds } from '../../database/time.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { WorkloadInCluster, WorkloadName } from '../pod-records.ts';

/** Two kinds with one name in one namespace are two workloads; the newest pod has the template of a rollout. */
const SELECT = `SELECT c.uid AS "clusterId", c.name AS "clusterName", ${milliseconds('c.last_seen_at')} AS "reportedAt",
    (w.object->>'desired')::int AS desired, (w.object->>'ready')::int AS ready, p.object AS pod
  FROM cluster c
  LEFT JOIN LATERAL (SELECT object FROM kube_workload WHERE cluster_key = c.key AND namespace = $2 AND kind = $3
    AND name = $4 LIMIT 1) w ON true
  LEFT JOIN LATERAL (SELECT object FROM kube_pod WHERE cluster_key = c.key AND namespace = $2 AND owner_kind = $3
    AND owner_name = $4 AND gone_at IS NULL ORDER BY created_at DESC, key DESC LIMIT 1) p ON true
  WHERE c.organisation_id = $1 AND (w.object IS NOT NULL OR p.object IS NOT NULL) ORDER BY c.name, c.key`;

export async function workloadInClusters(
  { pool }: Database,
  { organisationId }: Owner,
  { namespace, kind, name }: WorkloadName,
): Promise<WorkloadInCluster[]> {
  const { rows } = await pool.query<WorkloadInCluster>(SELECT, [organisationId, namespace, kind, name]);
  return rows;
}
