// SQL lists pods: filters, sums and ranks over a whole fleet must cost one statement.
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import type { PodObject } from '@plimsoll/contract/wire/cluster-objects';
import { RESTART_WINDOW_HOURS, type PodSort } from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodFilter, PodRecord } from '../pod-records.ts';
import type { ClusterFilter } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { type ClusterVersion, clusterVersions } from './cluster-versions.ts';
import { type ClusterKey, clusterKeys, clusterReaders, type UsageRow, usageOf } from './clusters.ts';
import type { KeptPodGroups } from './pod-groups.ts';
import { nameMatches, namePattern, podInScope, scopeParameter } from './scope.ts';
import { FRESH_MS } from './usage.ts';

export const WINDOW_MS = RESTART_WINDOW_HOURS * 3_600_000;

/** Ends of the window, per pod; the last restart rides along. */
const endsInWindow = (
  narrowed: string,
): string => `SELECT pod_uid, cluster_key, count(*) FILTER (WHERE restarted)::int AS restarts,
    count(*) FILTER (WHERE reason = 'OOMKilled')::int AS oom_kills
  FROM kube_container_end WHERE cluster_key = ANY($1::int[]) AND at > to_timestamp(($2::float8 - ${WINDOW_MS}) / 1000.0) ${narrowed}
  GROUP BY pod_uid, cluster_key`;
export const ENDS_IN_WINDOW = endsInWindow('');

const USAGE = `LEFT JOIN kube_pod_usage u ON u.pod_key = p.key AND u.measured_at > to_timestamp(($2::float8 - ${FRESH_MS}) / 1000.0)`;
const ENDS = 'LEFT JOIN ends e ON e.cluster_key = p.cluster_key AND e.pod_uid = p.uid';
/** Nothing here comes from the caller but the choice of one of these. An order joins only what it reads. */
const SORTS: Record<PodSort, { by: string; join?: string }> = {
  name: { by: 'p.name' },
  namespace: { by: 'p.namespace' },
  node: { by: 'p.node_name' },
  phase: { by: 'p.phase' },
  state: { by: 'p.severity', join: ENDS },
  cpu: { by: 'u.cpu_cores', join: USAGE },
  memory: { by: 'u.memory_bytes', join: USAGE },
  memory_percent: { by: 'u.memory_bytes / NULLIF(COALESCE(p.memory_limit, p.memory_request), 0)', join: USAGE },
  restarts: { by: 'p.restart_count' },
  restarts_24h: { by: 'COALESCE(e.restarts, 0)', join: ENDS },
  age: { by: "-date_part('epoch', p.created_at)" },
};

const FILTERS = `p.cluster_key = ANY($1::int[]) AND p.gone_at IS NULL
  AND ($3::text IS NULL OR p.namespace = $3) AND ($4::text IS NULL OR p.phase = $4)
  AND ($5::text IS NULL OR p.node_name = $5)
  AND ($6::text IS NULL OR CASE WHEN $6 = 'none' THEN p.owner_kind IS NULL ELSE p.owner_kind = $6 END)
  AND ($7::text IS NULL OR p.owner_name = $7)
  AND ($8::text IS NULL OR ${nameMatches('p.name', '$8')} OR ${nameMatches('p.namespace', '$8')}
    OR ${nameMatches('p.owner_name', '$8')})
  AND ${podInScope('p', '$9')}`;

interface PodRow extends UsageRow {
  cluster_key: number;
  server_id: string | null;
  agent_sample_at: Date | null;
  kubelet: ReaderStatePart | null;
  object: PodObject;
  restarts: number;
  oom_kills: number;
  last_at: Date | null;
  last_container: string | null;
  last_reason: string | null;
  last_exit_code: number | null;
}
/** The page is chosen on narrow columns; the bulky object is read for its rows only. */
const DETAILS = `p.cluster_key, p.object, n.server_id, a.sample_at AS agent_sample_at, a.kubelet, u.source, u.measured_at, u.cpu_cores, u.memory_bytes,
    COALESCE(e.restarts, 0) AS restarts, COALESCE(e.oom_kills, 0) AS oom_kills,
    l.at AS last_at, l.container AS last_container, l.reason AS last_reason, l.exit_code AS last_exit_code`;
const DETAIL_JOINS = `LEFT JOIN kube_pod_usage u ON u.pod_key = p.key
  LEFT JOIN ends e ON e.cluster_key = p.cluster_key AND e.pod_uid = p.uid
  LEFT JOIN kube_node n ON n.cluster_key = p.cluster_key AND n.name = p.node_name AND n.gone_at IS NULL
  LEFT JOIN kube_node_agent a ON a.node_key = n.key
  LEFT JOIN LATERAL (SELECT at, container, reason, exit_code FROM kube_container_end x
    WHERE x.cluster_key = p.cluster_key AND x.pod_uid = p.uid AND x.restarted ORDER BY at DESC, run DESC LIMIT 1) l ON true`;

type Readers = Map<number, ReaderStatePart[]>;
const recordOf = (row: PodRow, clusters: ClusterKey[], readers: Readers): PodRecord => ({
  clusterId: clusters.find(({ key }) => key === row.cluster_key)?.id ?? '',
  serverId: row.server_id,
  nodeAgent: row.agent_sample_at && row.kubelet && { sampleAt: row.agent_sample_at.getTime(), kubelet: row.kubelet },
  readers: readers.get(row.cluster_key) ?? [],
  object: row.object,
  usage: usageOf(row),
  restarts: row.restarts,
  oomKills: row.oom_kills,
  lastRestart:
    row.last_at === null
      ? null
      : {
          at: row.last_at.getTime(),
          container: row.last_container ?? '',
          reason: row.last_reason,
          exitCode: row.last_exit_code,
        },
});

export async function listPods(
  database: Database,
  podGroups: KeptPodGroups,
  filter: PodFilter,
  now: number,
): Promise<{ pods: PodRecord[]; total: number }> {
  const clusters = await clusterVersions(database, filter);
  const keys = clusters.map(({ key }) => key);
  const [{ rows, total }, readers] = await Promise.all([
    isCounted(filter) ? readPage(database, podGroups, clusters, filter, now) : searchPage(database, keys, filter, now),
    clusterReaders(database, keys),
  ]);
  return { pods: rows.map((row) => recordOf(row, clusters, readers)), total };
}

/** The groups of pods count what this filter finds. */
const isCounted = ({ search, nodeName, within, ownerName }: PodFilter): boolean =>
  search === undefined && nodeName === undefined && within === undefined && ownerName === undefined;

interface Page {
  rows: PodRow[];
  total: number;
}
const orderOf = ({ sort, order }: PodFilter): string => {
  const direction = order === 'desc' ? 'DESC' : 'ASC';
  const restarts = sort === 'state' ? 'COALESCE(e.restarts, 0) DESC, p.restart_count DESC, ' : '';
  return `${SORTS[sort].by} ${direction} NULLS LAST, ${restarts}p.namespace, p.name, p.key`;
};
const valuesOf = (keys: readonly number[], filter: PodFilter, now: number): unknown[] => [
  keys,
  now,
  filter.namespace ?? null,
  filter.phase ?? null,
  filter.nodeName ?? null,
  filter.ownerKind ?? null,
  filter.ownerName ?? null,
  namePattern(filter.search),
  scopeParameter(filter),
  filter.limit,
  filter.offset,
];
/** Each use of the ends plans its own join: PostgreSQL overestimates the length of a materialized list, and would build a
 * hash of all pods. */
const ENDS_CTE = `ends AS NOT MATERIALIZED (${ENDS_IN_WINDOW})`;
/** Numbered when they are chosen: a number for each pod would have all of them sorted. */
const numbered = (chosen: string): string => `SELECT first.key, row_number() OVER () AS place FROM (${chosen}) first`;

async function readPage(
  { pool }: Database,
  podGroups: KeptPodGroups,
  clusters: readonly ClusterVersion[],
  filter: PodFilter,
  now: number,
): Promise<Page> {
  const order = orderOf(filter);
  // The index has the pods of each cluster in the order of their names: as many of each as the page could need.
  const pods =
    filter.sort === 'name' && filter.order === 'asc'
      ? `unnest($1::int[]) one(cluster) CROSS JOIN LATERAL (SELECT p.* FROM kube_pod p
          WHERE p.cluster_key = one.cluster AND ${FILTERS} ORDER BY ${order} LIMIT $10::bigint + $11::bigint) p`
      : `kube_pod p ${SORTS[filter.sort].join ?? ''} WHERE ${FILTERS}`;
  const text = `WITH ${ENDS_CTE}, page AS (${numbered(`SELECT p.key FROM ${pods} ORDER BY ${order} LIMIT $10 OFFSET $11`)})
    SELECT ${DETAILS} FROM page JOIN kube_pod p ON p.key = page.key ${DETAIL_JOINS} ORDER BY page.place`;
  const keys = clusters.map(({ key }) => key);
  const { namespace, ownerKind, phase } = filter;
  const [{ rows }, groups] = await Promise.all([
    pool.query<PodRow>(text, valuesOf(keys, filter, now)),
    podGroups.read(clusters, { namespace, ownerKind }, now, { countsOnly: true }),
  ]);
  const total = groups.reduce((sum, group) => sum + (phase === undefined || group.phase === phase ? group.pods : 0), 0);
  return { rows, total };
}

/** Columns that an order reads. */
const FOUND = `p.key, p.cluster_key, p.uid, p.namespace, p.name, p.node_name, p.phase, p.severity, p.restart_count, p.created_at,
    p.memory_limit, p.memory_request`;

/** The pods are searched once, for the page and for its total. One row without a pod carries the total of a page past the end. */
async function searchPage({ pool }: Database, keys: readonly number[], filter: PodFilter, now: number): Promise<Page> {
  const order = orderOf(filter);
  const chosen = `SELECT p.key FROM found p ${SORTS[filter.sort].join ?? ''} ORDER BY ${order} LIMIT $10 OFFSET $11`;
  const text = `WITH ${ENDS_CTE}, found AS MATERIALIZED (SELECT ${FOUND} FROM kube_pod p WHERE ${FILTERS}),
      page AS (${numbered(chosen)})
    SELECT counted.total, p.key, ${DETAILS} FROM (SELECT count(*)::int AS total FROM found) counted
      LEFT JOIN page ON true LEFT JOIN kube_pod p ON p.key = page.key ${DETAIL_JOINS} ORDER BY page.place`;
  const { rows } = await pool.query<PodRow & { key: number | null; total: number }>(text, valuesOf(keys, filter, now));
  return { rows: rows.filter(({ key }) => key !== null), total: rows[0]?.total ?? 0 };
}

/** The pod first, then the ends of this one. */
const FIND = `WITH chosen AS (
    SELECT p.key, p.cluster_key, p.uid FROM kube_pod p
    WHERE p.cluster_key = ANY($1::int[]) AND p.namespace = $3 AND p.name = $4
    ORDER BY (p.gone_at IS NULL) DESC, p.gone_at DESC, p.key DESC LIMIT 1),
  ends AS (${endsInWindow('AND (cluster_key, pod_uid) IN (SELECT cluster_key, uid FROM chosen)')})
  SELECT ${DETAILS} FROM chosen JOIN kube_pod p ON p.key = chosen.key ${DETAIL_JOINS}`;

export async function findPod(
  database: Database,
  filter: ClusterFilter,
  pod: { namespace: string; name: string },
  now: number,
): Promise<PodRecord | null> {
  const clusters = await clusterKeys(database, filter);
  const keys = clusters.map(({ key }) => key);
  const [{ rows }, readers] = await Promise.all([
    database.pool.query<PodRow>(FIND, [keys, now, pod.namespace, pod.name]),
    clusterReaders(database, keys),
  ]);
  return rows[0] ? recordOf(rows[0], clusters, readers) : null;
}
