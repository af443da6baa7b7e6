import type { ContainerEnd, ContainerObject } from '@plimsoll/contract/wire/cluster-objects';
import type { Controller, ProjectedPod } from './pods.ts';

/** The top of the chain of owners is looked up when the report is made: the links may come after the pod. */
export type EndSeen = Omit<ContainerEnd, 'owner'> & { controller: Controller | null };

/**
 * Returns every run of a container that ended between two states of its pod. `before` null: the pod is new to us, so only
 * its own state is read, and an end without a time may be old: it is left out. A restart that nobody saw has a null reason.
 */
export function endsBetween(before: ProjectedPod | null, after: ProjectedPod, nowSeconds: number): EndSeen[] {
  return after.containers.flatMap((container) => {
    const known = before?.containers.find(({ name }) => name === container.name) ?? null;
    const latest = before === null ? null : nowSeconds;
    return [...restartsOf(known, container, latest), ...finalEndOf(known, container, latest)].map((end) => ({
      pod_uid: after.uid,
      namespace: after.namespace,
      pod_name: after.name,
      node_name: after.node_name,
      controller: after.controller,
      container: container.name,
      memory_limit_bytes: container.limits.memory_bytes,
      ...end,
    }));
  });
}

type End = Pick<EndSeen, 'run' | 'restarted' | 'at' | 'reason' | 'exit_code'>;

/** `latest`: when an end without a time happened at the latest; null: it is not known. */
function restartsOf(known: ContainerObject | null, now: ContainerObject, latest: number | null): End[] {
  const last = now.restart_count - 1;
  const first = known ? known.restart_count : last;
  const ends: End[] = [];
  for (let run = Math.max(0, first, last - MOST_AT_ONCE); run <= last; run += 1) {
    const told = run === last ? now.last_termination : null;
    const at = now.last_termination?.finished_at ?? latest;
    if (at !== null)
      ends.push({ run, restarted: true, at, reason: told?.reason ?? null, exit_code: told?.exit_code ?? null });
  }
  return ends;
}

/** A count that jumps by more is a mistake of its source, not a thousand restarts between two looks. */
const MOST_AT_ONCE = 1000;

/**
 * A run that ended badly and is not (yet) restarted: the OOM kill of a Job's pod never is. The kernel may kill a child of a
 * container that then ends with 0.
 */
function finalEndOf(known: ContainerObject | null, now: ContainerObject, latest: number | null): End[] {
  if (!now.exit || (now.exit.exit_code === 0 && now.exit.reason !== 'OOMKilled')) return [];
  if (known?.exit && known.restart_count === now.restart_count) return [];
  const { reason, exit_code, finished_at } = now.exit;
  const at = finished_at ?? latest;
  return at === null ? [] : [{ run: now.restart_count, restarted: false, at, reason, exit_code }];
}
