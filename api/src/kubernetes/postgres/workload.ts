// SQL reads one workload: its object, the images of its pods and its open alerts, in one round trip each.
import type { Database } from '../../database/database.ts';
import { milliseconds } from '../../database/time.ts';
import { rolloutsOf } from '../rollouts.ts';
import type { ImageRecord, WorkloadName, WorkloadRecord } from '../pod-records.ts';
import type { ClusterFilter } from '../types.ts';
import { clusterKeys } from './clusters.ts';
import { listOwners } from './owners.ts';
import type { KeptPodGroups } from './pod-groups.ts';
import { workloadInClusters } from './workload-clusters.ts';

/** As many pods as show the rollouts of some weeks; a large workload has thousands of the same. */
const MOST_PODS = 500;
const MOST_ALERTS = 50;
const IMAGES = `SELECT c->>'name' AS container, c->>'image' AS image, ${milliseconds('p.created_at')} AS "createdAt"
  FROM (SELECT created_at, object FROM kube_pod WHERE cluster_key = $1 AND namespace = $2 AND owner_kind = $3
      AND owner_name = $4 ORDER BY created_at DESC LIMIT ${MOST_PODS}) p, jsonb_array_elements(p.object->'containers') c
  WHERE c->'init' IS DISTINCT FROM 'true'::jsonb
  ORDER BY p.created_at DESC, 1, 2`;
const OBJECT = `SELECT ${milliseconds('short_since')} AS "shortSince", (object->>'created_at')::float8 * 1000 AS "createdAt",
    (object->>'suspended')::boolean AS "isSuspended", (object->>'last_run_at')::float8 * 1000 AS "lastRunAt",
    (object->>'desired')::int AS desired, (object->>'ready')::int AS ready
  FROM kube_workload WHERE cluster_key = $1 AND namespace = $2 AND kind = $3 AND name = $4 LIMIT 1`;
const ALERTS = `SELECT id, level, title, message, ${milliseconds('opened_at')} AS "openedAt",
    acknowledged_at IS NOT NULL AS "isAcknowledged"
  FROM alert WHERE cluster_key = $1 AND namespace = $2 AND workload_kind = $3 AND object_name = $4 AND resolved_at IS NULL
  ORDER BY opened_at DESC, id LIMIT ${MOST_ALERTS}`;

type ObjectRow = NonNullable<WorkloadRecord['object']>;

/** Null: no cluster of the filter has the workload, nor a pod of it. */
export async function findWorkload(
  { database, podGroups }: { database: Database; podGroups: KeptPodGroups },
  filter: ClusterFilter,
  wanted: WorkloadName,
  now: number,
): Promise<WorkloadRecord | null> {
  const { namespace, kind, name } = wanted;
  const { owners } = await listOwners(
    database,
    podGroups,
    { ...filter, namespace, ownerKind: kind, ownerName: name, sort: 'name', order: 'asc', limit: 1, offset: 0 },
    now,
  );
  const clusters = await clusterKeys(database, filter);
  const owner = owners[0] ?? null;
  const cluster = owner === null ? clusters[0] : clusters.find(({ id }) => id === owner.clusterId);
  if (cluster === undefined) return null;
  const place = [cluster.key, namespace, kind, name];
  const [objects, images, alerts, inClusters] = await Promise.all([
    database.pool.query<ObjectRow>(OBJECT, place),
    database.pool.query<ImageRecord>(IMAGES, place),
    database.pool.query<WorkloadRecord['alerts'][number]>(ALERTS, place),
    workloadInClusters(database, filter.owner, wanted),
  ]);
  const object = objects.rows[0] ?? null;
  if (object === null && owner === null) return null;
  return {
    clusterId: cluster.id,
    clusterName: cluster.name,
    owner,
    object,
    clusters: inClusters,
    rollouts: rolloutsOf(images.rows),
    alerts: alerts.rows,
  };
}
