import { RESTART_WINDOW_HOURS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { EndSeen } from '../watch/container-terminations.ts';
import { endsOfCounts, type FindRestartedPod, RESTARTS_METRIC } from './counted-restarts.ts';
import { Owners } from './kube-state-metrics.ts';
import type { PrometheusApi, Series } from './api.ts';

const STEP_SECONDS = 300;
const WINDOW = `${RESTART_WINDOW_HOURS}h`;
const BY = 'namespace, pod, uid, container';
/** Some dozens of 30,000 containers restarted today: only they are worth a series. */
const COUNTS = `max by (${BY}) (${RESTARTS_METRIC}) and on (${BY}) (changes(${RESTARTS_METRIC}[${WINDOW}] @ end()) > 0)`;
const OWNERS = ['kube_pod_owner', 'kube_replicaset_owner', 'kube_job_owner'] as const;

/** Restarts of the last 24 hours as Prometheus kept them from kube-state-metrics, to five minutes. `now`: epoch seconds. */
export async function readRestarts(
  api: PrometheusApi,
  findPod: FindRestartedPod,
  now: number,
  signal?: AbortSignal,
): Promise<EndSeen[]> {
  const range = { from: Math.floor(now) - RESTART_WINDOW_HOURS * 3600, to: Math.floor(now), step: STEP_SECONDS };
  const counts = await api.queryRange(COUNTS, range, signal);
  const isGone = ({ labels }: Series): boolean => findPod(`${labels.namespace}/${labels.pod}`)?.uid !== labels.uid;
  const owners = new Owners();
  if (counts.some(isGone)) {
    for (const metric of OWNERS) {
      for (const { labels } of await api.query(`last_over_time(${metric}[${WINDOW}])`, signal))
        owners.add(metric, labels);
    }
  }
  return endsOfCounts(counts, findPod, (labels) => owners.of(labels));
}
