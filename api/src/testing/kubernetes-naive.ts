import {
  POD_AGE_BUCKETS,
  POD_PHASES,
  TOP_NAMESPACES,
  type OwnerSort,
  type PodPhase,
  type PodSort,
  type SortOrder,
} from '@plimsoll/contract/rules/kubernetes-limits';
import { NODE_NAMES, type FleetPod } from './kubernetes-fleet.ts';

/** Computes the right answers about a fleet in the plainest way: filter, sort, count. */
const DAY = 86_400;
const FRESH_SECONDS = 180;

type Value = string | number | null;
const compare = (a: Value, b: Value, order: SortOrder): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const sign = order === 'asc' ? 1 : -1;
  return a === b ? 0 : a < b ? -sign : sign;
};
const by =
  <T>(...keys: [(one: T) => Value, SortOrder][]) =>
  (a: T, b: T): number => {
    for (const [key, order] of keys) {
      const result = compare(key(a), key(b), order);
      if (result !== 0) return result;
    }
    return 0;
  };
const sum = (values: (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};
const has = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

const fresh = ({ usage }: FleetPod) => (usage !== null && usage.ageSeconds < FRESH_SECONDS ? usage : null);
const recent = ({ ends }: FleetPod) => ends.filter(({ ageSeconds }) => ageSeconds < DAY);
export const restartsOf = (one: FleetPod): number => recent(one).filter(({ restarted }) => restarted).length;
const killsOf = (one: FleetPod): number => recent(one).filter(({ oom }) => oom).length;

const memoryShare = (one: FleetPod): number | null => {
  const used = fresh(one)?.memoryBytes ?? null;
  const allowed = one.memoryLimit ?? one.memoryRequest;
  return used === null || allowed === null ? null : used / allowed;
};
const POD_KEYS: Record<PodSort, (one: FleetPod) => Value> = {
  name: ({ name }) => name,
  namespace: ({ namespace }) => namespace,
  node: ({ node }) => node,
  phase: ({ phase }) => phase,
  state: ({ phase }) => ({ Failed: 0, Unknown: 1, Pending: 2, Running: 5, Succeeded: 6 })[phase],
  cpu: (one) => fresh(one)?.cpuCores ?? null,
  memory: (one) => fresh(one)?.memoryBytes ?? null,
  memory_percent: memoryShare,
  restarts: ({ restartCount }) => restartCount,
  restarts_24h: restartsOf,
  age: ({ ageSeconds }) => ageSeconds,
};

export interface NaiveFilter {
  cluster?: 0 | 1 | undefined;
  namespace?: string | undefined;
  phase?: PodPhase | undefined;
  nodeName?: string | undefined;
  ownerKind?: string | undefined;
  ownerName?: string | undefined;
  search?: string | undefined;
}
const isOwnedBy = ({ owner }: FleetPod, kind: string | undefined): boolean =>
  kind === undefined || (kind === 'none' ? owner === null : owner?.kind === kind);
const living = (fleet: readonly FleetPod[], { cluster }: NaiveFilter): FleetPod[] =>
  fleet.filter((one) => !one.gone && (cluster === undefined || one.cluster === cluster));

/** Within one state, the pod with the most restarts comes first. */
const restartKeys = (sort: PodSort): [(one: FleetPod) => Value, SortOrder][] =>
  sort === 'state'
    ? [
        [restartsOf, 'desc'],
        [({ restartCount }) => restartCount, 'desc'],
      ]
    : [];

/** Uids in order. */
export function naivePods(fleet: readonly FleetPod[], filter: NaiveFilter, sort: PodSort, order: SortOrder): string[] {
  const { namespace, phase, nodeName, ownerKind, ownerName, search } = filter;
  return living(fleet, filter)
    .filter(
      (one) =>
        (namespace === undefined || one.namespace === namespace) &&
        (phase === undefined || one.phase === phase) &&
        (nodeName === undefined || one.node === nodeName) &&
        isOwnedBy(one, ownerKind) &&
        (ownerName === undefined || one.owner?.name === ownerName) &&
        (search === undefined || [one.name, one.namespace, one.owner?.name ?? ''].some((text) => has(text, search))),
    )
    .toSorted(
      by([POD_KEYS[sort], order], ...restartKeys(sort), [({ namespace: n }) => n, 'asc'], [({ name }) => name, 'asc']),
    )
    .map(({ uid }) => uid);
}

const countPhases = (pods: readonly FleetPod[]): Record<PodPhase, number> =>
  Object.fromEntries(POD_PHASES.map((phase) => [phase, pods.filter((one) => one.phase === phase).length])) as Record<
    PodPhase,
    number
  >;

export function naiveSummary(fleet: readonly FleetPod[], filter: NaiveFilter) {
  const pods = living(fleet, filter);
  const everyone = fleet.filter((one) => filter.cluster === undefined || one.cluster === filter.cluster);
  const bucketOf = ({ ageSeconds }: FleetPod): number => POD_AGE_BUCKETS.filter((end) => ageSeconds >= end).length;
  const places = Map.groupBy(pods, ({ cluster, namespace }) => `${String(cluster)} ${namespace}`).values();
  const namespaces = [...places].map((of) => ({
    cluster: of[0]?.cluster ?? 0,
    namespace: of[0]?.namespace ?? '',
    pods: of.length,
    cpuCores: sum(of.map((one) => fresh(one)?.cpuCores ?? null)),
    memoryBytes: sum(of.map((one) => fresh(one)?.memoryBytes ?? null)),
  }));
  return {
    phases: countPhases(pods),
    ages: [...POD_AGE_BUCKETS, null].map((_, bucket) => pods.filter((one) => bucketOf(one) === bucket).length),
    zombies: pods.filter((one) => one.owner === null && bucketOf(one) === POD_AGE_BUCKETS.length).length,
    restarts: sum(everyone.map(restartsOf)) ?? 0,
    oomKills: sum(everyone.map(killsOf)) ?? 0,
    namespaces: namespaces
      .toSorted(
        by(
          [({ cpuCores }) => cpuCores, 'desc'],
          [({ namespace }) => namespace, 'asc'],
          [({ cluster }) => cluster, 'asc'],
        ),
      )
      .slice(0, TOP_NAMESPACES),
    namespaceNames: [...new Set(namespaces.map(({ namespace }) => namespace))].toSorted(),
    ownerKinds: [...new Set(pods.flatMap(({ owner }) => (owner ? [owner.kind] : [])))].toSorted(),
    nodeNames: [...NODE_NAMES],
  };
}

export interface NaiveOwner {
  cluster: 0 | 1;
  namespace: string;
  kind: string | null;
  name: string | null;
  pods: number;
  phases: Record<PodPhase, number>;
  cpuCores: number | null;
  memoryBytes: number | null;
  restarts: number;
  requests: { cpuCores: number | null; memoryBytes: number | null };
  limits: { cpuCores: number | null; memoryBytes: number | null };
  withoutCpuLimit: number;
  withoutMemoryLimit: number;
}
const OWNER_KEYS: Record<OwnerSort, (one: NaiveOwner) => Value> = {
  name: ({ name }) => name,
  namespace: ({ namespace }) => namespace,
  pods: ({ pods }) => pods,
  cpu: ({ cpuCores }) => cpuCores,
  memory: ({ memoryBytes }) => memoryBytes,
  restarts_24h: ({ restarts }) => restarts,
};

/** Finished pods hold nothing; no pod of the fleet has a CPU limit. */
function heldBy(pods: readonly FleetPod[]) {
  const holding = pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
  return {
    requests: {
      cpuCores: sum(holding.map(({ cpuRequest }) => cpuRequest)),
      memoryBytes: sum(holding.map(({ memoryRequest }) => memoryRequest)),
    },
    limits: { cpuCores: null, memoryBytes: sum(holding.map(({ memoryLimit }) => memoryLimit)) },
    withoutCpuLimit: holding.length,
    withoutMemoryLimit: holding.filter(({ memoryLimit }) => memoryLimit === null).length,
  };
}

export function naiveOwners(
  fleet: readonly FleetPod[],
  filter: NaiveFilter,
  sort: OwnerSort,
  order: SortOrder,
): NaiveOwner[] {
  const { namespace, ownerKind, search } = filter;
  const pods = living(fleet, filter).filter(
    (one) =>
      (namespace === undefined || one.namespace === namespace) &&
      isOwnedBy(one, ownerKind) &&
      (search === undefined || [one.name, one.owner?.name ?? ''].some((text) => has(text, search))),
  );
  const groups = Map.groupBy(pods, (one) => JSON.stringify([one.cluster, one.namespace, one.owner]));
  return [...groups.values()]
    .flatMap((of): NaiveOwner[] => {
      const [first] = of;
      if (!first) return [];
      return [
        {
          cluster: first.cluster,
          namespace: first.namespace,
          kind: first.owner?.kind ?? null,
          name: first.owner?.name ?? null,
          pods: of.length,
          phases: countPhases(of),
          cpuCores: sum(of.map((one) => fresh(one)?.cpuCores ?? null)),
          memoryBytes: sum(of.map((one) => fresh(one)?.memoryBytes ?? null)),
          restarts: sum(of.map(restartsOf)) ?? 0,
          ...heldBy(of),
        },
      ];
    })
    .toSorted(
      by(
        [OWNER_KEYS[sort], order],
        [({ namespace: n }) => n, 'asc'],
        [({ name }) => name, 'asc'],
        [({ cluster }) => cluster, 'asc'],
        [({ kind }) => kind, 'asc'],
      ),
    );
}

/** Returns for each node of one cluster its pods, the requests of those that are not finished, and its restarts. */
export const naiveNodes = (fleet: readonly FleetPod[], cluster: 0 | 1) =>
  NODE_NAMES.map((node) => {
    const on = fleet.filter((one) => one.cluster === cluster && one.node === node);
    const pods = on.filter(({ gone }) => !gone);
    const holding = pods.filter(({ phase }) => phase !== 'Succeeded' && phase !== 'Failed');
    return {
      node,
      pods: pods.length,
      requests: {
        cpuCores: sum(holding.map(({ cpuRequest }) => cpuRequest)),
        memoryBytes: sum(holding.map(({ memoryRequest }) => memoryRequest)),
      },
      limits: { cpuCores: null, memoryBytes: sum(holding.map(({ memoryLimit }) => memoryLimit)) },
      restarts: sum(on.map(restartsOf)) ?? 0,
    };
  });
