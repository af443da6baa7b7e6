import { clustersAnswer } from '@plimsoll/contract/wire/kubernetes';
import type { ReadCall } from '../types.ts';
import type { Understood } from './asked.ts';

/** Answers that can be about one cluster. */
const OF_CLUSTER = new Set<Understood['subject']>([
  'pods',
  'nodes',
  'workloads',
  'namespaces',
  'capacity',
  'kubernetes_events',
  'alerts',
]);

/**
 * Returns a question with its cluster as such: "pods in prod-1" has a namespace, a cluster or a node, and only the stored
 * names say which. Null: the question names a cluster that does not report.
 */
export async function inCluster(understood: Understood, read: ReadCall): Promise<Understood | null> {
  const { subject, input, names, terms } = understood;
  const asked = names[0] ?? input['namespace'];
  if (!OF_CLUSTER.has(subject) || typeof asked !== 'string') return understood;
  const { clusters } = await read('/api/kubernetes/clusters', clustersAnswer);
  const found = clusters.find(({ cluster_id: id, name }) =>
    [id, name].some((one) => one?.toLowerCase() === asked.toLowerCase()),
  );
  if (found === undefined) return subject === 'pods' && terms.has('cluster') && !terms.has('node') ? null : understood;
  const rest = Object.entries(input).filter(([, value]) => value !== asked);
  return {
    ...understood,
    input: { ...Object.fromEntries(rest), cluster_id: found.cluster_id },
    cluster: found.name ?? found.cluster_id,
  };
}
