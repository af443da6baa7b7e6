import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { HistoryNode, HistoryPart } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS, FIGURE_LIMITS, HISTORY_STEP_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';
import { boundedNumber } from '@plimsoll/contract/rules/bounded-number';
import type { PrometheusApi, Series } from './api.ts';
import { nodeFinder, podKey, QUERIES } from './usage.ts';

/** A pod that lives; one of the same name before it was another pod. */
interface PastPod {
  uid: string;
  node_name: string | null;
  /** Epoch seconds. */
  created_at: number;
}
export type FindPastPod = (key: string) => PastPod | undefined;

const HOUR = 3600;
/** A day of 400 pods, an hour of 10,000: answers of some megabytes, which the collector's memory limit allows. */
const POD_HOURS = 10_000;
/** Numbers in one item: about 2 MB of JSON. */
const NUMBERS_PER_ITEM = 150_000;

/** The newest window of what is wanted that is not too large for so many pods. */
export function nextWindow(wanted: { from: number; to: number }, pods: number): { from: number; to: number } {
  const hours = Math.max(1, Math.min(24, Math.floor(POD_HOURS / Math.max(1, pods))));
  return { from: Math.max(wanted.from, wanted.to - hours * HOUR), to: wanted.to };
}

/**
 * Reads a window of history from Prometheus, one entry per node with data: CPU as the mean of each five minutes, memory
 * as of their end.
 */
export async function readHistory(
  api: PrometheusApi,
  window: { from: number; to: number },
  cluster: { nodes: readonly NodeObject[]; findPod: FindPastPod },
  signal?: AbortSignal,
): Promise<HistoryNode[]> {
  const step = HISTORY_STEP_SECONDS;
  // The mean of a bucket is read at its end.
  const ask = (expression: string): Promise<Series[]> =>
    api.queryRange(expression, { from: window.from + step, to: window.to, step }, signal);
  const nodeCpu = await ask(QUERIES.nodeCpu);
  const needsExporter = nodeCpu.length === 0;
  return historyOf(window, cluster, {
    nodeCpu: needsExporter ? await ask(QUERIES.exporterCpu) : nodeCpu,
    nodeMemory: await ask(needsExporter ? QUERIES.exporterMemory : QUERIES.nodeMemory),
    podCpu: await ask(QUERIES.podCpu),
    podMemory: await ask(QUERIES.podMemory),
  });
}

type Past = Record<'nodeCpu' | 'nodeMemory' | 'podCpu' | 'podMemory', Series[]>;
/** One number per bucket. */
interface Track {
  cpu: (number | null)[];
  memory: (number | null)[];
}
interface NodeTrack extends Track {
  pods: Map<string, Track>;
}
/** Tenths of a millicore, whole bytes: more digits would only make the report longer. */
const PRECISION = { cpu: 10_000, memory: 1 } as const;
const MOST = { cpu: FIGURE_LIMITS.cores, memory: FIGURE_LIMITS.bytes } as const;
const KEYS = ['cpu', 'memory'] as const;

export function historyOf(
  { from, to }: { from: number; to: number },
  cluster: { nodes: readonly NodeObject[]; findPod: FindPastPod },
  past: Past,
): HistoryNode[] {
  const buckets = (to - from) / HISTORY_STEP_SECONDS;
  const unknown = (): (number | null)[] => Array.from({ length: buckets }, () => null);
  const tracks = new Map<string, NodeTrack>();
  const nodeOf = nodeFinder(cluster.nodes);
  const isNode = new Set(cluster.nodes.map(({ name }) => name));
  const trackOfNode = (name: string): NodeTrack =>
    getOrMake(tracks, name, () => ({ cpu: unknown(), memory: unknown(), pods: new Map() }));
  for (const key of KEYS) {
    for (const series of key === 'cpu' ? past.nodeCpu : past.nodeMemory) {
      const node = nodeOf(series.labels);
      if (node) fill(trackOfNode(node.name)[key], series, { from, bornAt: node.created_at, key });
    }
    for (const series of key === 'cpu' ? past.podCpu : past.podMemory) {
      const pod = cluster.findPod(podKey(series));
      if (!pod?.node_name || !isNode.has(pod.node_name)) continue;
      const { pods } = trackOfNode(pod.node_name);
      if (!pods.has(pod.uid) && pods.size >= CLUSTER_LIMITS.podsPerNode) continue;
      const track = getOrMake(pods, pod.uid, () => ({ cpu: unknown(), memory: unknown() }));
      fill(track[key], series, { from, bornAt: pod.created_at, key });
    }
  }
  return [...tracks].map(([name, track]) => wireNode(name, track));
}

function getOrMake<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Skips data of an older node with the same name. */
function fill(
  track: (number | null)[],
  { values }: Series,
  { from, bornAt, key }: { from: number; bornAt: number; key: keyof Track },
): void {
  for (const [time, value] of values) {
    const bucket = (time - from) / HISTORY_STEP_SECONDS - 1;
    const known = boundedNumber(value, MOST[key]);
    if (bucket in track && time > bornAt && known !== null)
      track[bucket] = Math.round(known * PRECISION[key]) / PRECISION[key];
  }
}

const wireNode = (name: string, { cpu, memory, pods }: NodeTrack): HistoryNode => ({
  node_name: name,
  cpu_cores: cpu,
  memory_bytes: memory,
  pods: [...pods.keys()],
  pod_cpu_cores: [...pods.values()].flatMap((pod) => pod.cpu),
  pod_memory_bytes: [...pods.values()].flatMap((pod) => pod.memory),
});

/** Cuts a window into items; the last one completes it, also when nothing is known of it. */
export function cutHistory(window: { from: number; to: number }, nodes: readonly HistoryNode[]): HistoryPart[] {
  const parts: HistoryNode[][] = [[]];
  let numbers = 0;
  for (const node of nodes) {
    const size = 2 * (node.cpu_cores.length + node.pod_cpu_cores.length);
    const isFull = (parts.at(-1)?.length ?? 0) >= CLUSTER_LIMITS.nodesPerItem || numbers + size > NUMBERS_PER_ITEM;
    if (numbers > 0 && isFull) {
      parts.push([]);
      numbers = 0;
    }
    parts.at(-1)?.push(node);
    numbers += size;
  }
  return parts.map((list, index) => ({ ...window, complete: index === parts.length - 1, nodes: list }));
}
