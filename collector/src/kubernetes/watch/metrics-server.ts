import type { UsageItem } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS, FIGURE_LIMITS, type ReaderState } from '@plimsoll/contract/rules/kubernetes-limits';
import { boundedNumber } from '@plimsoll/contract/rules/bounded-number';
import { boundedQuantity } from './quantity.ts';
import { readerStateOf, reasonOf } from './api-error.ts';
import type { Connection } from './connection.ts';
import { seconds } from './fields.ts';

const GROUP = '/apis/metrics.k8s.io/v1beta1';
const NEEDS = 'list nodes.metrics.k8s.io,pods.metrics.k8s.io';

interface Usage {
  cpu?: string;
  memory?: string;
}
interface MetricsObject {
  metadata?: { name?: string; namespace?: string };
  timestamp?: string;
  window?: string;
  usage?: Usage;
  containers?: { usage?: Usage }[];
}
interface MetricsList {
  items?: MetricsObject[];
}

export interface MetricsReading {
  state: ReaderState;
  detail: string | null;
  usage: UsageItem[];
}

/** Finds the node of a pod by "namespace/name"; undefined while the watch lacks the pod. */
export type FindPod = (key: string) => { uid: string; node_name: string | null } | undefined;

export const metricsServerNeeds = NEEDS;

/** Nodes' and pods' usage as metrics-server tells it. Never throws: absent, down and forbidden are answers. */
export async function readMetricsServer(connection: Connection, findPod: FindPod): Promise<MetricsReading> {
  try {
    // The group is asked first: an absent one is 404, one whose server is down 503.
    await connection.json({ path: GROUP });
    const nodes = await connection.json<MetricsList>({ path: `${GROUP}/nodes` });
    const pods = await connection.json<MetricsList>({ path: `${GROUP}/pods` });
    return { state: 'ok', detail: null, usage: usageByNode(nodes.items ?? [], pods.items ?? [], findPod) };
  } catch (error) {
    return { state: readerStateOf(error), detail: reasonOf(error, NEEDS), usage: [] };
  }
}

export function usageByNode(nodes: MetricsObject[], pods: MetricsObject[], findPod: FindPod): UsageItem[] {
  const byNode = new Map<string, UsageItem>();
  for (const node of nodes) {
    const name = node.metadata?.name;
    const measuredAt = seconds(node.timestamp);
    if (!name || measuredAt === null) continue;
    byNode.set(name, {
      node_name: name,
      measured_at: measuredAt,
      window_seconds: windowSeconds(node.window),
      cpu_cores: boundedQuantity(node.usage?.cpu, FIGURE_LIMITS.cores),
      memory_working_set_bytes: boundedQuantity(node.usage?.memory, FIGURE_LIMITS.bytes),
      pods: [],
    });
  }
  for (const pod of pods) {
    const found = findPod(`${pod.metadata?.namespace}/${pod.metadata?.name}`);
    const item = found?.node_name ? (byNode.get(found.node_name) ?? itemWithoutNode(found.node_name, pod)) : null;
    if (!found || !item || item.pods.length >= CLUSTER_LIMITS.podsPerNode) continue;
    byNode.set(item.node_name, item);
    item.pods.push({
      uid: found.uid,
      cpu_cores: total(pod, 'cpu'),
      memory_working_set_bytes: total(pod, 'memory'),
    });
  }
  return [...byNode.values()];
}

/** A kubelet may state its pods and not itself, as virtual-kubelet does. Null: the pod has no time. */
function itemWithoutNode(nodeName: string, pod: MetricsObject): UsageItem | null {
  const measuredAt = seconds(pod.timestamp);
  if (measuredAt === null) return null;
  return {
    node_name: nodeName,
    measured_at: measuredAt,
    window_seconds: windowSeconds(pod.window),
    cpu_cores: null,
    memory_working_set_bytes: null,
    pods: [],
  };
}

const MOST = { cpu: FIGURE_LIMITS.cores, memory: FIGURE_LIMITS.bytes } as const;
/** Unknown as soon as one container's figure is: a sum without it would be too low. */
function total(pod: MetricsObject, key: keyof Usage): number | null {
  let sum: number | null = null;
  for (const { usage } of pod.containers ?? []) {
    const value = boundedQuantity(usage?.[key], MOST[key]);
    if (value === null) return null;
    sum = (sum ?? 0) + value;
  }
  return boundedNumber(sum, MOST[key]);
}

const UNITS: Record<string, number> = { ms: 0.001, s: 1, m: 60, h: 3600 };
/** A Go duration such as "15.04s" or "1m0s"; null for anything else. */
export function windowSeconds(text: string | undefined): number | null {
  if (!text || text.length > 32 || !/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return null;
  let sum = 0;
  for (const [, digits, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    sum += Number(digits) * (UNITS[unit ?? ''] ?? 0);
  return sum > 0 ? sum : null;
}
