import {
  eventsAnswer,
  kubernetesNode,
  nodeHistoryAnswer,
  nodePodsAnswer,
  podAnswer,
  podHistoryAnswer,
  type KubernetesEvent,
  type Pod,
} from '@plimsoll/contract/wire/kubernetes';
import type { z } from 'zod';
import { CodedError } from '../../errors.ts';
import type { Point } from '../statistics.ts';
import type { ToolContext } from '../types.ts';
import { seconds } from '../../causes/gather/epoch-seconds.ts';
import type { ClusterEvent, Evidence, ImageChange, KubernetesSeen } from './evidence.ts';

const HOUR = 3600;
const HOURS_BEFORE = 12;
const MOST_EVENTS = 100;
/** Pods of a node that are looked at: those that use most CPU now, and the youngest. */
const BUSY_PODS = 4;
const YOUNG_PODS = 3;
const BUCKETS = 120;

const eventOf = (event: KubernetesEvent): ClusterEvent => ({
  type: event.type,
  reason: event.reason,
  kind: event.kind,
  name: event.namespace === '' || event.kind === 'Node' ? event.name : `${event.namespace}/${event.name}`,
  message: event.message,
  at: seconds(event.last_at),
});
const workloadOf = ({ namespace, owner_name: owner, pod_name: name }: Pod): string => `${namespace}/${owner ?? name}`;

/** Null for what the asker does not have: a server may be no node of a known cluster. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof CodedError && error.code !== 'storage_unavailable') return null;
    throw error;
  }
}

const rangeAt = (context: ToolContext, at: number): { start_date: number; end_date: number; buckets: number } => ({
  start_date: Math.floor(at - HOURS_BEFORE * HOUR),
  end_date: Math.ceil(Math.min(context.now, at + HOUR)),
  buckets: BUCKETS,
});

async function usageOf(context: ToolContext, pod: Pod, at: number): Promise<{ cpuCores: Point[]; memoryMb: Point[] }> {
  const found = await orNull(
    context.read('/api/kubernetes/pods/:namespace/:pod/metrics/history', podHistoryAnswer, {
      params: { namespace: pod.namespace, pod: pod.pod_name },
      query: { ...rangeAt(context, at), cluster_id: pod.cluster_id },
    }),
  );
  const metrics = found?.metrics ?? [];
  return {
    cpuCores: metrics.map(({ timestamp, cpu_usage_cores: value }) => ({ at: timestamp, value })),
    memoryMb: metrics.map(({ timestamp, memory_usage_mb: value }) => ({ at: timestamp, value })),
  };
}

interface NodeSeen extends Pick<KubernetesSeen, 'node' | 'neighbours'> {
  imageChanges: ImageChange[];
  events: ClusterEvent[];
}
const NOTHING: NodeSeen = { node: null, neighbours: [], imageChanges: [], events: [] };

async function nodeSeen(
  context: ToolContext,
  name: string,
  clusterId: string | undefined,
  at: number,
): Promise<NodeSeen> {
  const { read } = context;
  const params = { node: name };
  const node = await orNull(
    read('/api/kubernetes/nodes/:node', kubernetesNode, { params, query: { cluster_id: clusterId } }),
  );
  if (node === null) return NOTHING;
  const cluster = { cluster_id: node.cluster_id };
  const hours = Math.min(168, Math.max(1, Math.ceil((context.now - at) / HOUR) + HOURS_BEFORE));
  const list = async (sort: 'cpu' | 'memory' | 'age', order: 'asc' | 'desc', limit: number): Promise<Pod[]> =>
    (
      await read('/api/kubernetes/nodes/:node/pods', nodePodsAnswer, {
        params,
        query: { ...cluster, sort, order, limit },
      })
    ).pods;
  const [history, busy, large, young, ofNode, warnings] = await Promise.all([
    read('/api/kubernetes/nodes/:node/metrics/history', nodeHistoryAnswer, {
      params,
      query: { ...rangeAt(context, at), ...cluster },
    }),
    list('cpu', 'desc', BUSY_PODS),
    list('memory', 'desc', BUSY_PODS),
    list('age', 'asc', YOUNG_PODS),
    read('/api/kubernetes/events', eventsAnswer, {
      query: { ...cluster, name: node.node_name, hours, limit: MOST_EVENTS },
    }),
    read('/api/kubernetes/events', eventsAnswer, {
      query: { ...cluster, type: 'Warning', kind: 'Pod', hours, limit: MOST_EVENTS },
    }),
  ]);
  const pods = [...new Map([...busy, ...large, ...young].map((pod) => [pod.uid, pod])).values()];
  const neighbours = await Promise.all(
    pods.map(async (pod) => ({
      name: `${pod.namespace}/${pod.pod_name}`,
      workload: workloadOf(pod),
      image: pod.containers[0]?.image ?? '',
      cpuLimitCores: pod.limits.cpu_cores,
      createdAt: seconds(pod.created_at),
      ...(await usageOf(context, pod, at)),
    })),
  );
  const imageChanges = await Promise.all(pods.map((pod) => changesOf(context, pod)));
  const point = (of: (row: (typeof history.metrics)[number]) => number | null): Point[] =>
    history.metrics.map((row) => ({ at: row.timestamp, value: of(row) }));
  return {
    node: {
      name: node.node_name,
      ready: node.ready,
      conditions: node.conditions.map(({ type, status, message, since }) => ({
        type,
        status,
        message,
        since: since === null ? null : seconds(since),
      })),
      cores: node.capacity.cpu_cores,
      cpu: point(({ cpu_usage: value }) => value),
      memory: point(({ memory_usage: value }) => value),
    },
    neighbours,
    imageChanges: imageChanges.flat(),
    events: [...ofNode.events, ...warnings.events.filter(({ reason }) => reason === 'Evicted')].map(eventOf),
  };
}

async function changesOf({ read }: ToolContext, pod: Pod): Promise<ImageChange[]> {
  const found = await orNull(
    read('/api/kubernetes/pods/:namespace/:pod', podAnswer, {
      params: { namespace: pod.namespace, pod: pod.pod_name },
      query: { cluster_id: pod.cluster_id },
    }),
  );
  return found === null ? [] : imageChangesOf(found);
}

/** Reads a node with its busiest and youngest pods. Null: the server is no node of a known cluster. */
export async function nodeSurroundings(
  context: ToolContext,
  name: string,
  at: number,
): Promise<Evidence['kubernetes']> {
  const found = await nodeSeen(context, name, undefined, at);
  return found.node === null ? null : { pod: null, waiting: null, restarts: [], volumes: [], ...found };
}

function imageChangesOf({ pod, image_change: change, events }: z.infer<typeof podAnswer>): ImageChange[] {
  const workload = workloadOf(pod);
  if (change !== null) return [{ workload, from: change.from, to: change.to, at: seconds(change.at) }];
  return events.flatMap((event, index) => pulledChange(event, events.slice(index + 1), workload));
}

/** The kubelet says which image it pulls; two names of one repository are a change. */
const PULLED = /image "([^"]+)"/;
function pulledChange(event: KubernetesEvent, older: readonly KubernetesEvent[], workload: string): ImageChange[] {
  const image = PULLED.exec(event.message)?.[1];
  const earlier = older
    .map(({ message }) => PULLED.exec(message)?.[1])
    .find((name) => name !== undefined && name !== image && repository(name) === repository(image));
  if (image === undefined || earlier === undefined) return [];
  return [{ workload, at: seconds(event.first_at), from: earlier, to: image }];
}
const repository = (image: string | undefined): string | undefined => image?.replace(/[:@][^/]*$/, '');
