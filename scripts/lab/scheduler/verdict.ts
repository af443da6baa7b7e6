import type { Plugin } from '../../../api/src/capacity/scheduler/types.ts';

/** The verdict of the scheduler on a pod: the node it chose, or how many nodes each plugin refused. */
export type Verdict = { node: string } | { node: null; refused: Partial<Record<Plugin, number>>; nodes: number };

/** Reasons as kube-scheduler 1.34 words them. */
const REASONS: readonly [RegExp, Plugin][] = [
  [/unschedulable/, 'NodeUnschedulable'],
  [/untolerated taint/, 'TaintToleration'],
  [/node affinity\/selector|\[NodeAffinity\]/, 'NodeAffinity'],
  [/free ports/, 'NodePorts'],
  [/PersistentVolume's node affinity|volume node affinity|\[VolumeBinding\]/, 'VolumeBinding'],
  [/topology spread/, 'PodTopologySpread'],
  [/affinity rules/, 'InterPodAffinity'],
];
const RESOURCES = /^(?:Insufficient |Too many pods)/;

/**
 * Parses the message of a pod that fits nowhere: "0/6 nodes are available: 1 Insufficient cpu, 5 node(s) had …". A node
 * that lacks two resources is in two counts of one plugin, so NodeResourcesFit gets what the others leave. Throws for a
 * reason that is not known.
 */
export function parseRefusal(message: string): Exclude<Verdict, { node: string }> {
  const [, total = '0', list = ''] = /^0\/(\d+) nodes are available: (.*?)\.(?: [a-z].*)?$/s.exec(message) ?? [];
  const refused: Partial<Record<Plugin, number>> = {};
  let others = 0;
  let lacksResources = false;
  // Taints contain commas within braces.
  for (const part of list.split(/, (?=\d+ )/)) {
    const [, count = '0', reason = ''] = /^(\d+) (.*)$/s.exec(part) ?? [];
    if (RESOURCES.test(reason)) {
      lacksResources = true;
      continue;
    }
    const plugin = REASONS.find(([pattern]) => pattern.test(reason))?.[1];
    if (plugin === undefined) throw new Error(`a reason that is not known: ${message}`);
    refused[plugin] = (refused[plugin] ?? 0) + Number(count);
    others += Number(count);
  }
  const nodes = Number(total);
  if (lacksResources) refused.NodeResourcesFit = nodes - others;
  return { node: null, refused, nodes };
}
