import { FIGURE_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { EndSeen } from '../watch/container-terminations.ts';
import type { Controller } from '../watch/pods.ts';
import { boundedNumber } from '@plimsoll/contract/rules/bounded-number';
import type { Series } from './api.ts';

/** Metric of kube-state-metrics: lifetime restarts of one container of one pod, at one or several moments. */
export const RESTARTS_METRIC = 'kube_pod_container_status_restarts_total';
/** A count that jumps by more is a mistake of its source. */
const MOST_AT_ONCE = 1000;

/** Finds a pod by "namespace/name"; undefined when it is gone. */
export type FindRestartedPod = (
  key: string,
) => { uid: string; created_at: number; node_name: string | null; controller: Controller | null } | undefined;
/** Owner of a pod that is gone. */
export type FindOwner = (labels: Series['labels']) => Controller | null;

/**
 * The runs that ended between the moments of a counter, with the moment the count was first seen higher. A run is
 * identified by its number, so the watch, the pod's own count and this counter never count one run twice.
 */
export function endsOfCounts(series: readonly Series[], findPod: FindRestartedPod, ownerOf: FindOwner): EndSeen[] {
  return series.flatMap(({ labels, values }) => {
    const { namespace, pod: podName, container } = labels;
    if (!namespace || !podName || !container) return [];
    const living = findPod(`${namespace}/${podName}`);
    // Before version 2 kube-state-metrics told no uid: the living pod is meant as long as it lives.
    const uid = labels.uid || living?.uid;
    if (!uid) return [];
    const pod = living?.uid === uid ? living : null;
    const seen = labels.uid || !living ? values : values.filter(([time]) => time >= living.created_at);
    return runsOf(seen).map(({ run, at }) => ({
      pod_uid: uid,
      namespace,
      pod_name: podName,
      node_name: pod?.node_name ?? null,
      controller: pod ? pod.controller : ownerOf(labels),
      container,
      run,
      restarted: true,
      at,
      reason: null,
      exit_code: null,
      memory_limit_bytes: null,
    }));
  });
}

/** A count that went back is another pod's or a broken one: nothing can be said of that step. */
function runsOf(values: Series['values']): { run: number; at: number }[] {
  const runs: { run: number; at: number }[] = [];
  for (const [index, [at, count]] of values.entries()) {
    const before = values[index - 1]?.[1] ?? count;
    // Kubernetes counts restarts in an int32. Any other count is a mistake of its source.
    if ([before, count].some((one) => !Number.isInteger(one) || boundedNumber(one, FIGURE_LIMITS.int32) === null))
      continue;
    for (let run = Math.max(before, count - MOST_AT_ONCE); run < count; run += 1) runs.push({ run, at });
  }
  return runs;
}
