import { type ReadCluster, readClusterParts } from './read-stored-parts.ts';
import { ClusterModel } from './scheduler/model.ts';
import { countFits } from './scheduler/fits.ts';
import { DEFAULT_ADVICE } from './advice.ts';
import { readAutoscaler } from './autoscalers.ts';
import { lossesOf } from './node-losses.ts';
import { nodeAutoscaler, poolsOf } from './node-pools.ts';
import { resourcesOf } from './resources.ts';
import { sharesOf } from './shares.ts';
import { sizeContainers } from './sizing.ts';
import { trendOf } from './trend.ts';
import type { ClusterParts, FitRow, LossRow, Plan, PoolRow, Room, StoredNode, Trend } from './types.ts';
import { counted, limitWords } from './words.ts';

const EMPTY: Omit<Plan, 'unknown'> = {
  notes: [],
  nodes: 0,
  pods: 0,
  waiting: 0,
  resources: [],
  fits: [],
  loss: [],
  rooms: [],
  trends: [],
  sizing: [],
  advice: DEFAULT_ADVICE,
  shares: { rows: [], workloads: 0, cpuCores: 0, memoryBytes: 0, unknownPods: 0 },
  pools: [],
  autoscaler: null,
};
/** Rows of one kind that a plan keeps; the rest would be read by nobody. */
const MOST_FITS = 2000;
/** Pods of these kinds are not made by hand, or follow their node. */
const NOT_SCALED = new Set(['DaemonSet', 'Node', 'Job', 'CronJob']);

/** Returns the plan of a cluster that no thread could plan. */
export const failedPlan = (): Plan => ({
  ...EMPTY,
  unknown: 'The plan took too much time or memory. It is tried again in five minutes.',
});

/** Returns what fits into a cluster and what the loss of each node does. Pure; of a large cluster it takes seconds. */
export function computePlan(parts: ClusterParts, now: number): Plan {
  // Sizes and trend need no constraints, so an older cluster collector does not hide them.
  const known = {
    trends: trendsOf(parts.days, '', now),
    sizing: sizeContainers({ ...parts, autoscalers: readAutoscalers(parts) }, parts.advice),
    advice: parts.advice,
    shares: sharesOf(parts.pods),
    autoscaler: nodeAutoscaler(parts.nodes, parts.pods),
  };
  if (!parts.reportsPlacements)
    return {
      ...EMPTY,
      ...known,
      unknown: 'The cluster collector is older than the Capacity page. Update the chart of the cluster.',
    };
  if (parts.nodes.length === 0) return { ...EMPTY, unknown: 'No node of the cluster is reported.' };
  const cluster = readClusterParts(parts);
  const { model, unseen } = modelOf(parts.nodes, cluster);
  const requesting = parts.pods.some(({ cpu, memory }) => (cpu ?? 0) > 0 || (memory ?? 0) > 0);
  const waiting = cluster.pods.filter(({ node }) => node === null).length;
  const { rows: loss, mayPreempt } = requesting ? lossesOf(model, cluster, unseen) : { rows: [], mayPreempt: false };
  return {
    unknown: requesting
      ? null
      : 'No pod of the cluster requests CPU or memory, so the scheduler places pods without limit.',
    notes: [
      ...notesOf(cluster, unseen, waiting),
      ...(mayPreempt
        ? ['Preemption is not modelled: a pod that stays pending may take the place of one with a lower priority.']
        : []),
      ...scalerNotes(known.autoscaler, parts),
    ],
    nodes: parts.nodes.length,
    pods: parts.pods.length,
    waiting,
    resources: resourcesOf(parts),
    fits: requesting ? fitsOf(model, cluster) : [],
    loss,
    pools: poolRows(parts, loss, now),
    rooms: roomsOf(model, unseen),
    ...known,
  };
}

const RESOURCES = ['cpu', 'memory'] as const;
const trendsOf = (days: ClusterParts['days'], pool: string, now: number): Trend[] => {
  const own = days.filter((day) => day.pool === pool);
  return RESOURCES.map((resource) => trendOf(own, resource, now));
};

const readAutoscalers = ({ autoscalers }: ClusterParts) =>
  (autoscalers ?? []).flatMap((one) => readAutoscaler(one) ?? []);

function scalerNotes(autoscaler: string | null, { autoscalers, usage }: ClusterParts): string[] {
  return [
    ...(autoscaler === null
      ? []
      : [`${autoscaler} may add nodes: the answers are about the nodes that are there now.`]),
    ...(autoscalers === null && usage.length > 0
      ? ['Horizontal pod autoscalers are not reported, so the advice on sizes names none.']
      : []),
  ];
}

/** `loss`: the worst first. */
function poolRows({ nodes, pods, days }: ClusterParts, loss: readonly LossRow[], now: number): PoolRow[] {
  return poolsOf(nodes, pods).map((pool) => {
    const names = new Set(pool.nodes.map(({ name }) => name));
    const worst = loss.find(({ node }) => names.has(node));
    return {
      pool: pool.name,
      label: pool.label,
      nodes: pool.nodes.length,
      resources: resourcesOf(pool).filter(({ resource }) => resource === 'cpu' || resource === 'memory'),
      trends: trendsOf(days, pool.name, now),
      worst: worst === undefined ? null : { node: worst.node, pending: worst.pending },
    };
  });
}

/** Nodes that the control plane lost sight of take no pod; their pods still count where they are. */
function modelOf(stored: readonly StoredNode[], { nodes, profiles, pods }: ReadCluster) {
  const placed = pods.flatMap(({ profile, node }) => (node === null ? [] : [{ profile, node }]));
  const model = new ClusterModel(nodes, profiles, placed);
  const unseen = new Set(stored.flatMap(({ ready }, index) => (ready === null ? [index] : [])));
  for (const node of unseen) model.close(node);
  return { model, unseen };
}

function notesOf({ nodes, profiles, pods }: ReadCluster, unseen: ReadonlySet<number>, waiting: number): string[] {
  const notModelled = pods.filter(({ profile }) => (profiles[profile]?.notModelled.length ?? 0) > 0);
  const reasons = [...new Set(notModelled.flatMap(({ profile }) => profiles[profile]?.notModelled ?? []))];
  const names = [...unseen].map((node) => nodes[node]?.name ?? '').slice(0, 5);
  return [
    ...(unseen.size > 0
      ? [`The control plane lost sight of ${counted(unseen.size, 'node')}: ${names.join(', ')}.`]
      : []),
    ...(notModelled.length > 0
      ? [`${counted(notModelled.length, 'pod')} cannot be judged: ${reasons.slice(0, 5).join('; ')}.`]
      : []),
    ...(waiting > 0 ? [`${counted(waiting, 'pod')} wait for a node now and are not counted as moved.`] : []),
  ];
}

function fitsOf(model: ClusterModel, { profiles, pods }: ReadCluster): FitRow[] {
  const workloads = Map.groupBy(
    pods.filter(({ stored }) => stored.kind !== null && !NOT_SCALED.has(stored.kind) && !stored.deleting),
    ({ stored }) => JSON.stringify([stored.namespace, stored.kind, stored.owner]),
  );
  const known = new Map<number, ReturnType<typeof countFits>>();
  const rows = [...workloads.values()].flatMap((members): FitRow[] => {
    // A rollout changes the template: the newest pod has the one of the next pod.
    const newest = members.reduce((one, other) => (other.stored.createdAt > one.stored.createdAt ? other : one));
    const { stored, profile } = newest;
    const own = stored.kind === 'StatefulSet' && stored.claims.length > 0;
    const reasons = [
      ...(profiles[profile]?.notModelled ?? []),
      ...(own ? ['each new pod needs a volume of its own, and binding is not modelled'] : []),
    ];
    const row = {
      namespace: stored.namespace,
      kind: stored.kind ?? '',
      name: stored.owner ?? '',
      pods: members.length,
      cpuCores: stored.cpu ?? 0,
      memoryBytes: stored.memory ?? 0,
    };
    if (reasons.length > 0)
      return [{ ...row, more: null, isCut: false, firstLimit: null, reason: reasons.slice(0, 3).join('; ') }];
    const fit = known.get(profile) ?? countFits(model, profile);
    known.set(profile, fit);
    const { more, isCut, firstLimit } = fit;
    return [{ ...row, more, isCut, firstLimit: firstLimit && limitWords(firstLimit), reason: null }];
  });
  const rank = ({ more }: FitRow): number => more ?? Number.POSITIVE_INFINITY;
  return rows
    .toSorted((a, b) => rank(a) - rank(b) || b.pods - a.pods || a.name.localeCompare(b.name))
    .slice(0, MOST_FITS);
}

/** Nodes that take a pod without constraints. */
function roomsOf(model: ClusterModel, unseen: ReadonlySet<number>): Room[] {
  return model.nodes.flatMap(({ isUnschedulable, taints }, node): Room[] => {
    const isClosed = isUnschedulable || unseen.has(node) || taints.some(({ effect }) => effect !== 'PreferNoSchedule');
    const cores = model.freeOf('cpu', node) / 1000;
    return isClosed ? [] : [[cores, model.freeOf('memory', node), model.freeOf('pods', node)]];
  });
}
