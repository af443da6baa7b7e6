// SQL writes ends of containers: one statement unnests a report's ends and skips those that are stored.
import type { ContainerEnd, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { PoolClient } from 'pg';
import { keepNewest, missedRuns, type MissedRuns } from '../restarts.ts';

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

const SEEN = 'FILTER (WHERE reason IS NOT NULL AND NOT is_inferred)';
const OF_ONE = 'PARTITION BY pod_uid, container';
/**
 * Unseen runs whose nearest seen runs before and after them both ended with an OOM kill. In one pass and without a join: to
 * look from each unseen run takes a thousand times as long where a thousand are unseen, and so does a join that the planner
 * chose for few. Runs form groups. Each group has one seen run, at its beginning or at its end.
 */
const MISSED_OOM_KILLS = `SELECT pod_uid, container, run FROM (
    SELECT pod_uid, container, run, reason, restarted,
      max(reason) ${SEEN} OVER (${OF_ONE}, from_seen) AS before, max(reason) ${SEEN} OVER (${OF_ONE}, to_seen) AS after
    FROM (
      SELECT pod_uid, container, run, reason, restarted, is_inferred,
        count(*) ${SEEN} OVER (${OF_ONE} ORDER BY run) AS from_seen,
        count(*) ${SEEN} OVER (${OF_ONE} ORDER BY run DESC) AS to_seen
      FROM kube_container_end WHERE cluster_key = $1 AND pod_uid = ANY($2::text[])
    ) grouped
  ) neighbours WHERE reason IS NULL AND restarted AND before = 'OOMKilled' AND after = 'OOMKilled'`;
const INFER_OOM_KILLS = `UPDATE kube_container_end e SET reason = 'OOMKilled', is_inferred = true
  FROM unnest($2::text[], $3::text[], $4::int[]) AS missed(pod_uid, container, run)
  WHERE e.cluster_key = $1 AND e.pod_uid = missed.pod_uid AND e.container = missed.container AND e.run = missed.run`;

export async function writeTerminations(client: PoolClient, clusterKey: number, ends: ContainerEnd[]): Promise<void> {
  if (ends.length === 0) return;
  await client.query(UPSERT, [clusterKey, JSON.stringify(ends)]);
  const pods = [...new Set(ends.map(({ pod_uid: uid }) => uid))];
  const { rows } = await client.query<{ pod_uid: string; container: string; run: number }>(MISSED_OOM_KILLS, [
    clusterKey,
    pods,
  ]);
  if (rows.length === 0) return;
  const columns = [rows.map((row) => row.pod_uid), rows.map((row) => row.container), rows.map((row) => row.run)];
  await client.query(INFER_OOM_KILLS, [clusterKey, ...columns]);
}

/** Stored counts of the containers of pods, by pod uid; to be read before the pods are overwritten. */
const KNOWN_COUNTS = `SELECT uid, object->'containers' AS containers FROM kube_pod WHERE cluster_key = $1 AND uid = ANY($2)`;

/** Limit of all containers of an item together: as many are written within a second. */
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
  const missed = restarted.flatMap((pod) =>
    missedRuns(pod, known.get(pod.uid) ?? null, times.clusterSeenAt / 1000, times.now / 1000).map((runs) => ({
      ...runs,
      pod,
    })),
  );
  await writeTerminations(client, clusterKey, keepNewest(missed, MOST_IN_ITEM).flatMap(endsOf));
}

function endsOf({ pod, container, first, end, at }: MissedRuns & { pod: PodObject }): ContainerEnd[] {
  const limits = pod.containers.find(({ name }) => name === container)?.limits;
  return Array.from({ length: end - first }, (_, index) => ({
    container,
    run: first + index,
    at,
    pod_uid: pod.uid,
    namespace: pod.namespace,
    pod_name: pod.name,
    node_name: pod.node_name,
    owner: pod.owner,
    restarted: true,
    reason: null,
    exit_code: null,
    memory_limit_bytes: limits?.memory_bytes ?? null,
  }));
}
