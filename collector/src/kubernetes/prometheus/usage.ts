import type { NodeObject } from '@plimsoll/contract/wire/cluster-objects';
import type { UsageItem } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS, FIGURE_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { FindPod } from '../watch/metrics-server.ts';
import { boundedNumber } from '@plimsoll/contract/rules/bounded-number';
import type { PrometheusApi, Series } from './api.ts';

/** Long enough for two scrapes a minute apart with one lost between them. */
const RATE_WINDOW_SECONDS = 300;
const WINDOW = '[5m]';
/** Which label names the node depends on who wrote the scrape configuration. */
const NODE_LABELS = ['node', 'kubernetes_node', 'kubernetes_io_hostname', 'instance'] as const;
const BY_NODE = `by (${NODE_LABELS.join(', ')})`;
/** Without the cgroup of the whole pod and the container that only holds its network. */
const CONTAINERS = '{container!="",container!="POD"}';
/** The larger one where two jobs or two replicas scrape the same container: their sum would be twice the truth. */
const sumOfContainers = (expression: string): string =>
  `sum by (namespace, pod) (max by (namespace, pod, container) (${expression}))`;

/** Cores and bytes. Of a node as its kubelet's cAdvisor sees it, else as node-exporter does. */
export const QUERIES = {
  nodeCpu: `max ${BY_NODE} (rate(container_cpu_usage_seconds_total{id="/"}${WINDOW}))`,
  nodeMemory: `max ${BY_NODE} (container_memory_working_set_bytes{id="/"})`,
  exporterCpu: `sum ${BY_NODE} (rate(node_cpu_seconds_total{mode!~"idle|iowait|steal"}${WINDOW}))`,
  exporterMemory: `max ${BY_NODE} (node_memory_MemTotal_bytes - node_memory_MemAvailable_bytes)`,
  podCpu: sumOfContainers(`rate(container_cpu_usage_seconds_total${CONTAINERS}${WINDOW})`),
  podMemory: sumOfContainers(`container_memory_working_set_bytes${CONTAINERS}`),
  scrapedAt: `max ${BY_NODE} (timestamp(container_memory_working_set_bytes) or timestamp(node_memory_MemAvailable_bytes))`,
} as const;

/** Finds the node a series is about: by name, or by the address that was scraped. */
export function nodeFinder(nodes: Iterable<NodeObject>): (labels: Series['labels']) => NodeObject | null {
  const known = new Map<string, NodeObject>();
  const shared = new Set<string>();
  const all = [...nodes];
  for (const node of all) {
    const { internal_ip: address } = node;
    if (address === null) continue;
    if (known.has(address)) shared.add(address);
    known.set(address, node);
  }
  // Virtual nodes share an address with each other or with a real node: then it names none of them.
  for (const address of shared) known.delete(address);
  for (const node of all) known.set(node.name, node);
  return (labels) => {
    for (const label of NODE_LABELS) {
      const value = labels[label] ?? '';
      const found = known.get(value) ?? known.get(value.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
      if (found) return found;
    }
    return null;
  };
}

/** CPU and memory of the given nodes and of their pods, as old as the last scrape of each node. */
export async function readUsage(
  api: PrometheusApi,
  nodes: readonly NodeObject[],
  findPod: FindPod,
  signal?: AbortSignal,
): Promise<UsageItem[]> {
  const ask = (expression: string): Promise<Series[]> => api.query(expression, signal);
  const [scrapedAt, nodeCpu, nodeMemory] = await Promise.all([
    ask(QUERIES.scrapedAt),
    ask(QUERIES.nodeCpu),
    ask(QUERIES.nodeMemory),
  ]);
  const [podCpu, podMemory] = [await ask(QUERIES.podCpu), await ask(QUERIES.podMemory)];
  const needsExporter = nodeCpu.length === 0;
  const [exporterCpu, exporterMemory] = needsExporter
    ? await Promise.all([ask(QUERIES.exporterCpu), ask(QUERIES.exporterMemory)])
    : [[], []];
  return usageOf(nodes, findPod, {
    scrapedAt,
    nodeCpu: needsExporter ? exporterCpu : nodeCpu,
    nodeMemory: needsExporter ? exporterMemory : nodeMemory,
    podCpu,
    podMemory,
  });
}

interface Readings {
  scrapedAt: Series[];
  nodeCpu: Series[];
  nodeMemory: Series[];
  podCpu: Series[];
  podMemory: Series[];
}

/** A node nobody scraped lately is left out: a figure without an age is none. */
export function usageOf(nodes: readonly NodeObject[], findPod: FindPod, readings: Readings): UsageItem[] {
  const nodeOf = nodeFinder(nodes);
  const items = new Map<string, UsageItem>();
  for (const { labels, values } of readings.scrapedAt) {
    const node = nodeOf(labels);
    const at = boundedNumber(values[0]?.[1], FIGURE_LIMITS.epochSeconds);
    if (!node || at === null || at <= (items.get(node.name)?.measured_at ?? 0)) continue;
    items.set(node.name, {
      node_name: node.name,
      source: 'prometheus',
      measured_at: at,
      window_seconds: RATE_WINDOW_SECONDS,
      cpu_cores: null,
      memory_working_set_bytes: null,
      pods: [],
    });
  }
  fillNodes(items, nodeOf, readings);
  fillPods(items, findPod, readings);
  return [...items.values()];
}

const coresOf = ({ values }: Series): number | null => boundedNumber(values[0]?.[1], FIGURE_LIMITS.cores);
const bytesOf = ({ values }: Series): number | null => boundedNumber(values[0]?.[1], FIGURE_LIMITS.bytes);

function fillNodes(
  items: ReadonlyMap<string, UsageItem>,
  nodeOf: ReturnType<typeof nodeFinder>,
  { nodeCpu, nodeMemory }: Readings,
): void {
  const itemOf = ({ labels }: Series): UsageItem | undefined => items.get(nodeOf(labels)?.name ?? '');
  for (const series of nodeCpu) {
    const item = itemOf(series);
    if (item) item.cpu_cores = coresOf(series);
  }
  for (const series of nodeMemory) {
    const item = itemOf(series);
    if (item) item.memory_working_set_bytes = bytesOf(series);
  }
}

export const podKey = ({ labels }: Series): string => `${labels.namespace}/${labels.pod}`;

function fillPods(items: ReadonlyMap<string, UsageItem>, findPod: FindPod, { podCpu, podMemory }: Readings): void {
  const cpu = new Map(podCpu.map((series) => [podKey(series), coresOf(series)]));
  for (const series of podMemory) {
    const key = podKey(series);
    const pod = findPod(key);
    const item = pod?.node_name ? items.get(pod.node_name) : undefined;
    if (!pod || !item || item.pods.length >= CLUSTER_LIMITS.podsPerNode) continue;
    item.pods.push({ uid: pod.uid, cpu_cores: cpu.get(key) ?? null, memory_working_set_bytes: bytesOf(series) });
  }
}
