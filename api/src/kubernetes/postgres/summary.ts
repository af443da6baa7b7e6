// SQL sums a fleet of pods: counts by phase, namespace and age come from the groups of pod-groups.ts.
import {
  POD_AGE_BUCKETS,
  POD_PHASES,
  TOP_NAMESPACES,
  TOP_RESTARTS,
  type PodPhase,
} from '@plimsoll/contract/rules/kubernetes-limits';
import type { PodsSummaryRecord, RankedPod } from '../pod-records.ts';
import type { ClusterFilter } from '../types.ts';
import type { Database } from '../../database/database.ts';
import { clusterVersions } from './cluster-versions.ts';
import { type ClusterKey, type UsageRow, usageOf } from './clusters.ts';
import { type KeptPodGroups, plus, type PodGroup } from './pod-groups.ts';
import { WINDOW_MS } from './pods.ts';
import { nodeInScope, podInScope, scopeParameter } from './scope.ts';

/** Names in the drop-downs of the filters, and pods a health chip names. */
const MOST_NAMES = 1000;
const MOST_KINDS = 100;
const MOST_CAUSES = 5;

/** $2 is the scope in every statement. */
const ALIVE = `p.cluster_key = ANY($1::int[]) AND p.gone_at IS NULL AND ${podInScope('p', '$2')}`;
const ENDED = `e.cluster_key = ANY($1::int[]) AND ${podInScope('e', '$2')}`;
const NODE_NAMES = `SELECT DISTINCT n.name FROM kube_node n WHERE n.cluster_key = ANY($1::int[]) AND n.gone_at IS NULL
    AND ${nodeInScope('n', '$2')} ORDER BY 1 LIMIT ${MOST_NAMES}`;
const FAILED = `SELECT p.namespace, p.name, p.reason FROM kube_pod p WHERE ${ALIVE} AND p.phase = 'Failed'
  ORDER BY p.created_at DESC LIMIT ${MOST_CAUSES}`;
const ENDS = `SELECT count(*) FILTER (WHERE restarted)::int AS restarts, count(*) FILTER (WHERE reason = 'OOMKilled')::int AS oom_kills
  FROM kube_container_end e WHERE ${ENDED} AND at > to_timestamp(($3::float8 - ${WINDOW_MS}) / 1000.0)`;
/** Deleted pods count as well: their row is joined when it is still there, else the facts name them. */
const RANKING = `SELECT e.*, p.phase, p.reason, p.gone_at, u.source, u.measured_at, u.cpu_cores, u.memory_bytes FROM (
    SELECT cluster_key, pod_uid, max(namespace) AS namespace, max(pod_name) AS pod_name, max(owner_kind) AS owner_kind,
      max(owner_name) AS owner_name, count(*) FILTER (WHERE restarted)::int AS restarts,
      count(*) FILTER (WHERE reason = 'OOMKilled')::int AS oom_kills
    FROM kube_container_end e WHERE ${ENDED} AND at > to_timestamp(($3::float8 - ${WINDOW_MS}) / 1000.0)
    GROUP BY cluster_key, pod_uid HAVING count(*) FILTER (WHERE restarted) > 0
    ORDER BY restarts DESC, namespace, pod_name LIMIT ${TOP_RESTARTS}) e
  LEFT JOIN kube_pod p ON p.cluster_key = e.cluster_key AND p.uid = e.pod_uid
  LEFT JOIN kube_pod_usage u ON u.pod_key = p.key
  ORDER BY e.restarts DESC, e.namespace, e.pod_name`;

interface RankingRow extends UsageRow {
  cluster_key: number;
  pod_uid: string;
  namespace: string;
  pod_name: string;
  owner_kind: string | null;
  owner_name: string | null;
  restarts: number;
  oom_kills: number;
  phase: PodPhase | null;
  reason: string | null;
  gone_at: Date | null;
}
const rankedOf = (row: RankingRow, clusters: ClusterKey[]): RankedPod => ({
  uid: row.pod_uid,
  clusterId: clusters.find(({ key }) => key === row.cluster_key)?.id ?? '',
  name: row.pod_name,
  namespace: row.namespace,
  phase: row.gone_at === null ? row.phase : null,
  reason: row.gone_at === null ? row.reason : null,
  usage: row.gone_at === null ? usageOf(row) : null,
  restarts: row.restarts,
  oomKills: row.oom_kills,
  ownerKind: row.owner_kind,
  ownerName: row.owner_name,
});

const noPhases = (): Record<PodPhase, number> =>
  Object.fromEntries(POD_PHASES.map((phase) => [phase, 0])) as Record<PodPhase, number>;

function countPods(groups: readonly PodGroup[]): Pick<PodsSummaryRecord, 'phases' | 'ages' | 'zombies'> {
  const phases = noPhases();
  const ages: number[] = [...POD_AGE_BUCKETS.map(() => 0), 0];
  let zombies = 0;
  for (const { phase, bucket, pods, ownerKind: kind } of groups) {
    phases[phase] += pods;
    ages[bucket] = (ages[bucket] ?? 0) + pods;
    if (bucket === POD_AGE_BUCKETS.length && kind === null) zombies += pods;
  }
  return { phases, ages, zombies };
}

type Namespace = PodsSummaryRecord['namespaces'][number];

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Most CPU first; pods without a figure last. Two clusters may each have a namespace of one name. */
function sumNamespaces(groups: readonly PodGroup[], clusters: ClusterKey[]): Namespace[] {
  const ids = new Map(clusters.map(({ key, id }) => [key, id]));
  const places = new Map(clusters.map(({ id }, place) => [id, place]));
  const sums = new Map<string, Namespace>();
  for (const group of groups) {
    const { clusterKey: key, namespace, pods, cpuCores, memoryBytes } = group;
    const place = `${String(key)}/${namespace}`;
    const sum = sums.get(place);
    sums.set(place, {
      clusterId: ids.get(key) ?? '',
      namespace,
      pods: pods + (sum?.pods ?? 0),
      cpuCores: plus(cpuCores, sum?.cpuCores ?? null),
      memoryBytes: plus(memoryBytes, sum?.memoryBytes ?? null),
    });
  }
  // Usage without a pod: the two are read one after the other.
  const withPods = [...sums.values()].filter(({ pods }) => pods > 0);
  return withPods.toSorted(
    (a, b) =>
      (b.cpuCores ?? -1) - (a.cpuCores ?? -1) ||
      compareTexts(a.namespace, b.namespace) ||
      (places.get(a.clusterId) ?? 0) - (places.get(b.clusterId) ?? 0),
  );
}

/** `podGroups` count the pods of whole clusters; those of a part of a cluster are counted each time. */
export async function summarisePods(
  database: Database,
  podGroups: KeptPodGroups,
  { owner, clusterId, within: scope }: ClusterFilter,
  now: number,
): Promise<PodsSummaryRecord> {
  const filter = { owner, clusterId, within: scope };
  const clusters = await clusterVersions(database, filter);
  const keys = clusters.map(({ key }) => key);
  const within = scopeParameter(filter);
  const { pool } = database;
  const [groups, nodes, failed, ends, ranking] = await Promise.all([
    podGroups.read(clusters, { within: scope }, now),
    pool.query<{ name: string }>(NODE_NAMES, [keys, within]),
    pool.query<{ namespace: string; name: string; reason: string | null }>(FAILED, [keys, within]),
    pool.query<{ restarts: number; oom_kills: number }>(ENDS, [keys, within, now]),
    pool.query<RankingRow>(RANKING, [keys, within, now]),
  ]);
  const namespaces = sumNamespaces(groups, clusters);
  const kinds = new Set(groups.flatMap(({ ownerKind: kind }) => kind ?? []));
  return {
    ...countPods(groups),
    restarts: ends.rows[0]?.restarts ?? 0,
    oomKills: ends.rows[0]?.oom_kills ?? 0,
    namespaces: namespaces.slice(0, TOP_NAMESPACES),
    topRestarts: ranking.rows.map((row) => rankedOf(row, clusters)),
    namespaceNames: [...new Set(namespaces.map(({ namespace }) => namespace))].slice(0, MOST_NAMES).toSorted(),
    ownerKinds: [...kinds].toSorted().slice(0, MOST_KINDS),
    nodeNames: nodes.rows.map(({ name }) => name),
    failed: failed.rows,
  };
}
