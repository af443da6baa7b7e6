import type { V1ContainerState, V1ContainerStateTerminated, V1Pod } from '@kubernetes/client-node';
import { clip } from './fields.ts';

/** States every pod passes through on its way up. */
const HARMLESS = new Set(['ContainerCreating', 'PodInitializing', 'Completed']);

/**
 * Returns the reason to show beside the phase: the pod's own, else its worst container's; null when well. A pod that
 * succeeded is well, although the kubelet may have killed its sidecars at the end.
 */
export function worstReason({ status }: V1Pod): string | null {
  if (status?.reason) return clip(status.reason, 128);
  if (status?.phase === 'Succeeded') return null;
  const states = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].map(
    ({ state }) => state,
  );
  const waiting = reasonIn(states, (state) => state.waiting?.reason);
  const terminated = reasonIn(states, ({ terminated: end }) => end && endReason(end));
  const unscheduled = status?.conditions?.find(
    ({ type, status: value }) => type === 'PodScheduled' && value === 'False',
  );
  return clip(waiting ?? terminated ?? unscheduled?.reason, 128);
}

/** A runtime may give no reason. Then the words are those of kubectl (printPod), and an end without an error needs none. */
function endReason({ reason, signal, exitCode }: V1ContainerStateTerminated): string | undefined {
  if (reason) return reason;
  if (signal) return `Signal:${String(signal)}`;
  return exitCode ? `ExitCode:${String(exitCode)}` : undefined;
}

function reasonIn(
  states: (V1ContainerState | undefined)[],
  read: (state: V1ContainerState) => string | undefined,
): string | undefined {
  const reasons = states.flatMap((state) => (state ? (read(state) ?? []) : []));
  return reasons.find((reason) => !HARMLESS.has(reason));
}
