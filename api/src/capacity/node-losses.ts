import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { ReadCluster, ReadPod } from './read-stored-parts.ts';
import { loseNode, type LosablePod, type LossOf } from './scheduler/loss.ts';
import type { ClusterModel } from './scheduler/model.ts';
import type { LossRow } from './types.ts';
import { counted, limitWords } from './words.ts';

/** The loss of each node of a cluster: which pods stay pending, and why. */

/**
 * Returns true for a pod that nobody makes anew on another node. The controller of a pod that is being deleted has made the
 * next one already, but for a StatefulSet: its pod waits for the name.
 */
const isEnding = ({ kind, deleting }: ReadPod['stored']): boolean =>
  kind === null || kind === 'DaemonSet' || kind === 'Node' || (deleting && kind !== 'StatefulSet');

/**
 * Returns what the loss of each node does, the worst first. `unseen`: nodes that the control plane lost sight of.
 * `mayPreempt`: a pod that stays pending has a higher priority than another one, which the scheduler may evict for it.
 */
export function lossesOf(
  model: ClusterModel,
  { nodes, profiles, pods }: ReadCluster,
  unseen: ReadonlySet<number>,
): { rows: LossRow[]; mayPreempt: boolean } {
  const byNode = Map.groupBy(
    pods.filter(({ node }) => node !== null),
    ({ node }) => node,
  );
  // The loss of a node frees nothing on the others.
  const nowhere = new Set([...profiles.keys()].filter((profile) => !model.hasRoom(profile)));
  const refusals: Refusals = new Map();
  const totals = { cpu: totalOf(model, 'cpu'), memory: totalOf(model, 'memory') };
  const lowest = Math.min(...new Set(pods.flatMap(({ node, priority }) => (node === null ? [] : [priority]))));
  let mayPreempt = false;
  const rows = nodes.map((facts, node): LossRow => {
    const here = (byNode.get(node) ?? [])
      .map((pod) => ({ ...pod, endsWithNode: isEnding(pod.stored) }))
      .toSorted((a, b) => b.priority - a.priority || a.stored.createdAt - b.stored.createdAt);
    if (unseen.has(node)) return unknownLoss(facts.name, 'The control plane lost sight of this node.');
    const loss = loseNode(model, node, here, nowhere);
    mayPreempt ||= loss.pending.some(({ priority }) => priority > lowest);
    const gone = (resource: 'cpu' | 'memory'): number | null => {
      const back = loss.moved.reduce((sum, { pod }) => sum + (profiles[pod.profile]?.requests[resource] ?? 0), 0);
      const own = nodes[node]?.allocatable[resource] ?? 0;
      const left = totals[resource].allocatable - own;
      return percentOf(
        totals[resource].requested - (own - model.freeOf(resource, node)) + back,
        left > 0 ? left : null,
      );
    };
    const reasons = [...new Set(loss.unknown.flatMap(({ profile }) => profiles[profile]?.notModelled ?? []))];
    const isUnknown = loss.unknown.length > 0;
    return {
      node: facts.name,
      pending: isUnknown && loss.pending.length === 0 ? null : loss.pending.length,
      reason: isUnknown
        ? `${counted(loss.unknown.length, 'pod')} cannot be judged: ${reasons.slice(0, 3).join('; ')}`
        : null,
      who: whoWaits(model, loss.pending, { node, unseen, moved: loss.moved }, refusals),
      moved: loss.moved.length,
      ended: here.filter(({ stored }) => stored.kind === null).length,
      cpuPercentAfter: gone('cpu'),
      memoryPercentAfter: gone('memory'),
    };
  });
  const rank = ({ pending }: LossRow): number => pending ?? 0.5;
  const worstFirst = rows.toSorted(
    (a, b) =>
      rank(b) - rank(a) || (b.memoryPercentAfter ?? 0) - (a.memoryPercentAfter ?? 0) || a.node.localeCompare(b.node),
  );
  return { rows: worstFirst, mayPreempt };
}

const unknownLoss = (node: string, reason: string): LossRow => ({
  node,
  pending: null,
  reason,
  who: [],
  moved: 0,
  ended: 0,
  cpuPercentAfter: null,
  memoryPercentAfter: null,
});

function totalOf(model: ClusterModel, resource: 'cpu' | 'memory'): { allocatable: number; requested: number } {
  let allocatable = 0;
  let requested = 0;
  for (const [node, facts] of model.nodes.entries()) {
    const size = facts.allocatable[resource] ?? 0;
    allocatable += size;
    requested += size - model.freeOf(resource, node);
  }
  return { allocatable, requested };
}

/** Workloads that a row names; the others are in its sum. */
const MOST_NAMED = 5;

/** Refusals of the nodes that are in sight, counted in words once for each profile. */
type Refusals = Map<number, ReadonlyMap<string, number>>;
interface Lost {
  node: number;
  moved: LossOf<LosablePod & ReadPod>['moved'];
  unseen: ReadonlySet<number>;
}

/** Groups the pods that stay pending by workload, with what most of the other nodes lack for one of them. */
function whoWaits(model: ClusterModel, pending: readonly ReadPod[], lost: Lost, known: Refusals): LossRow['who'] {
  const groups = Map.groupBy(pending, ({ stored }) => JSON.stringify([stored.namespace, stored.kind, stored.owner]));
  const byCount = [...groups.values()].toSorted((a, b) => b.length - a.length).slice(0, MOST_NAMED);
  return byCount.flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const { namespace, kind, owner, name } = first.stored;
    const why = whyOf(model, first.profile, lost, known);
    return [{ namespace, kind: kind ?? 'Pod', name: owner ?? name, pods: members.length, why }];
  });
}

const TAKEN = 'room that pods before it take';
const refusalWords = (model: ClusterModel, profile: number, node: number): string => {
  const refusal = model.refusal(profile, node);
  return refusal === null ? TAKEN : limitWords(refusal);
};

/** Says why a pod finds no other node, by the other nodes as they are without any loss. */
function whyOf(model: ClusterModel, profile: number, lost: Lost, known: Refusals): string {
  const all = known.get(profile) ?? countRefusals(model, profile, lost.unseen);
  known.set(profile, all);
  const own = refusalWords(model, profile, lost.node);
  const others = [...all].map(([words, count]) => [words, words === own ? count - 1 : count] as const);
  const most = mostOf(others) ?? 'no other node';
  return most === TAKEN ? whatMovedPodsTake(model, profile, lost) : most;
}

const mostOf = (counts: Iterable<readonly [string, number]>): string | null =>
  [...counts].filter(([, count]) => count > 0).toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;

/** Returns what the nodes lack that took pods before this one. */
function whatMovedPodsTake(model: ClusterModel, profile: number, { moved }: Lost): string {
  for (const { pod, node } of moved) model.place(pod.profile, node);
  const counts = new Map<string, number>();
  for (const node of new Set(moved.map((one) => one.node))) {
    const words = refusalWords(model, profile, node);
    if (words !== TAKEN) counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  for (const { pod, node } of moved) model.unplace(pod.profile, node);
  return mostOf(counts) ?? TAKEN;
}

function countRefusals(model: ClusterModel, profile: number, unseen: ReadonlySet<number>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of model.nodes.keys()) {
    if (unseen.has(node)) continue;
    const words = refusalWords(model, profile, node);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return counts;
}
