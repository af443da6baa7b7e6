import { randomBytes } from 'node:crypto';
import type { NodePart } from '@plimsoll/contract/wire/cluster-node';
import type { NodeObject, PodObject } from '@plimsoll/contract/wire/cluster-objects';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { CLUSTER_LIMITS, HISTORY_STEP_SECONDS } from '@plimsoll/contract/rules/kubernetes-limits';
import { PROTOCOL_VERSION } from '@plimsoll/contract/rules/limits';
import { hostReport } from './host-report.ts';

/** A pod as a test describes it; memory in MB. */
interface SamplePod {
  name: string;
  namespace: string;
  phase?: PodObject['phase'];
  reason?: string;
  cores?: number;
  memory?: number;
  memoryLimit?: number;
  restarts?: number;
  ageSeconds?: number;
  owner?: { kind: string; name: string } | null;
}
export interface SampleCluster {
  uid: string;
  /** "prod-fra" when left out. */
  name?: string;
  /** The first node has an agent, the others only what metrics-server tells. */
  nodes: readonly { name: string; cpu: number; memory: number; ready?: boolean; pods: readonly SamplePod[] }[];
  /** Hours before now that a Prometheus knew of the first node and its pods. */
  knownForHours?: number;
}

const CORES = 8;
const MEMORY_BYTES = 2 ** 35;
const MB = 2 ** 20;
const UPTIME_SECONDS = 353_000;
const none = { cpu_cores: null, memory_bytes: null };
const now = () => Date.now() / 1000;

async function post<T>(url: string, token: string, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok || response.status === 207) throw new Error(`${url} answered ${String(response.status)}: ${text}`);
  const answer = JSON.parse(text) as { data?: T };
  return answer.data ?? (answer as T);
}

const nodeOf = ({ name, ready = true }: SampleCluster['nodes'][number]): NodeObject => ({
  uid: `uid-${name}`,
  name,
  created_at: now() - 41 * 86_400,
  ready,
  conditions: [
    {
      type: 'Ready',
      status: ready ? 'True' : 'False',
      reason: ready ? 'KubeletReady' : 'KubeletNotReady',
      message: null,
      since: now() - 900,
    },
  ],
  unschedulable: false,
  roles: ['worker'],
  taints: [],
  labels: {},
  capacity: { cpu_cores: CORES, memory_bytes: MEMORY_BYTES, ephemeral_bytes: 2 ** 37, pods: 110 },
  allocatable: { cpu_cores: CORES, memory_bytes: MEMORY_BYTES, ephemeral_bytes: 2 ** 37, pods: 110 },
  internal_ip: '10.0.4.12',
  os_type: 'linux',
  architecture: 'arm64',
  os_image: 'Talos 1.11',
  kernel: '6.12.0',
  kubelet_version: 'v1.34.2',
  container_runtime: 'containerd://2.1.4',
  boot_id: `boot-${name}`,
});

function podOf(pod: SamplePod, node: string): PodObject {
  const { phase = 'Running', restarts = 0, memoryLimit } = pod;
  const scheduled = phase !== 'Pending';
  const limits = { cpu_cores: 2, memory_bytes: memoryLimit === undefined ? null : memoryLimit * MB };
  return {
    uid: `uid-${pod.name}`,
    namespace: pod.namespace,
    name: pod.name,
    node_name: scheduled ? node : null,
    phase,
    reason: pod.reason ?? null,
    created_at: now() - (pod.ageSeconds ?? 9 * 86_400),
    deleting: false,
    ready: phase === 'Running',
    pod_ip: scheduled ? '10.244.2.37' : null,
    host_ip: scheduled ? '10.0.4.12' : null,
    qos_class: 'Burstable',
    restart_count: restarts,
    requests: none,
    limits,
    owner:
      pod.owner === undefined ? { kind: 'Deployment', name: pod.name.split('-').slice(0, 2).join('-') } : pod.owner,
    labels: { app: pod.name },
    containers: [
      {
        name: 'app',
        image: 'registry.example.net/shop/app:1.84.2',
        init: false,
        status: phase === 'Running' ? 'running' : 'waiting',
        reason: null,
        ready: phase === 'Running',
        restart_count: restarts,
        started_at: now() - 3000,
        exit: null,
        last_termination: null,
        requests: none,
        limits,
      },
    ],
    claims: [],
  };
}

const endsOf = (pod: SamplePod, node: string): NonNullable<ClusterItem['ends']> =>
  Array.from({ length: pod.restarts ?? 0 }, (_, run) => ({
    pod_uid: `uid-${pod.name}`,
    namespace: pod.namespace,
    pod_name: pod.name,
    node_name: node,
    owner: null,
    container: 'app',
    run,
    restarted: true,
    at: now() - 600 - run * 60,
    reason: 'OOMKilled',
    exit_code: 137,
    memory_limit_bytes: null,
  }));

const usageOf = (pod: SamplePod) => ({
  uid: `uid-${pod.name}`,
  cpu_cores: pod.cores ?? null,
  memory_working_set_bytes: pod.memory === undefined ? null : pod.memory * MB,
});

function listing(cluster: SampleCluster): ClusterItem {
  const placed = cluster.nodes.flatMap((node) => node.pods.map((pod) => ({ pod, node: node.name })));
  return {
    seq: 1,
    kind: 'cluster',
    ts: now(),
    listing: { id: randomBytes(16).toString('hex'), complete: true, covers: ['nodes', 'pods', 'workloads', 'volumes'] },
    nodes: cluster.nodes.map(nodeOf),
    pods: placed.map(({ pod, node }) => podOf(pod, node)),
    ends: placed.flatMap(({ pod, node }) => endsOf(pod, node)),
    usage: cluster.nodes.map((node) => ({
      node_name: node.name,
      measured_at: now(),
      window_seconds: 30,
      cpu_cores: (node.cpu / 100) * CORES,
      memory_working_set_bytes: (node.memory / 100) * MEMORY_BYTES,
      pods: node.pods.map(usageOf),
    })),
    readers: [{ name: 'metrics.k8s.io', state: 'ok', detail: null, since: now(), needs: null }],
  };
}

const nodePartOf = (node: SampleCluster['nodes'][number]): NodePart => ({
  node_name: node.name,
  mode: 'proc',
  kubelet: { name: 'kubelet stats/summary', state: 'ok', detail: null, since: now(), needs: 'get nodes/stats' },
  kubelet_tls_verified: true,
  node: {
    cpu_cores: (node.cpu / 100) * CORES,
    memory_working_set_bytes: (node.memory / 100) * MEMORY_BYTES,
    memory_available_bytes: (1 - node.memory / 100) * MEMORY_BYTES,
    filesystem_used_bytes: 2 ** 36,
    filesystem_capacity_bytes: 2 ** 37,
    filesystem_available_bytes: 2 ** 36,
    image_filesystem_used_bytes: null,
    image_filesystem_capacity_bytes: null,
    started_at: now() - UPTIME_SECONDS,
    stall: null,
  },
  pods: node.pods.slice(0, CLUSTER_LIMITS.podsPerNode).map((pod) => ({
    ...usageOf(pod),
    namespace: pod.namespace,
    name: pod.name,
    receive_bytes_per_second: null,
    transmit_bytes_per_second: null,
    ephemeral_bytes: null,
  })),
  volumes: [],
});

async function reportNode(origin: string, token: string, node: SampleCluster['nodes'][number]): Promise<void> {
  const enrolled = await post<{ server_id: string; agent_token: string }>(`${origin}/api/agent/v1/nodes/enrol`, token, {
    node_name: node.name,
    boot_id: `boot-${node.name}`,
    hostname: node.name,
  });
  const report = hostReport({
    seq: 1,
    secondsAgo: 0,
    uptime: UPTIME_SECONDS,
    server: { hostname: node.name, sample: () => null },
    sample: { cpu: node.cpu, memory: node.memory, disk: 49, cores: CORES },
  });
  await post(`${origin}/api/agent/v1/reports`, enrolled.agent_token, {
    v: PROTOCOL_VERSION,
    server_id: enrolled.server_id,
    stream_id: randomBytes(16).toString('hex'),
    boot_id: 'boot-1',
    sent_at: now(),
    up_now: UPTIME_SECONDS,
    dropped: [],
    reports: [{ ...report, kubernetes: nodePartOf(node) }],
  });
}

/** History that Prometheus gives of the first node, from before its agent came. */
function history({ nodes, knownForHours = 0 }: SampleCluster): ClusterItem {
  const to = Math.floor(now() / HISTORY_STEP_SECONDS) * HISTORY_STEP_SECONDS;
  const buckets = knownForHours * (3600 / HISTORY_STEP_SECONDS);
  const each = <T>(value: T): T[] => Array.from({ length: buckets }, () => value);
  const told = nodes.slice(0, 1).map(({ name, cpu, memory, pods }) => ({
    node_name: name,
    cpu_cores: each((cpu / 100) * CORES),
    memory_bytes: each((memory / 100) * MEMORY_BYTES),
    pods: pods.map((pod) => usageOf(pod).uid),
    pod_cpu_cores: pods.flatMap((pod) => each(usageOf(pod).cpu_cores)),
    pod_memory_bytes: pods.flatMap((pod) => each(usageOf(pod).memory_working_set_bytes)),
  }));
  const from = to - buckets * HISTORY_STEP_SECONDS;
  return { seq: 2, kind: 'cluster', ts: now(), history: { from, to, complete: true, nodes: told } };
}

/** Tells the API of a cluster as its collectors would, with a cluster token of the signed-in person. */
export async function reportCluster(origin: string, sessionToken: string, cluster: SampleCluster): Promise<void> {
  const { token } = await post<{ token: string }>(`${origin}/api/user/cluster-tokens`, sessionToken, {});
  await post(`${origin}/api/agent/v1/cluster/reports`, token, {
    v: PROTOCOL_VERSION,
    cluster: { uid: cluster.uid, name: cluster.name ?? 'prod-fra', version: 'v1.34.2' },
    collector: { id: 'collector-0', version: '0.1.0', term: 1 },
    sent_at: now(),
    reports: cluster.knownForHours === undefined ? [listing(cluster)] : [listing(cluster), history(cluster)],
  });
  const [first] = cluster.nodes;
  if (first !== undefined) await reportNode(origin, token, first);
}
