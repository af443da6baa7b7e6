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

const SEEN = 'FILTER (WHERE reason IS NOT NULL AND NOT is_inferred) OVER (PARTITION BY pod_uid, container ORDER BY run';
const sameRun = (one: string, run: string): string =>
  `${one}.cluster_key = $1 AND ${one}.pod_uid = r.pod_uid AND ${one}.container = r.container AND ${one}.run = ${run}`;
/**
 * Infers an OOM kill for each unseen run whose nearest seen runs before and after it both ended with one. In one pass over
 * the runs: to look from each unseen run takes a thousand times as long where a thousand are unseen.
 */
const INFER_OOM_KILLS = `WITH runs AS (
    SELECT pod_uid, container, run, reason, restarted, max(run) ${SEEN}) AS before, min(run) ${SEEN} DESC) AS after
    FROM kube_container_end WHERE cluster_key = $1 AND pod_uid = ANY($2::text[])
  )
  UPDATE kube_container_end e SET reason = 'OOMKilled', is_inferred = true
  FROM runs r
  JOIN kube_container_end b ON ${sameRun('b', 'r.before')} AND b.reason = 'OOMKilled'
  JOIN kube_container_end a ON ${sameRun('a', 'r.after')} AND a.reason = 'OOMKilled'
  WHERE r.reason IS NULL AND r.restarted AND ${sameRun('e', 'r.run')}`;

export async function writeTerminations(client: PoolClient, clusterKey: number, ends: ContainerEnd[]): Promise<void> {
  if (ends.length === 0) return;
  await client.query(UPSERT, [clusterKey, JSON.stringify(ends)]);
  const pods = [...new Set(ends.map(({ pod_uid: uid }) => uid))];
  await client.query(INFER_OOM_KILLS, [clusterKey, pods]);
}

/** Stored counts of the containers of pods, by pod uid; to be read before the pods are overwritten. */
const KNOWN_COUNTS = `SELECT uid, object->'containers' AS containers FROM kube_pod WHERE cluster_key = $1 AND uid = ANY($2)`;

/** Of all containers of an item together: as many are written within a second. */
const MOST_IN_ITEM = 10_000;

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
  const most = Math.ceil(MOST_IN_ITEM / restarted.reduce((sum, { containers }) => sum + containers.length, 0));
  const ends = restarted.flatMap((pod) =>
    countedEnds(pod, known.get(pod.uid) ?? null, times.clusterSeenAt / 1000, times.now / 1000, most).map((end) => ({
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
