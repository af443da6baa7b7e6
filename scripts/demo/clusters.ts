import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type {
  ContainerEnd,
  EventObject,
  NodeObject,
  PodObject,
  WorkloadObject,
} from '@plimsoll/contract/wire/cluster-objects';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { DEMO_KINDS, objectsAt } from './changes.ts';
import { CLUSTERS, type DemoHost, nodePoolOf } from './fleet.ts';
import { figuresAt, noise, type Figures } from './figures.ts';
import { CRASHING_PODS, isCrashing, nodesOf, podsOf, WORKLOADS, type Cluster, type DemoPod } from './pods.ts';
import { CRASHING, type Stories } from './stories.ts';

const RESTART_SECONDS = 310;
/** Longer than the history, so that the time machine shows every pod at each moment. */
const YOUNGEST_DAYS = 15;
const MB = 2 ** 20;
const GB = 2 ** 30;
const DAY = 86_400;
const IMAGES = { old: 'registry.example.net/shop/checkout:1.8.3', now: 'registry.example.net/shop/checkout:1.9.0' };

function nodeObject(host: DemoHost, index: number, { now }: Stories): NodeObject {
  const size = {
    cpu_cores: host.cores,
    memory_bytes: host.memoryGb * GB,
    ephemeral_bytes: host.storageGb * GB,
    pods: 110,
  };
  return {
    uid: `node-${host.name}`,
    name: host.name,
    created_at: now - 41 * DAY,
    ready: true,
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: null, since: now - 40 * DAY }],
    unschedulable: false,
    roles: ['worker'],
    taints: [],
    labels: {
      'topology.kubernetes.io/region': host.region,
      'kubernetes.io/hostname': host.name,
      'node-pool': nodePoolOf(host),
    },
    capacity: size,
    allocatable: size,
    internal_ip: `10.8.0.${String(10 + index)}`,
    os_type: 'linux',
    architecture: 'amd64',
    os_image: 'Debian GNU/Linux 12',
    kernel: '6.1.0-28-amd64',
    kubelet_version: 'v1.34.4',
    container_runtime: 'containerd://2.1.4',
    boot_id: `boot-${host.name}`,
  };
}

const runsOf = (at: number, { deployedAt }: Stories, index: number): number =>
  Math.max(0, Math.floor((at - deployedAt - index * 40) / RESTART_SECONDS));
const endedAt = ({ deployedAt }: Stories, index: number, run: number): number =>
  deployedAt + index * 40 + (run + 1) * RESTART_SECONDS;

/**
 * Requests of the newest pods. Three workloads request far more than they use, and one less: the Capacity page names
 * them. Together the pods of one cluster no longer fit on three of its four nodes.
 */
const GROWING_CLUSTER = CLUSTERS[0].uid;
const REQUESTED: Readonly<Record<string, { cores: number; mb: number }>> = {
  catalog: { cores: 0.3, mb: 2048 },
  frontend: { cores: 0.2, mb: 1024 },
  query: { cores: 0.3, mb: 1536 },
  indexer: { cores: 0.2, mb: 512 },
};
function requestsOf(pod: DemoPod): { cpu_cores: number; memory_bytes: number } {
  const asked = pod.uid.startsWith(`${GROWING_CLUSTER}-`) ? REQUESTED[pod.workload] : undefined;
  if (asked !== undefined) return { cpu_cores: asked.cores, memory_bytes: asked.mb * MB };
  const [, , , cores, memoryMb] = WORKLOADS.find(([, name]) => name === pod.workload) ?? [
    '',
    '',
    0,
    pod.cores,
    pod.memoryMb,
  ];
  return {
    cpu_cores: Math.ceil(cores * 140) / 100,
    memory_bytes: Math.min(pod.limitMb, Math.ceil(memoryMb * 1.2)) * MB,
  };
}

/** `index`: its place in the cluster. `order`: its place among the pods that crash, which `endsOf` counts by too. */
function podObject(
  pod: DemoPod,
  { index, order }: { index: number; order: number },
  at: number,
  stories: Stories,
): PodObject {
  const runs = pod.crashes ? runsOf(at, stories, order) : 0;
  const waits = pod.crashes && runs > 0;
  const createdAt = pod.crashes ? stories.deployedAt : stories.now - (YOUNGEST_DAYS + (index % 23)) * DAY;
  const requests = requestsOf(pod);
  // Kubernetes refuses a limit below its request.
  const limits = { cpu_cores: 1, memory_bytes: Math.max(pod.limitMb * MB, requests.memory_bytes) };
  const image = pod.crashes
    ? IMAGES.now
    : pod.workload === CRASHING.name
      ? IMAGES.old
      : `registry.example.net/${pod.namespace}/${pod.workload}:2.14.0`;
  const last = endedAt(stories, order, runs - 1);
  const termination = {
    reason: 'OOMKilled',
    exit_code: 137,
    finished_at: last,
    message: 'loading price rules: 412,000 of 1,900,000\nfatal: cannot allocate 64 MiB',
  };
  return {
    uid: pod.uid,
    namespace: pod.namespace,
    name: pod.name,
    node_name: pod.node,
    phase: 'Running',
    reason: waits ? 'CrashLoopBackOff' : null,
    created_at: createdAt,
    deleting: false,
    ready: !pod.crashes,
    pod_ip: `10.244.${String(index % 4)}.${String((index * 7) % 250)}`,
    host_ip: '10.8.0.10',
    qos_class: 'Burstable',
    restart_count: runs,
    requests,
    limits,
    owner: { kind: 'Deployment', name: pod.workload },
    labels: { app: pod.workload },
    containers: [
      {
        name: pod.workload,
        image,
        init: false,
        status: waits ? 'waiting' : 'running',
        reason: waits ? 'CrashLoopBackOff' : null,
        ready: !pod.crashes,
        restart_count: runs,
        started_at: waits ? null : createdAt + 20,
        exit: null,
        last_termination: waits ? termination : null,
        requests,
        limits,
      },
    ],
    claims: [],
  };
}

/** The ends of containers in a range of time. */
export function endsOf(cluster: Cluster, range: { from: number; to: number }, stories: Stories): ContainerEnd[] {
  return podsOf(cluster, range.to, stories)
    .filter(({ crashes }) => crashes)
    .flatMap((pod, index) =>
      Array.from({ length: runsOf(range.to, stories, index) }, (_, run) => ({
        pod_uid: pod.uid,
        namespace: pod.namespace,
        pod_name: pod.name,
        node_name: pod.node,
        owner: { kind: 'Deployment', name: pod.workload },
        container: pod.workload,
        run,
        restarted: true,
        at: endedAt(stories, index, run),
        reason: 'OOMKilled',
        exit_code: 137,
        memory_limit_bytes: pod.limitMb * MB,
      })),
    )
    .filter(({ at }) => at >= range.from);
}

function eventsOf(cluster: Cluster, at: number, stories: Stories): EventObject[] {
  if (cluster.name !== CRASHING.cluster || at < stories.deployedAt + 60) return [];
  const broken = podsOf(cluster, at, stories).filter(({ crashes }) => crashes);
  return broken.map((pod, index) => ({
    uid: `event-${pod.uid}`,
    type: 'Warning',
    reason: 'BackOff',
    message: `Back-off restarting failed container ${pod.workload} in pod ${pod.name}`,
    namespace: pod.namespace,
    kind: 'Pod',
    name: pod.name,
    object_uid: pod.uid,
    component: 'kubelet',
    count: Math.max(1, runsOf(at, stories, index) * 4),
    first_at: stories.deployedAt + 60,
    last_at: at,
  }));
}

const workloadsOf = (cluster: Cluster, at: number, stories: Stories): WorkloadObject[] =>
  WORKLOADS.map((workload) => {
    const [namespace, name, replicas] = workload;
    const broken = isCrashing(cluster, workload) && at >= stories.deployedAt ? CRASHING_PODS : 0;
    return {
      uid: `${cluster.uid}-${namespace}-${name}`,
      kind: 'Deployment',
      namespace,
      name,
      created_at: stories.now - 41 * DAY,
      desired: replicas,
      ready: replicas - broken,
      suspended: false,
      last_run_at: null,
    };
  });

const reader = (name: string, since: number) => ({ name, state: 'ok' as const, detail: null, since, needs: null });

/** Returns a complete listing of a cluster, with the ends of containers since `from`. */
export function listingAt(cluster: Cluster, at: number, from: number, stories: Stories): Omit<ClusterItem, 'seq'> {
  const id = Buffer.from(`${cluster.name}${String(at)}`)
    .toString('hex')
    .padStart(32, '0')
    .slice(-32);
  const pods = podsOf(cluster, at, stories);
  const crashing = pods.filter(({ crashes }) => crashes);
  return {
    kind: 'cluster',
    ts: at,
    listing: {
      id,
      complete: true,
      covers: ['nodes', 'pods', 'workloads', 'volumes'],
      covers_objects: [...DEMO_KINDS],
    },
    objects: objectsAt(cluster, at, stories),
    nodes: nodesOf(cluster).map((host, index) => nodeObject(host, index, stories)),
    pods: pods.map((pod, index) => podObject(pod, { index, order: crashing.indexOf(pod) }, at, stories)),
    workloads: workloadsOf(cluster, at, stories),
    ends: endsOf(cluster, { from, to: at }, stories),
    events: eventsOf(cluster, at, stories),
    readers: ['pods', 'nodes', 'events'].map((name) => reader(name, stories.now - DAY)),
  };
}

export const usageOf = (host: DemoHost, { cpuPercent, memoryPercent }: Figures) => ({
  cpuCores: (cpuPercent / 100) * host.cores,
  memoryBytes: (memoryPercent / 100) * host.memoryGb * GB,
});
export const podCores = (pod: DemoPod, index: number, { cpuPercent }: Figures, at: number): number =>
  pod.cores * (0.6 + (cpuPercent / 100) * 0.8) * (0.9 + noise(index, Math.floor(at / 60)) * 0.2);
export const podMemory = (pod: DemoPod): number => pod.memoryMb * MB * (pod.crashes ? 0.9 : 1);

/** Returns the kubelet part of a node's report. */
export function nodePartAt(host: DemoHost, at: number, stories: Stories): NodePart | null {
  const cluster = CLUSTERS.find(({ name }) => name === host.cluster);
  const figures = figuresAt(host, at, stories);
  if (cluster === undefined || figures === null) return null;
  const { cpuCores, memoryBytes: memory } = usageOf(host, figures);
  const size = host.storageGb * GB;
  return {
    node_name: host.name,
    mode: 'proc',
    kubelet: {
      name: 'kubelet stats/summary',
      state: 'ok',
      detail: null,
      since: stories.now - DAY,
      needs: 'get nodes/stats',
    },
    kubelet_tls_verified: true,
    node: {
      cpu_cores: cpuCores,
      memory_working_set_bytes: memory,
      memory_available_bytes: host.memoryGb * GB - memory,
      filesystem_used_bytes: (figures.diskPercent / 100) * size,
      filesystem_capacity_bytes: size,
      filesystem_available_bytes: (1 - figures.diskPercent / 100) * size,
      image_filesystem_used_bytes: null,
      image_filesystem_capacity_bytes: null,
      started_at: stories.now - 41 * DAY,
      stall: null,
    },
    pods: podsOf(cluster, at, stories)
      .filter(({ node }) => node === host.name)
      .map((pod, index) => ({
        uid: pod.uid,
        namespace: pod.namespace,
        name: pod.name,
        cpu_cores: podCores(pod, index, figures, at),
        memory_working_set_bytes: podMemory(pod),
        receive_bytes_per_second: null,
        transmit_bytes_per_second: null,
        ephemeral_bytes: null,
        containers: [
          {
            name: pod.workload,
            cpu_cores: podCores(pod, index, figures, at),
            memory_working_set_bytes: podMemory(pod),
          },
        ],
      })),
    volumes: [],
  };
}
