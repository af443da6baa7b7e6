import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { describedStatesAnswer } from '@plimsoll/contract/wire/changes';
import {
  eventsAnswer,
  nodesAnswer,
  ownersAnswer,
  podAnswer,
  podHistoryAnswer,
  podsAnswer,
  type KubernetesEvent,
  type KubernetesNode,
  type Pod,
} from '@plimsoll/contract/wire/kubernetes';
import { nodeSurroundings } from '../../ai/analyser/gather-kubernetes.ts';
import type { ToolContext } from '../../ai/types.ts';
import type { ClaimSeen, Evidence, NodeSeen, ObjectSeen, PodSeen, WorkloadSeen } from '../evidence.ts';
import { eventSeen, nodeSeen, podSeen } from './objects-seen.ts';
import { MOST, orNull, readList } from './reads.ts';

/** Reads what is known of a cluster around some alerts. Everything is bounded: a cluster may have 5,000 pods. */

export interface ClusterAsked {
  clusterId: string;
  namespaces: readonly string[];
  /** Names of workloads and claims with an alert, as NAMESPACE/NAME. */
  alarmed: ReadonlySet<string>;
  /** Nodes with an alert. */
  nodes: ReadonlySet<string>;
  first: number;
  last: number;
}
type ClusterPart = Pick<Evidence, 'objects' | 'pods' | 'nodes' | 'workloads' | 'events' | 'claims'>;

const SYSTEM = 'kube-system';
const BUCKETS = 120;

export async function readObjects(context: ToolContext, asked: ClusterAsked): Promise<ClusterPart> {
  const { clusterId, namespaces } = asked;
  const [objects, pods, nodes, workloads, events] = await Promise.all([
    readStates(context, asked),
    readPods(context, asked),
    readNodes(context, clusterId),
    Promise.all([...namespaces, SYSTEM].map((namespace) => readWorkloads(context, clusterId, namespace))),
    readEvents(context, asked),
  ]);
  const [details, busy, usage] = await Promise.all([
    readDetails(
      context,
      pods.filter((pod) => isWorthDetails(pod, asked)),
    ),
    readBusyNodes(context, nodes, asked),
    readUsage(context, worthUsage(pods, asked), asked),
  ]);
  const known = new Map(pods.map((pod) => [nameOf(pod), pod]));
  return {
    objects,
    nodes: nodes.map((node) => ({ ...nodeSeen(node), ...busy.nodes.get(node.node_name) })),
    workloads: workloads.flat(),
    events: [...new Map([...events, ...details.events].map((event) => [event.id, event])).values()].map(eventSeen),
    claims: details.claims,
    pods: [...known.values()].map((pod) => {
      const name = nameOf(pod);
      return {
        ...podSeen(pod),
        ...details.restarts.get(name),
        ...(usage.get(name) ?? busy.pods.get(name)),
      };
    }),
  };
}

const nameOf = (pod: Pod): string => `${pod.namespace}/${pod.pod_name}`;
const ownerName = (pod: Pod): string => `${pod.namespace}/${pod.owner_name ?? pod.pod_name}`;
/** Pods with an alert, and then those that a limit may slow down: a check that fails names no pod. */
const worthUsage = (pods: readonly Pod[], { alarmed, namespaces }: ClusterAsked): Pod[] => [
  ...pods.filter((pod) => alarmed.has(ownerName(pod))),
  ...pods.filter(
    (pod) =>
      !alarmed.has(ownerName(pod)) &&
      namespaces.includes(pod.namespace) &&
      pod.containers.some(({ limits }) => limits.cpu_cores !== null),
  ),
];
const isUnwell = ({ ready, phase }: Pod): boolean => !ready && phase !== 'Succeeded';
const isWorthDetails = (pod: Pod, { alarmed }: ClusterAsked): boolean =>
  isUnwell(pod) ||
  pod.restarts_24h > 0 ||
  (pod.claims.length > 0 &&
    [ownerName(pod), ...pod.claims.map((claim) => `${pod.namespace}/${claim}`)].some((name) => alarmed.has(name)));

async function readStates(context: ToolContext, { clusterId, namespaces }: ClusterAsked): Promise<ObjectSeen[]> {
  const query = { cluster_id: clusterId, namespaces: [...new Set([...namespaces, SYSTEM])].join(',') };
  const objects = await readList(context, '/api/changes/states', describedStatesAnswer, 'objects', query);
  return objects.map((object) => ({ ...object, clusterId }));
}

/** Pods of the namespaces, those of the workloads with an alert, those that wait, the resolver's, and those of the nodes with an alert. */
async function readPods(context: ToolContext, { clusterId, namespaces, nodes, alarmed }: ClusterAsked): Promise<Pod[]> {
  const list = (query: Record<string, string | number>): Promise<Pod[]> =>
    readList(context, '/api/kubernetes/pods', podsAnswer, 'pods', { cluster_id: clusterId, ...query });
  const lists = await Promise.all([
    ...namespaces.map((namespace) =>
      list({ namespace, limit: MOST.podsOfNamespace, sort: 'restarts_24h', order: 'desc' }),
    ),
    // In a large namespace the list may hold others only.
    ...[...alarmed].slice(0, MOST.podDetails).map((name) => {
      const [namespace = '', owner = ''] = name.split('/');
      return list({ namespace, owner_name: owner, limit: MOST.podsOfNamespace, sort: 'restarts_24h', order: 'desc' });
    }),
    list({ phase: 'Pending', limit: MOST.pendingPods }),
    list({ phase: 'Failed', limit: MOST.pendingPods }),
    list({ namespace: SYSTEM, search: 'dns', limit: MOST.pendingPods }),
    ...[...nodes].map((node) => list({ node_name: node, limit: MOST.podsOfNamespace, sort: 'memory', order: 'desc' })),
  ]);
  return [...new Map(lists.flat().map((pod) => [pod.uid, pod])).values()];
}

const readNodes = (context: ToolContext, clusterId: string): Promise<KubernetesNode[]> =>
  readList(context, '/api/kubernetes/nodes', nodesAnswer, 'nodes', { cluster_id: clusterId, limit: MOST.nodes });

async function readWorkloads(context: ToolContext, clusterId: string, namespace: string): Promise<WorkloadSeen[]> {
  const query = { cluster_id: clusterId, namespace, limit: MOST.podsOfNamespace };
  const owners = await readList(context, '/api/kubernetes/owners', ownersAnswer, 'owners', query);
  return owners.flatMap(({ owner_kind: kind, owner_name: name, desired, ready }) =>
    kind === null || name === null ? [] : [{ clusterId, namespace, kind, name, desired, ready }],
  );
}

async function readEvents(
  context: ToolContext,
  { clusterId, namespaces, first }: ClusterAsked,
): Promise<KubernetesEvent[]> {
  const hours = Math.min(168, Math.max(1, Math.ceil((context.now - first) / HOUR_SECONDS) + 2));
  const list = (query: Record<string, string>): Promise<KubernetesEvent[]> => {
    const all = { cluster_id: clusterId, hours, limit: MOST.events, ...query };
    return readList(context, '/api/kubernetes/events', eventsAnswer, 'events', all);
  };
  const lists = await Promise.all([list({ type: 'Warning' }), ...namespaces.map((namespace) => list({ namespace }))]);
  return lists.flat();
}

interface Details {
  restarts: Map<string, Pick<PodSeen, 'restarts'>>;
  claims: ClaimSeen[];
  events: KubernetesEvent[];
}
/** Restarts and volumes of the pods that are worst off, a few of each workload. */
async function readDetails(context: ToolContext, pods: readonly Pod[]): Promise<Details> {
  const worst = spread(
    pods.toSorted((a, b) => Number(isUnwell(b)) - Number(isUnwell(a)) || b.restarts_24h - a.restarts_24h),
  );
  const found = await Promise.all(
    worst.slice(0, MOST.podDetails).map((pod) =>
      orNull(
        context.read('/api/kubernetes/pods/:namespace/:pod', podAnswer, {
          params: { namespace: pod.namespace, pod: pod.pod_name },
          query: { cluster_id: pod.cluster_id },
        }),
      ),
    ),
  );
  const known = found.flatMap((detail) => detail ?? []);
  const claims = known.flatMap(({ pod, volumes }) =>
    volumes.map((volume): ClaimSeen => ({
      clusterId: pod.cluster_id,
      namespace: pod.namespace,
      name: volume.claim,
      phase: volume.phase,
      storageClass: volume.storage_class,
      usedPercent:
        volume.capacity_mb === null || volume.used_mb === null || volume.capacity_mb === 0
          ? null
          : (100 * volume.used_mb) / volume.capacity_mb,
      reason: volume.reason,
    })),
  );
  return {
    restarts: new Map(
      known.map(({ pod, restarts }) => [
        nameOf(pod),
        {
          restarts: restarts.map(
            ({ timestamp, reason, exit_code: exitCode, memory_limit_mb: limit, oom_killed: killed }) => ({
              at: timestamp,
              reason: killed ? 'OOMKilled' : reason,
              exitCode,
              memoryLimitMb: limit,
            }),
          ),
        },
      ]),
    ),
    claims: [...new Map(claims.map((claim) => [`${claim.namespace}/${claim.name}`, claim])).values()],
    events: known.flatMap(({ events }) => events),
  };
}

/** One pod of each workload first, then the second ones: no workload takes all the room. */
function spread(pods: readonly Pod[]): Pod[] {
  const seen = new Map<string, number>();
  return pods
    .map((pod) => {
      const turn = seen.get(ownerName(pod)) ?? 0;
      seen.set(ownerName(pod), turn + 1);
      return { pod, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ pod }) => pod);
}

type Usage = Pick<PodSeen, 'cpuCores' | 'memoryMb'>;
async function readUsage(
  context: ToolContext,
  pods: readonly Pod[],
  { first, last }: ClusterAsked,
): Promise<Map<string, Usage>> {
  const range = {
    start_date: Math.floor(first - 12 * HOUR_SECONDS),
    end_date: Math.ceil(Math.min(context.now, last + HOUR_SECONDS)),
    buckets: BUCKETS,
  };
  const found = await Promise.all(
    spread(pods)
      .slice(0, MOST.podSeries)
      .map(async (pod): Promise<[string, Usage]> => {
        const history = await orNull(
          context.read('/api/kubernetes/pods/:namespace/:pod/metrics/history', podHistoryAnswer, {
            params: { namespace: pod.namespace, pod: pod.pod_name },
            query: { ...range, cluster_id: pod.cluster_id },
          }),
        );
        const metrics = history?.metrics ?? [];
        return [
          nameOf(pod),
          {
            cpuCores: metrics.map(({ timestamp: at, cpu_usage_cores: value }) => ({ at, value })),
            memoryMb: metrics.map(({ timestamp: at, memory_usage_mb: value }) => ({ at, value })),
          },
        ];
      }),
  );
  return new Map(found);
}

interface Busy {
  nodes: Map<string, Pick<NodeSeen, 'cpu' | 'memory'>>;
  pods: Map<string, Usage>;
}
/** Figures of the nodes in question, and of the pods that use most there. */
async function readBusyNodes(
  context: ToolContext,
  nodes: readonly KubernetesNode[],
  asked: ClusterAsked,
): Promise<Busy> {
  const isBusy = (node: KubernetesNode): boolean =>
    asked.nodes.has(node.node_name) ||
    node.conditions.some(({ type, status }) => type.endsWith('Pressure') && status === 'True') ||
    (node.metrics.cpu_usage ?? 0) >= 80 ||
    (node.metrics.memory_usage ?? 0) >= 85;
  const busy: Busy = { nodes: new Map(), pods: new Map() };
  const chosen = nodes
    .filter(isBusy)
    .toSorted((a, b) => Number(asked.nodes.has(b.node_name)) - Number(asked.nodes.has(a.node_name)))
    .slice(0, MOST.busyNodes);
  const found = await Promise.all(chosen.map((node) => orNull(nodeSurroundings(context, node.server_id, asked.last))));
  for (const seen of found) {
    if (seen?.node == null) continue;
    busy.nodes.set(seen.node.name, { cpu: seen.node.cpu, memory: seen.node.memory });
    for (const { name, cpuCores, memoryMb } of seen.neighbours) busy.pods.set(name, { cpuCores, memoryMb });
  }
  return busy;
}
