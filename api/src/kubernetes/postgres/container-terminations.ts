// SQL writes ends of containers: one statement unnests a report's ends and skips those that are stored.
import type { ContainerEnd, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { PoolClient } from 'pg';
import { countedEnds } from '../restarts.ts';

/** A counted end never overwrites a seen one; "restarted" is only ever set. */
const UPSERT = `INSERT INTO kube_container_end AS e (cluster_key, pod_uid, container, run, restarted, at, reason, exit_code,
    namespace, pod_name, node_name, owner_kind, owner_name, memory_limit_bytes)
  SELECT DISTINCT ON (pod_uid, container, run) $1, pod_uid, container, run, restarted, to_timestamp(at), reason, exit_code,
    namespace, pod_name, node_name, owner->>'kind', owner->>'name', memory_limit_bytes
  FROM jsonb_to_recordset($2::jsonb) AS x(pod_uid text, container text, run int, restarted boolean, at float8, reason text,
    exit_code int, namespace text, pod_name text, node_name text, owner jsonb, memory_limit_bytes float8)
  ORDER BY pod_uid, container, run, (reason IS NULL), restarted DESC
  ON CONFLICT (cluster_key, pod_uid, container, run) DO UPDATE SET
    restarted = e.restarted OR excluded.restarted,
    at = CASE WHEN (e.reason IS NULL OR e.is_inferred) AND excluded.reason IS NOT NULL THEN excluded.at ELSE e.at END,
    reason = CASE WHEN e.is_inferred THEN COALESCE(excluded.reason, e.reason) ELSE COALESCE(e.reason, excluded.reason) END,
    is_inferred = e.is_inferred AND excluded.reason IS NULL,
    exit_code = COALESCE(e.exit_code, excluded.exit_code),
    owner_kind = COALESCE(excluded.owner_kind, e.owner_kind),
    owner_name = COALESCE(excluded.owner_name, e.owner_name)
  WHERE (e.restarted, e.reason IS NULL OR e.is_inferred, e.owner_kind) IS DISTINCT FROM
        (e.restarted OR excluded.restarted, (e.reason IS NULL OR e.is_inferred) AND excluded.reason IS NULL,
         COALESCE(excluded.owner_kind, e.owner_kind))`;

/** Infers an OOM kill for each unseen run whose nearest seen runs before and after it both ended with one. */
const INFER_OOM_KILLS = `UPDATE kube_container_end e SET reason = 'OOMKilled', is_inferred = true
  WHERE e.cluster_key = $1 AND e.pod_uid = ANY($2::text[]) AND e.reason IS NULL AND e.restarted
    AND (SELECT x.reason FROM kube_container_end x WHERE x.cluster_key = e.cluster_key AND x.pod_uid = e.pod_uid
      AND x.container = e.container AND x.run < e.run AND x.reason IS NOT NULL AND NOT x.is_inferred
      ORDER BY x.run DESC LIMIT 1) = 'OOMKilled'
    AND (SELECT x.reason FROM kube_container_end x WHERE x.cluster_key = e.cluster_key AND x.pod_uid = e.pod_uid
      AND x.container = e.container AND x.run > e.run AND x.reason IS NOT NULL AND NOT x.is_inferred
      ORDER BY x.run LIMIT 1) = 'OOMKilled'`;

export async function writeTerminations(client: PoolClient, clusterKey: number, ends: ContainerEnd[]): Promise<void> {
  if (ends.length === 0) return;
  await client.query(UPSERT, [clusterKey, JSON.stringify(ends)]);
  const pods = [...new Set(ends.map(({ pod_uid: uid }) => uid))];
  await client.query(INFER_OOM_KILLS, [clusterKey, pods]);
}

/** Stored counts of the containers of pods, by pod uid; to be read before the pods are overwritten. */
const KNOWN_COUNTS = `SELECT uid, object->'containers' AS containers FROM kube_pod WHERE cluster_key = $1 AND uid = ANY($2)`;

/** Adds the restarts that only the counters show. */
export async function writeCountedEnds(
  client: PoolClient,
  clusterKey: number,
  pods: PodObject[],
  times: { clusterSeenAt: number; now: number },
): Promise<void> {
  const restarted = pods.filter(({ containers }) => containers.some((one) => one.restart_count > 0));
  if (restarted.length === 0) return;
  const { rows } = await client.query<{ uid: string; containers: PodObject['containers'] }>(KNOWN_COUNTS, [
    clusterKey,
    restarted.map(({ uid }) => uid),
  ]);
  const known = new Map(
    rows.map(({ uid, containers }) => [uid, new Map(containers.map((c) => [c.name, c.restart_count]))]),
  );
  const ends = restarted.flatMap((pod) =>
    countedEnds(pod, known.get(pod.uid) ?? null, times.clusterSeenAt / 1000, times.now / 1000).map((end) => ({
      ...end,
      pod_uid: pod.uid,
      namespace: pod.namespace,
      pod_name: pod.name,
      node_name: pod.node_name,
      owner: pod.owner,
      restarted: true,
      reason: null,
      exit_code: null,
      memory_limit_bytes: pod.containers.find(({ name }) => name === end.container)?.limits.memory_bytes ?? null,
    })),
  );
  await writeTerminations(client, clusterKey, ends);
}
