// SQL sorts and pages owners of pods: the groups of pod-groups.ts have their sums, and names are in the database's order.
import type { OwnerGrouping, OwnerSort, PodPhase } from '@plimsoll/contract/rules/kubernetes-limits';
import { POD_PHASES } from '@plimsoll/contract/rules/kubernetes-limits';
import type { OwnerFilter, OwnerRecord } from '../pod-records.ts';
import type { Database } from '../../database/database.ts';
import { clusterVersions } from './cluster-versions.ts';
import { GROUP_FILTER, groupValues, type KeptPodGroups, plus, type PodGroup } from './pod-groups.ts';
import { ENDS_IN_WINDOW } from './pods.ts';

/** Restarts of pods that are there. $3 is the time here and $2 the scope, so the two change places in the ends. */
const RESTARTS = `SELECT p.cluster_key AS "clusterKey", p.namespace, p.owner_kind AS "ownerKind", p.owner_name AS "ownerName",
    sum(e.restarts)::float8 AS restarts
  FROM (${ENDS_IN_WINDOW.replaceAll('$2', '$3')}) e
  JOIN kube_pod p ON p.cluster_key = e.cluster_key AND p.uid = e.pod_uid
  WHERE ${GROUP_FILTER} GROUP BY 1, 2, 3, 4`;
type RestartsRow = Pick<PodGroup, 'clusterKey' | 'namespace' | 'ownerKind' | 'ownerName'> & { restarts: number };

type OwnerSums = Omit<OwnerRecord, 'clusterId' | 'desired' | 'ready'> & { clusterKey: number };

const VALUES: Record<Exclude<OwnerSort, 'name' | 'namespace'>, (owner: OwnerSums) => number | null> = {
  pods: ({ pods }) => pods,
  cpu: ({ cpuCores }) => cpuCores,
  memory: ({ memoryBytes }) => memoryBytes,
  restarts_24h: ({ restarts }) => restarts,
};
const COLUMNS: Partial<Record<OwnerSort, string>> = { name: 'g.name', namespace: 'g.namespace' };

/** $1 clusters  $2 namespaces  $3 kinds  $4 names  $5 values to sort by  $6 limit  $7 offset. `place` counts from 1. */
const pageBy = (order: string): string => `SELECT g.place::int, (w.object->>'desired')::int AS desired,
    (w.object->>'ready')::int AS ready
  FROM (SELECT * FROM unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::float8[]) WITH ORDINALITY
      AS g(cluster_key, namespace, kind, name, value, place)
    ORDER BY ${order} LIMIT $6 OFFSET $7) g
  LEFT JOIN kube_workload w ON w.cluster_key = g.cluster_key AND w.namespace = g.namespace AND w.kind = g.kind
    AND w.name = g.name
  ORDER BY ${order}`;
interface PageRow {
  place: number;
  desired: number | null;
  ready: number | null;
}

export async function listOwners(
  database: Database,
  podGroups: KeptPodGroups,
  filter: OwnerFilter,
  now: number,
): Promise<{ owners: OwnerRecord[]; total: number }> {
  const clusters = await clusterVersions(database, filter);
  const keys = clusters.map(({ key }) => key);
  const [groups, restarts] = await Promise.all([
    podGroups.read(clusters, filter, now),
    database.pool.query<RestartsRow>(RESTARTS, groupValues(keys, filter, now)),
  ]);
  const sums = sumOwners(groups, restarts.rows, filter.by ?? 'owner');
  const ids = new Map(clusters.map(({ key, id }) => [key, id]));
  const page = await choosePage(database, sums, filter);
  const owners = page.flatMap(({ place, desired, ready }): OwnerRecord[] => {
    const chosen = sums[place - 1];
    if (chosen === undefined) return [];
    const { clusterKey, ...owner } = chosen;
    return [{ clusterId: ids.get(clusterKey) ?? '', ...owner, desired, ready }];
  });
  return { owners, total: sums.length };
}

async function choosePage(
  { pool }: Database,
  sums: readonly OwnerSums[],
  { sort, order, limit, offset }: OwnerFilter,
): Promise<PageRow[]> {
  const direction = order === 'desc' ? 'DESC' : 'ASC';
  // Down to all that groups are made by: where the order left two open, a page would repeat one and lose the other.
  const by = `${COLUMNS[sort] ?? 'g.value'} ${direction} NULLS LAST, g.namespace, g.name NULLS LAST, g.cluster_key, g.kind NULLS LAST`;
  const { rows } = await pool.query<PageRow>(pageBy(by), [
    sums.map(({ clusterKey }) => clusterKey),
    sums.map(({ namespace }) => namespace),
    sums.map(({ kind }) => kind),
    sums.map(({ name }) => name),
    sums.map(sort === 'name' || sort === 'namespace' ? () => null : VALUES[sort]),
    limit,
    offset,
  ]);
  return rows;
}

type Names = Pick<PodGroup, 'clusterKey' | 'namespace' | 'ownerKind' | 'ownerName'>;

function sumOwners(groups: readonly PodGroup[], restarts: readonly RestartsRow[], by: OwnerGrouping): OwnerSums[] {
  const sums = new Map<string, OwnerSums>();
  const keyOf = ({ clusterKey, namespace, ownerKind, ownerName }: Names): string =>
    JSON.stringify(by === 'owner' ? [clusterKey, namespace, ownerKind, ownerName] : [clusterKey, namespace]);
  for (const group of groups) {
    const key = keyOf(group);
    const sum = sums.get(key) ?? noPods(group, by);
    sums.set(key, sum);
    addGroup(sum, group);
  }
  for (const row of restarts) {
    const sum = sums.get(keyOf(row));
    if (sum !== undefined) sum.restarts += row.restarts;
  }
  // Usage without a pod: the two are read one after the other.
  return [...sums.values()].filter(({ pods }) => pods > 0);
}

const noPods = ({ clusterKey, namespace, ownerKind, ownerName }: Names, by: OwnerGrouping): OwnerSums => ({
  clusterKey,
  namespace,
  kind: by === 'owner' ? ownerKind : null,
  name: by === 'owner' ? ownerName : null,
  pods: 0,
  phases: Object.fromEntries(POD_PHASES.map((phase) => [phase, 0])) as Record<PodPhase, number>,
  cpuCores: null,
  memoryBytes: null,
  requests: { cpuCores: null, memoryBytes: null },
  limits: { cpuCores: null, memoryBytes: null },
  withoutCpuLimit: 0,
  withoutMemoryLimit: 0,
  restarts: 0,
});

function addGroup(sum: OwnerSums, group: PodGroup): void {
  sum.pods += group.pods;
  sum.phases[group.phase] += group.pods;
  sum.cpuCores = plus(group.cpuCores, sum.cpuCores);
  sum.memoryBytes = plus(group.memoryBytes, sum.memoryBytes);
  // Finished pods hold nothing any more.
  if (group.phase === 'Succeeded' || group.phase === 'Failed') return;
  sum.requests.cpuCores = plus(group.cpuRequest, sum.requests.cpuCores);
  sum.requests.memoryBytes = plus(group.memoryRequest, sum.requests.memoryBytes);
  sum.limits.cpuCores = plus(group.cpuLimit, sum.limits.cpuCores);
  sum.limits.memoryBytes = plus(group.memoryLimit, sum.limits.memoryBytes);
  sum.withoutCpuLimit += group.withoutCpuLimit;
  sum.withoutMemoryLimit += group.withoutMemoryLimit;
}
