import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import { namespaceOf, type Remedy } from './remedies.ts';
import type { NodeAgentSet } from './node-records.ts';

/** Images are pulled and pods started within this time; a later lack is no start. */
const START_MS = 180_000;
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

export type MissingAgents = Pick<ReaderStatePart, 'state' | 'detail' | 'since'> & Remedy;

/**
 * Judges the DaemonSet of the node agents, which the collector of the cluster runs beside. Null while every agent runs, and
 * while it may still start. A node without its agent reports nothing by itself, so only this gives the reason.
 */
export function missingAgents(
  { namespace, name, desired, ready, createdAt, refusal }: NodeAgentSet,
  readers: readonly ReaderStatePart[],
  now: number,
): MissingAgents | null {
  if (desired === null || ready === null || ready >= desired || namespace !== namespaceOf(readers[0])) return null;
  const count = `${String(ready)} of ${String(desired)} node agents run`;
  if (refusal?.includes('PodSecurity') === true)
    return {
      state: 'forbidden',
      detail: `${count}: ${refusal}`,
      since: createdAt / 1000,
      remedy: 'Allow them in their namespace, or set nodeAgent.mode=kubelet in the chart.',
      command: NAME.test(namespace)
        ? `kubectl label namespace ${namespace} pod-security.kubernetes.io/enforce=privileged --overwrite`
        : null,
    };
  if (ready > 0 || now - createdAt < START_MS) return null;
  return {
    state: 'down',
    detail: refusal === null ? count : `${count}: ${refusal}`,
    since: createdAt / 1000,
    remedy: 'Look at the pods of the node agents.',
    command:
      NAME.test(namespace) && NAME.test(name)
        ? `kubectl -n ${namespace} describe daemonset ${name} && kubectl -n ${namespace} get pods -l app.kubernetes.io/component=node-agent`
        : null,
  };
}
