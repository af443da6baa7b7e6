import { meets } from '@plimsoll/contract/rules/label-selector';
import type { NodeFacts, NodeTerm, Plugin, PodProfile, Taint, Toleration } from './types.ts';

/** The filters that read a node and not the pods on it. */

const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };

/** Admission adds them to every pod, so the collector does not send them. */
const ADDED: readonly Toleration[] = ['not-ready', 'unreachable'].map((name) => ({
  key: `node.kubernetes.io/${name}`,
  exists: true,
  value: '',
  effect: 'NoExecute',
}));

const tolerates = ({ key, exists, value, effect }: Toleration, taint: Taint): boolean =>
  (effect === null || effect === taint.effect) &&
  (key === null ? exists : key === taint.key) &&
  (exists || value === taint.value);

const isTolerated = ({ tolerations }: Pick<PodProfile, 'tolerations'>, taint: Taint): boolean =>
  tolerations.some((one) => tolerates(one, taint)) || ADDED.some((one) => tolerates(one, taint));

const isHard = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';
/** Returns true if a taint of the node keeps the pod away. */
export const isRepelled = (profile: Pick<PodProfile, 'tolerations'>, { taints }: Pick<NodeFacts, 'taints'>): boolean =>
  taints.some((taint) => isHard(taint) && !isTolerated(profile, taint));

/** Returns true if one of the terms holds for the node. */
export const matchesTerms = (
  terms: readonly NodeTerm[],
  { name, labels }: Pick<NodeFacts, 'name' | 'labels'>,
): boolean => terms.some((term) => meets(labels, term.labels) && meets({ 'metadata.name': name }, term.fields));

/** Returns true if nodeSelector and required node affinity hold. */
export const isSelected = (
  { nodeSelector, nodeAffinity }: Pick<PodProfile, 'nodeSelector' | 'nodeAffinity'>,
  node: Pick<NodeFacts, 'name' | 'labels'>,
): boolean =>
  Object.entries(nodeSelector).every(([key, value]) => Object.hasOwn(node.labels, key) && node.labels[key] === value) &&
  (nodeAffinity === null || matchesTerms(nodeAffinity, node));

/**
 * Returns true if the affinity names nodes and this one is not among them. The scheduler looks at the named nodes only, so
 * NodeAffinity refuses every other one before its own filters come to it.
 */
const isNamedOut = ({ nodeAffinity }: Pick<PodProfile, 'nodeAffinity'>, { name }: Pick<NodeFacts, 'name'>): boolean =>
  nodeAffinity !== null &&
  nodeAffinity.length > 0 &&
  nodeAffinity.every(({ fields }) => {
    const named = fields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    return named.length > 0 && !named.every(({ values }) => values.includes(name));
  });

/** Returns the first plugin that refuses the node whatever runs on it; null: none does. */
export function refusalOfNode(profile: PodProfile, node: NodeFacts): Plugin | null {
  if (isNamedOut(profile, node)) return 'NodeAffinity';
  if (node.isUnschedulable && !isTolerated(profile, UNSCHEDULABLE)) return 'NodeUnschedulable';
  if (isRepelled(profile, node)) return 'TaintToleration';
  if (!isSelected(profile, node)) return 'NodeAffinity';
  return profile.volumes.every((terms) => matchesTerms(terms, node)) ? null : 'VolumeBinding';
}

/** Returns true if two host ports cannot be on one node. */
export function portsConflict(a: string, b: string): boolean {
  const [portA, addressA] = a.split('@');
  const [portB, addressB] = b.split('@');
  return portA === portB && (addressA === undefined || addressB === undefined || addressA === addressB);
}
