// SQL reads events, container ends and volumes: one statement filters, joins and pages them.
import type { Owner } from '../../tenancy/owner.ts';
import type { ContainerTermination, ImageRecord, PodRecord, VolumeRecord } from '../pod-records.ts';
import type { EventFilter, EventRecord } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { clusterKeys } from './clusters.ts';
import { eventInScope, nameHolds, scopeParameter } from './scope.ts';

interface EventRow {
  cluster_key: number;
  uid: string;
  type: string;
  reason: string;
  message: string;
  namespace: string;
  kind: string;
  name: string;
  component: string | null;
  count: number;
  first_at: Date;
  last_at: Date;
}
const MATCHING = `FROM kube_event WHERE cluster_key = ANY($1::int[]) AND last_at >= to_timestamp($2 / 1000.0)
  AND ($3::text IS NULL OR namespace = $3) AND ($4::text IS NULL OR type = $4)
  AND ($5::text IS NULL OR kind = $5) AND ($6::text IS NULL OR name = $6) AND ${eventInScope('kube_event', '$7')}
  AND ($8::text IS NULL OR reason = $8)
  AND ($9::text IS NULL OR ${nameHolds('name', '$9')} OR position($9 IN lower(reason)) > 0 OR position($9 IN lower(message)) > 0)
  AND ($10::text IS NULL OR CASE WHEN kind = $10 THEN name = $11 WHEN kind IN ('ReplicaSet', 'Job') THEN starts_with(name, $11 || '-')
    WHEN kind = 'Pod' THEN EXISTS (SELECT FROM kube_pod o WHERE o.cluster_key = kube_event.cluster_key
      AND o.namespace = kube_event.namespace AND o.name = kube_event.name AND o.owner_kind = $10 AND o.owner_name = $11)
    ELSE false END)`;
/** Choices of the filters: reasons and kinds of the time, whatever the other filters. */
const OFFERED = `SELECT DISTINCT reason, kind FROM kube_event
  WHERE cluster_key = ANY($1::int[]) AND last_at >= to_timestamp($2 / 1000.0) AND ${eventInScope('kube_event', '$3')}
  ORDER BY 1, 2 LIMIT 1000`;

export async function listEvents(
  database: Database,
  filter: EventFilter,
): Promise<{ events: EventRecord[]; total: number; reasons: string[]; kinds: string[] }> {
  const clusters = await clusterKeys(database, filter);
  const { namespace = null, type = null, kind = null, name = null, reason = null, search, workload } = filter;
  const keys = clusters.map(({ key }) => key);
  const within = scopeParameter(filter);
  const values = [
    keys,
    filter.from,
    namespace,
    type,
    kind,
    name,
    within,
    reason,
    search?.toLowerCase() ?? null,
    workload?.kind ?? null,
    workload?.name ?? null,
  ];
  const [found, counted, offered] = await Promise.all([
    database.pool.query<EventRow>(`SELECT * ${MATCHING} ORDER BY last_at DESC, uid LIMIT $12 OFFSET $13`, [
      ...values,
      filter.limit,
      filter.offset,
    ]),
    database.pool.query<{ total: number }>(`SELECT count(*)::int AS total ${MATCHING}`, values),
    database.pool.query<{ reason: string; kind: string }>(OFFERED, [keys, filter.from, within]),
  ]);
  const events = found.rows.map((row) => ({
    id: row.uid,
    clusterId: clusters.find(({ key }) => key === row.cluster_key)?.id ?? '',
    type: row.type,
    reason: row.reason,
    message: row.message,
    namespace: row.namespace,
    kind: row.kind,
    name: row.name,
    component: row.component,
    count: row.count,
    firstAt: row.first_at.getTime(),
    lastAt: row.last_at.getTime(),
  }));
  return {
    events,
    total: counted.rows[0]?.total ?? 0,
    reasons: [...new Set(offered.rows.map((row) => row.reason))],
    kinds: [...new Set(offered.rows.map((row) => row.kind))].toSorted(),
  };
}

interface EndRow {
  container: string;
  run: number;
  restarted: boolean;
  at: Date;
  reason: string | null;
  exit_code: number | null;
  is_inferred: boolean;
  memory_limit_bytes: number | null;
  memory_peak_bytes: number | null;
}
const MOST_ENDS = 200;
/** The peak is the highest working set recorded in the ten minutes before an OOM kill. */
const ENDS = `SELECT e.container, e.run, e.restarted, e.at, e.reason, e.exit_code, e.is_inferred, e.memory_limit_bytes,
    CASE WHEN e.reason = 'OOMKilled' THEN (SELECT max(s.memory[array_position(s.pods, p.key)]) FROM kube_sample s
      WHERE s.node_key = n.key AND s.ts > e.at - interval '10 minutes' AND s.ts <= e.at + interval '1 minute') END
      AS memory_peak_bytes
  FROM kube_container_end e
  LEFT JOIN kube_pod p ON p.cluster_key = e.cluster_key AND p.uid = e.pod_uid
  LEFT JOIN kube_node n ON n.cluster_key = e.cluster_key AND n.name = e.node_name AND n.gone_at IS NULL
  WHERE e.cluster_key = $1 AND e.pod_uid = $2 AND e.at >= to_timestamp($3 / 1000.0)
  ORDER BY e.at DESC, e.run DESC LIMIT ${MOST_ENDS}`;

export async function listTerminations(
  database: Database,
  pod: PodRecord,
  owner: Owner,
  from: number,
): Promise<ContainerTermination[]> {
  const [cluster] = await clusterKeys(database, { owner, clusterId: pod.clusterId });
  const { rows } = await database.pool.query<EndRow>(ENDS, [cluster?.key, pod.object.uid, from]);
  return rows.map((row) => ({
    container: row.container,
    run: row.run,
    restarted: row.restarted,
    at: row.at.getTime(),
    reason: row.reason,
    exitCode: row.exit_code,
    isInferred: row.is_inferred,
    memoryLimitBytes: row.memory_limit_bytes,
    memoryPeakBytes: row.memory_peak_bytes,
  }));
}

const VOLUMES = `SELECT c.claim, COALESCE(v.object->>'phase', 'Unknown') AS phase, v.object->>'storage_class' AS "storageClass",
    CASE WHEN u.claim IS NULL THEN (v.object->>'capacity_bytes')::float8 ELSE u.capacity_bytes END AS "capacityBytes",
    u.used_bytes AS "usedBytes"
  FROM unnest($3::text[]) AS c(claim)
  LEFT JOIN kube_volume v ON v.cluster_key = $1 AND v.namespace = $2 AND v.name = c.claim
  LEFT JOIN kube_volume_usage u ON u.cluster_key = $1 AND u.namespace = $2 AND u.claim = c.claim
  ORDER BY c.claim`;

export async function listVolumes(database: Database, pod: PodRecord, owner: Owner): Promise<VolumeRecord[]> {
  if (pod.object.claims.length === 0) return [];
  const [cluster] = await clusterKeys(database, { owner, clusterId: pod.clusterId });
  const { rows } = await database.pool.query<VolumeRecord>(VOLUMES, [
    cluster?.key,
    pod.object.namespace,
    pod.object.claims,
  ]);
  return rows;
}

/** As many pods as show a change of the image; a large workload has thousands of the same. */
const MOST_PODS = 200;
const IMAGES = `SELECT c->>'name' AS container, c->>'image' AS image,
    (extract(epoch FROM p.created_at) * 1000)::float8 AS "createdAt"
  FROM (SELECT created_at, object FROM kube_pod WHERE cluster_key = $1 AND namespace = $2 AND owner_kind = $3
      AND owner_name = $4 ORDER BY created_at DESC LIMIT ${MOST_PODS}) p, jsonb_array_elements(p.object->'containers') c
  ORDER BY p.created_at DESC, 1, 2`;

export async function listImages(database: Database, pod: PodRecord, owner: Owner): Promise<ImageRecord[]> {
  if (pod.object.owner === null) return [];
  const [cluster] = await clusterKeys(database, { owner, clusterId: pod.clusterId });
  const { kind, name } = pod.object.owner;
  const { rows } = await database.pool.query<ImageRecord>(IMAGES, [cluster?.key, pod.object.namespace, kind, name]);
  return rows;
}
