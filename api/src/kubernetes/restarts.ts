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
 * The restarts a pod's counters tell of and nobody saw: between two reports, while no collector led or the API was away.
 * `known` are the counts stored for the pod, by container; null at its first sight. Then only a pod younger than the
 * window, or younger than our knowledge of its cluster, has all its restarts in it; of an older one the count says nothing
 * about when. Times in epoch seconds.
 */
export function countedEnds(
  pod: PodObject,
  known: ReadonlyMap<string, number> | null,
  clusterSeenAt: number,
  now: number,
): CountedEnd[] {
  const isYoung = pod.created_at >= Math.min(clusterSeenAt, now - WINDOW_SECONDS);
  return pod.containers.flatMap(({ name, restart_count: count, last_termination: last }) => {
    const before = known ? (known.get(name) ?? 0) : isYoung ? 0 : count;
    const ends: CountedEnd[] = [];
    for (let run = Math.max(before, count - MOST_AT_ONCE); run < count; run += 1)
      ends.push({ container: name, run, at: last?.finished_at ?? now });
    return ends;
  });
}
