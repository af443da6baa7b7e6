// SQL writes ends of containers: one statement unnests a report's ends and skips those that are stored.
import type { ContainerEnd, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { PoolClient } from 'pg';
import { countedEnds } from '../restarts.ts';

/** What was counted unseen never overwrites what was seen; "restarted" is only ever learnt. */
const UPSERT = `INSERT INTO kube_container_end AS e (cluster_key, pod_uid, container, run, restarted, at, reason, exit_code,
    namespace, pod_name, node_name, owner_kind, owner_name, memory_limit_bytes)
  SELECT DISTINCT ON (pod_uid, container, run) $1, pod_uid, container, run, restarted, to_timestamp(at), reason, exit_code,
    namespace, pod_name, node_name, owner->>'kind', owner->>'name', memory_limit_bytes
  FROM jsonb_to_recordset($2::jsonb) AS x(pod_uid text, container text, run int, restarted boolean, at float8, reason text,
    exit_code int, namespace text, pod_name text, node_name text, owner jsonb, memory_limit_bytes float8)
  ORDER BY pod_uid, container, run, (reason IS NULL), restarted DESC
  ON CONFLICT (cluster_key, pod_uid, container, run) DO UPDATE SET
    restarted = e.restarted OR excluded.restarted,
    at = CASE WHEN e.reason IS NULL AND excluded.reason IS NOT NULL THEN excluded.at ELSE e.at END,
    reason = COALESCE(e.reason, excluded.reason),
    exit_code = COALESCE(e.exit_code, excluded.exit_code),
    owner_kind = COALESCE(excluded.owner_kind, e.owner_kind),
    owner_name = COALESCE(excluded.owner_name, e.owner_name)
  WHERE (e.restarted, e.reason IS NULL, e.owner_kind) IS DISTINCT FROM
        (e.restarted OR excluded.restarted, e.reason IS NULL AND excluded.reason IS NULL,
         COALESCE(excluded.owner_kind, e.owner_kind))`;

export async function writeEnds(client: PoolClient, clusterKey: number, ends: ContainerEnd[]): Promise<void> {
  if (ends.length > 0) await client.query(UPSERT, [clusterKey, JSON.stringify(ends)]);
}

/** Stored counts of the containers of pods, by pod uid; to be read before the pods are overwritten. */
const KNOWN_COUNTS = `SELECT uid, object->'containers' AS containers FROM kube_pod WHERE cluster_key = $1 AND uid = ANY($2)`;

/** Fills in the restarts that only the counters tell of. */
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
  await writeEnds(client, clusterKey, ends);
}
