import type { ChangePlace, ChangeRecord } from './types.ts';

/** The failure to explain: its place, and its moment in epoch milliseconds. */
export interface Subject extends ChangePlace {
  at: number;
}
export interface RankedChange extends ChangeRecord {
  /** Why it may explain the subject, for a person. */
  why: string;
}

/** Kinds that act on the traffic, the room or the settings of every workload of their namespace. */
const NEIGHBOURS = new Set([
  'Service',
  'EndpointSlice',
  'Ingress',
  'NetworkPolicy',
  'HorizontalPodAutoscaler',
  'ResourceQuota',
  'LimitRange',
  'PodDisruptionBudget',
  'ConfigMap',
]);
/** Kinds that act on a whole cluster. */
const CLUSTER_WIDE = new Set([
  'Node',
  'PriorityClass',
  'StorageClass',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
]);
/** Fields that explain a failure of the object itself more often than others. */
const TELLING =
  /(?:^|\.)(?:image|command|args|ports|resources|readinessProbe|livenessProbe|envFrom|env|volumes|selector|replicas)(?:\.|$)/;

/**
 * Returns the changes before a subject, the likeliest cause first: a change of the object itself, then of what acts on
 * it, then of the cluster. Of two equally near ones the later comes first. Changes elsewhere are left out.
 */
export function rankChanges(changes: readonly ChangeRecord[], subject: Subject, most = 10): RankedChange[] {
  return changes
    .flatMap((change) => {
      const found = nearness(change, subject);
      return found === null || change.at > subject.at ? [] : [{ ...found, change }];
    })
    .toSorted((a, b) => b.weight - a.weight || b.change.at - a.change.at)
    .slice(0, most)
    .map(({ change, why }) => ({ ...change, why }));
}

interface Nearness {
  weight: number;
  why: string;
}
function nearness(change: ChangeRecord, subject: Subject): Nearness | null {
  if (subject.serverId !== undefined && change.serverId === subject.serverId)
    return { weight: 8 + bonus(change), why: 'on this server' };
  if (subject.clusterId === undefined || change.clusterId !== subject.clusterId)
    return change.source === 'deploy' && change.clusterId === null && change.serverId === null
      ? { weight: 3, why: 'a deployment' }
      : null;
  const isIn = change.namespace !== null && change.namespace === subject.namespace;
  if (
    isIn &&
    change.name === subject.name &&
    (subject.kind === undefined || change.kind === subject.kind || change.source === 'deploy')
  )
    return { weight: 9 + bonus(change), why: 'this object itself' };
  if (isIn && NEIGHBOURS.has(change.kind))
    return { weight: (sharesName(change, subject) ? 7 : 5) + bonus(change), why: `a ${change.kind} of its namespace` };
  if (isIn) return { weight: 4 + bonus(change), why: 'in its namespace' };
  if (change.kind === 'Node' && subject.kind === 'Node' && change.name === subject.name)
    return { weight: 9, why: 'this node itself' };
  if (change.namespace === null && CLUSTER_WIDE.has(change.kind))
    return { weight: 3, why: `a ${change.kind} of its cluster` };
  return subject.namespace === undefined ? { weight: 2, why: 'in its cluster' } : null;
}

/** A gone object, and a telling field, weigh more than a label. Less than one step of nearness. */
const bonus = ({ action, fields }: ChangeRecord): number =>
  (action === 'gone' ? 0.5 : 0) + (fields.some(({ field }) => TELLING.test(field)) ? 0.4 : 0);

/** "checkout" and "checkout-7d9f8": names of one application begin alike. */
const sharesName = ({ name }: ChangeRecord, subject: Subject): boolean =>
  subject.name !== undefined && (name.startsWith(subject.name) || subject.name.startsWith(name));
