// SQL reads a moment of a cluster: arrays of stored samples are expanded in the database.
import type { ClusterFilter, ClusterMoment } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/time.ts';
import { clusterKeys } from './clusters.ts';
import { WINDOW_MS } from './pods.ts';
import { nodeInScope, podInScope, scopeParameter } from './scope.ts';
import { FRESH_MS } from './usage.ts';

const AT = timestamp('$2');
const ROLLUP_SECONDS = 300;
/** Present at the moment: created before it, and not gone yet. */
const there = (row: string, createdAt: string): string =>
  `${row}.cluster_key = ANY($1::int[]) AND ${createdAt} <= ${AT} AND (${row}.gone_at IS NULL OR ${row}.gone_at > ${AT})`;

/** The newest sample of each node up to the moment; the rollup that holds the moment where samples are gone. */
const READING = `present AS MATERIALIZED (
    SELECT n.key, n.cluster_key, n.name, n.server_id, n.object->'capacity' AS capacity FROM kube_node n
    WHERE ${there('n', "to_timestamp((n.object->>'created_at')::float8)")} AND ${nodeInScope('n', '$3')}
  ), reading AS MATERIALIZED (
    SELECT present.key, found.* FROM present CROSS JOIN LATERAL (
      SELECT * FROM (
        (SELECT ts, cpu_cores, memory_bytes, pods, cpu, memory FROM kube_sample
          WHERE node_key = present.key AND ts <= ${AT} AND ts > ${AT} - interval '${FRESH_MS} milliseconds'
          ORDER BY ts DESC LIMIT 1)
        UNION ALL
        (SELECT ts, node_cpu_avg, node_memory_avg, pods, cpu_avg, memory_avg FROM kube_rollup_5m
          WHERE node_key = present.key AND ts <= ${AT} AND ts > ${AT} - interval '${ROLLUP_SECONDS} seconds'
          ORDER BY ts DESC LIMIT 1)
      ) AS each ORDER BY ts DESC LIMIT 1
    ) AS found
  )`;
const ENDS = `ends AS MATERIALIZED (
    SELECT cluster_key, pod_uid, node_name, count(*) FILTER (WHERE restarted)::int AS restarts,
      count(*) FILTER (WHERE reason = 'OOMKilled')::int AS oom_kills
    FROM kube_container_end WHERE cluster_key = ANY($1::int[]) AND at <= ${AT}
      AND at > ${timestamp(`($2::float8 - ${WINDOW_MS})`)} GROUP BY 1, 2, 3
  )`;
const POD_THERE = `${there('p', 'p.created_at')} AND ${podInScope('p', '$3')}`;

/** $1 clusters  $2 moment, ms  $3 scope */
const NODES = `WITH ${READING}, ${ENDS}, held AS (
    SELECT p.cluster_key, p.node_name, count(*)::int AS pods FROM kube_pod p WHERE ${POD_THERE} GROUP BY 1, 2
  ), restarted AS (SELECT cluster_key, node_name, sum(restarts)::int AS restarts FROM ends GROUP BY 1, 2)
  SELECT n.cluster_key AS "clusterKey", n.name, n.server_id AS "serverId",
    r.cpu_cores::float8 / NULLIF((n.capacity->>'cpu_cores')::float8, 0) * 100 AS "cpuPercent",
    r.memory_bytes::float8 / NULLIF((n.capacity->>'memory_bytes')::float8, 0) * 100 AS "memoryPercent",
    COALESCE(h.pods, 0) AS pods, COALESCE(e.restarts, 0) AS restarts
  FROM present n LEFT JOIN reading r ON r.key = n.key
  LEFT JOIN held h ON h.cluster_key = n.cluster_key AND h.node_name = n.name
  LEFT JOIN restarted e ON e.cluster_key = n.cluster_key AND e.node_name = n.name
  ORDER BY n.name, n.key`;
/** $4 limit */
const PODS = `WITH ${READING}, ${ENDS}, usage AS (
    SELECT used.* FROM reading CROSS JOIN LATERAL unnest(pods, cpu, memory) AS used (pod_key, cpu_cores, memory_bytes)
  )
  SELECT p.cluster_key AS "clusterKey", p.namespace, p.name, p.node_name AS "nodeName",
    u.cpu_cores::float8 AS "cpuCores", u.memory_bytes::float8 AS "memoryBytes",
    COALESCE(e.restarts, 0) AS restarts, COALESCE(e.oom_kills, 0) AS "oomKills", (count(*) OVER ())::int AS total
  FROM kube_pod p LEFT JOIN usage u ON u.pod_key = p.key
  LEFT JOIN (SELECT cluster_key, pod_uid, sum(restarts)::int AS restarts, sum(oom_kills)::int AS oom_kills
    FROM ends GROUP BY 1, 2) e ON e.cluster_key = p.cluster_key AND e.pod_uid = p.uid
  WHERE ${POD_THERE}
  ORDER BY COALESCE(e.restarts, 0) DESC, u.memory_bytes DESC NULLS LAST, p.namespace, p.name, p.key LIMIT $4`;

type Keyed<T> = Omit<T, 'clusterId'> & { clusterKey: number };

export async function clusterAt(
  database: Database,
  filter: ClusterFilter,
  at: number,
  limit: number,
): Promise<ClusterMoment> {
  const clusters = await clusterKeys(database, filter);
  const idOf = new Map(clusters.map(({ key, id }) => [key, id]));
  const values = [clusters.map(({ key }) => key), at, scopeParameter(filter)];
  const [nodes, pods] = await Promise.all([
    database.pool.query<Keyed<ClusterMoment['nodes'][number]>>(NODES, values),
    database.pool.query<Keyed<ClusterMoment['pods'][number]> & { total: number }>(PODS, [...values, limit]),
  ]);
  const named = <T extends { clusterKey: number }>({ clusterKey, ...row }: T) => ({
    ...row,
    clusterId: idOf.get(clusterKey) ?? '',
  });
  return { nodes: nodes.rows.map(named), pods: pods.rows.map(named), totalPods: pods.rows[0]?.total ?? 0 };
}
