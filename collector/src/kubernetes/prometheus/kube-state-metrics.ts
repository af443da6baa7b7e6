import type { EndSeen } from '../watch/container-terminations.ts';
import { endsOfCounts, type FindRestartedPod, RESTARTS_METRIC } from './counted-restarts.ts';
import { parseSample } from './exposition.ts';
import type { Controller } from '../watch/pods.ts';
import { type PrometheusApi, PrometheusError, type Series } from './api.ts';

const OWNER_METRICS = {
  kube_pod_owner: 'pod',
  kube_replicaset_owner: 'replicaset',
  kube_job_owner: 'job_name',
} as const;
const LONGEST_CHAIN = 5;
const OWNED_KINDS: Record<string, string> = { ReplicaSet: 'replicaset', Job: 'job_name' };

/**
 * Reads the current counts of kube-state-metrics directly, where no Prometheus stores them. Two readings show which
 * containers restarted between them; nothing before the first reading is available.
 */
export class KubeStateMetrics {
  readonly #api: PrometheusApi;
  #counts: Map<string, number> | null = null;

  constructor(api: PrometheusApi) {
    this.#api = api;
  }

  /** Ends since the last look; none at the first. `now` in epoch seconds. Throws PrometheusError. */
  async ends(findPod: FindRestartedPod, now: number, signal?: AbortSignal): Promise<EndSeen[]> {
    const before = this.#counts;
    const counts = new Map<string, number>();
    const grown: Series[] = [];
    const owners = new Owners();
    let known = 0;
    for await (const line of this.#api.metricLines(signal)) {
      if (!line.startsWith('kube_')) continue;
      known += 1;
      if (owners.take(line) || !line.startsWith(RESTARTS_METRIC)) continue;
      const sample = parseSample(line);
      // Most containers never were restarted: they are not worth remembering.
      if (!sample || sample.value === 0) continue;
      const key = keyOf(sample.labels);
      counts.set(key, sample.value);
      const last = before?.get(key) ?? 0;
      if (before && sample.value > last)
        grown.push({
          labels: sample.labels,
          values: [
            [now, last],
            [now, sample.value],
          ],
        });
    }
    if (known === 0)
      throw new PrometheusError('absent', 'neither Prometheus nor kube-state-metrics is at this address');
    this.#counts = counts;
    return endsOfCounts(grown, findPod, (labels) => owners.of(labels));
  }
}

const keyOf = ({ namespace, pod, container, uid }: Series['labels']): string =>
  [namespace, pod, uid, container].join('/');

/** Finds owners by name: the metrics hold no uids of owners. */
export class Owners {
  readonly #above = new Map<string, Controller>();

  /** False: the line is about something else. */
  take(line: string): boolean {
    const end = line.indexOf('{');
    const metric = end === -1 ? '' : line.slice(0, end);
    if (!(metric in OWNER_METRICS)) return false;
    const { labels } = parseSample(line) ?? { labels: {} };
    this.add(metric as keyof typeof OWNER_METRICS, labels);
    return true;
  }

  add(metric: keyof typeof OWNER_METRICS, labels: Series['labels']): void {
    const { owner_kind: kind, owner_name: name } = labels;
    const own = OWNER_METRICS[metric];
    if (kind && name && kind !== '<none>' && name !== '<none>')
      this.#above.set(`${own}/${labels.namespace}/${labels[own]}`, { kind, name, uid: '' });
  }

  /** The top of the chain of a pod; null for a pod nobody owns. */
  of({ namespace, pod }: Series['labels']): Controller | null {
    let top = this.#above.get(`pod/${namespace}/${pod}`) ?? null;
    for (let step = 0; top && step < LONGEST_CHAIN; step += 1) {
      const own = OWNED_KINDS[top.kind];
      const above = own === undefined ? undefined : this.#above.get(`${own}/${namespace}/${top.name}`);
      if (!above) break;
      top = above;
    }
    return top;
  }
}
