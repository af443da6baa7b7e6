import type { PodObject } from '@plimsoll/contract/wire/cluster-objects';
import { RESTART_WINDOW_HOURS } from '@plimsoll/contract/rules/kubernetes-limits';

/** Runs of one container that ended: from `first` to the one before `end`. */
export interface MissedRuns {
  container: string;
  first: number;
  end: number;
  /** Epoch seconds. */
  at: number;
}

const WINDOW_SECONDS = RESTART_WINDOW_HOURS * 3600;
/** A count that jumps by more is a mistake of its source. */
const MOST_AT_ONCE = 1000;

/**
 * Returns the restarts that only a pod's counters show: those between two reports, while no collector led or the API was
 * away. `known` are the stored counts of the pod, by container; null for a new pod. All restarts of a new pod count only
 * if the pod, or our record of its cluster, is younger than the window; an older pod's count has no times. Times in epoch
 * seconds.
 */
export function missedRuns(
  pod: PodObject,
  known: ReadonlyMap<string, number> | null,
  clusterSeenAt: number,
  now: number,
): MissedRuns[] {
  const isYoung = pod.created_at >= Math.min(clusterSeenAt, now - WINDOW_SECONDS);
  return pod.containers.flatMap(({ name, restart_count: count, last_termination: last }) => {
    const before = known ? (known.get(name) ?? 0) : isYoung ? 0 : count;
    const first = Math.max(before, count - MOST_AT_ONCE);
    return first < count ? [{ container: name, first, end: count, at: last?.finished_at ?? now }] : [];
  });
}

/**
 * Keeps `most` runs of all containers together, at least one of each. Containers that missed few keep all; the others
 * keep their newest, each as many.
 */
export function keepNewest<T extends MissedRuns>(missed: readonly T[], most: number): T[] {
  let left = most;
  let share = Infinity;
  const lengths = missed.map(({ first, end }) => end - first).toSorted((a, b) => a - b);
  for (const [index, length] of lengths.entries()) {
    share = Math.max(1, Math.floor(left / (lengths.length - index)));
    if (length > share) break;
    left -= length;
    share = Infinity;
  }
  return missed.map((one) => ({ ...one, first: Math.max(one.first, one.end - share) }));
}
