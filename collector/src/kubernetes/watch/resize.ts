import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node';
import type { ContainerObject, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import { clip, seconds } from './fields.ts';
import type { Figures } from './figures.ts';

type Resize = NonNullable<PodObject['resize']>;

/** States of `status.resize` in Kubernetes 1.27 to 1.32; later versions use the two conditions. */
const OLD_STATES = new Map<string | undefined, Resize['state']>([
  ['Proposed', 'pending'],
  ['InProgress', 'in_progress'],
  ['Deferred', 'deferred'],
  ['Infeasible', 'infeasible'],
]);

/**
 * Returns how far a change in place of the pod's requests or limits is. Null: there is none. The kubelet refuses for good
 * (infeasible), for now (deferred), or is at it; a newer wish that it refuses comes before an older one it is at.
 */
export function resizeOf({ status }: V1Pod): Resize | null {
  const conditionOf = (type: string) => status?.conditions?.find((one) => one.type === type && one.status === 'True');
  const pending = conditionOf('PodResizePending');
  const atWork = conditionOf('PodResizeInProgress');
  const told = pending ?? atWork;
  if (told !== undefined)
    return {
      state: pending ? pendingState(pending.reason) : atWorkState(told.reason),
      message: clip(told.message),
      since: since(told),
    };
  const old = OLD_STATES.get(status?.resize);
  return old === undefined ? null : { state: old, message: null, since: null };
}

const pendingState = (reason: string | undefined): Resize['state'] =>
  reason === 'Infeasible' ? 'infeasible' : reason === 'Deferred' ? 'deferred' : 'pending';
const atWorkState = (reason: string | undefined): Resize['state'] => (reason === 'Error' ? 'error' : 'in_progress');
const since = ({ lastTransitionTime }: { lastTransitionTime?: Date }): number | null => seconds(lastTransitionTime);

/** Returns what the kubelet applied to a container where that is not what is wanted. */
export function runningAmounts(
  wanted: Pick<ContainerObject, 'name' | 'requests' | 'limits'>,
  applied: V1ContainerStatus['resources'] | null,
  figures: Figures,
): Pick<ContainerObject, 'running_requests' | 'running_limits'> {
  if (applied === undefined || applied === null) return {};
  const { name } = wanted;
  const running = {
    requests: figures.amounts(applied.requests, `${name}.running.requests`),
    limits: figures.amounts(applied.limits, `${name}.running.limits`),
  };
  const isSame = (['requests', 'limits'] as const).every(
    (kind) =>
      running[kind].cpu_cores === wanted[kind].cpu_cores && running[kind].memory_bytes === wanted[kind].memory_bytes,
  );
  return isSame ? {} : { running_requests: running.requests, running_limits: running.limits };
}
