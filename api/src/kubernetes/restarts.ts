import type { PodObject } from '@plimsoll/contract/wire/cluster-objects';
import { RESTART_WINDOW_HOURS } from '@plimsoll/contract/rules/kubernetes-limits';

export interface CountedEnd {
  container: string;
  run: number;
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
 * seconds. `most`: for each container, the newest.
 */
export function countedEnds(
  pod: PodObject,
  known: ReadonlyMap<string, number> | null,
  clusterSeenAt: number,
  now: number,
  most = MOST_AT_ONCE,
): CountedEnd[] {
  const isYoung = pod.created_at >= Math.min(clusterSeenAt, now - WINDOW_SECONDS);
  return pod.containers.flatMap(({ name, restart_count: count, last_termination: last }) => {
    const before = known ? (known.get(name) ?? 0) : isYoung ? 0 : count;
    const ends: CountedEnd[] = [];
    for (let run = Math.max(before, count - Math.min(most, MOST_AT_ONCE)); run < count; run += 1)
      ends.push({ container: name, run, at: last?.finished_at ?? now });
    return ends;
  });
}
