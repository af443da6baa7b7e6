import { setTimeout as pause } from 'node:timers/promises';
import { HISTORY_STEP_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { HistoryPart } from '@plimsoll/contract/wire/cluster-report';
import { podCores, podMemory, usageOf } from './clusters.ts';
import { figuresAt } from './figures.ts';
import { sendItem, type DemoCluster, type Post } from './machines.ts';
import { nodesOf, podsOf, type Cluster, type DemoPod } from './pods.ts';
import type { Stories } from './stories.ts';

/** One request: half a day of a cluster is about 0.6 MB. */
const WINDOW_SECONDS = 12 * 3600;
/** The API takes one request a second of a cluster's collector. */
const PACE_MS = 1200;
const MOST_TRIES = 10;

interface Range {
  from: number;
  to: number;
}

/**
 * Returns the usage of nodes and pods in a range of the past, in the form in which a collector hands on what Prometheus
 * stored. Both ends lie on the edge of a bucket.
 */
function usageHistory(cluster: Cluster, { from, to }: Range, stories: Stories): HistoryPart {
  const times = Array.from(
    { length: (to - from) / HISTORY_STEP_SECONDS },
    (_, index) => from + index * HISTORY_STEP_SECONDS,
  );
  const listed = times.map((at) => podsOf(cluster, at, stories));
  const nodes = nodesOf(cluster).map((host) => {
    const figures = times.map((at) => figuresAt(host, at, stories));
    const usage = figures.map((one) => (one === null ? null : usageOf(host, one)));
    const present = listed.map(
      (pods) => new Map(pods.filter(({ node }) => node === host.name).map((pod) => [pod.uid, pod])),
    );
    const uids = [...new Set(present.flatMap((pods) => [...pods.keys()]))];
    const each = (figure: (pod: DemoPod, index: number, bucket: number) => number | null): (number | null)[] =>
      uids.flatMap((uid, index) =>
        present.map((pods, bucket) => {
          const pod = pods.get(uid);
          return pod === undefined ? null : figure(pod, index, bucket);
        }),
      );
    return {
      node_name: host.name,
      cpu_cores: usage.map((one) => one && Math.round(one.cpuCores * 1e4) / 1e4),
      memory_bytes: usage.map((one) => one && Math.round(one.memoryBytes)),
      pods: uids,
      pod_cpu_cores: each((pod, index, bucket) => {
        const of = figures[bucket];
        return of ? Math.round(podCores(pod, index, of, times[bucket] ?? from) * 1e4) / 1e4 : null;
      }),
      pod_memory_bytes: each((pod) => Math.round(podMemory(pod))),
    };
  });
  return { from, to, complete: true, nodes };
}

/** Sends an item again after a refusal, as a collector does: a busy machine may answer 429 or 503. */
async function sendPatiently(post: Post, of: DemoCluster, range: Range, stories: Stories): Promise<void> {
  const { now } = stories;
  const item = { kind: 'cluster' as const, ts: now, history: usageHistory(of.cluster, range, stories) };
  for (let tries = 1; ; tries += 1) {
    try {
      await sendItem(post, of, now, item);
      return;
    } catch (error) {
      if (tries === MOST_TRIES) throw error;
      await pause(PACE_MS * tries);
    }
  }
}

/** Fills the usage of nodes and pods, the newest first, as a collector does that found a Prometheus. */
export async function fillUsageHistory(
  post: Post,
  clusters: readonly DemoCluster[],
  stories: Stories,
  days: number,
): Promise<void> {
  const now = Math.floor(stories.now / HISTORY_STEP_SECONDS) * HISTORY_STEP_SECONDS;
  for (let to = now; to > now - days * 86_400; to -= WINDOW_SECONDS) {
    const range = { from: to - WINDOW_SECONDS, to };
    await Promise.all(clusters.map((of) => sendPatiently(post, of, range, stories)));
    await pause(PACE_MS);
  }
}
