import type {
  KubernetesEvent,
  KubernetesNode,
  Origin,
  Pod,
  PodOwner,
  PodRestart,
  PodsSummary,
} from '@plimsoll/contract/wire/kubernetes';
import { POD_AGE_BUCKETS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { LoadLines } from '@plimsoll/contract/wire/servers';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import { freshUsage, nodeFigures, podFigures, shareOfAllowance, type Traced } from '../cluster-state.ts';
import type { NodeRecord } from '../node-records.ts';
import type { ContainerTermination, OwnerRecord, PodRecord, PodsSummaryRecord } from '../pod-records.ts';
import type { EventRecord } from '../types.ts';
import { iso, isoOrNull, rounded } from '../../http/units.ts';

/** 2^20 bytes, one decimal. */
export const megabytes = (bytes: number | null | undefined): number | null =>
  rounded(bytes == null ? null : bytes / 2 ** 20, 1);
/** A thousandth of a millicore is below what any source measures. */
export const cores = (value: number | null | undefined): number | null => rounded(value, 6);
const fromSeconds = (seconds: number | null): string | null => (seconds === null ? null : iso(seconds * 1000));

type Resources = { cpu_cores: number | null; memory_bytes: number | null };
export const amounts = (list: Resources) => ({
  cpu_cores: cores(list.cpu_cores),
  memory_mb: megabytes(list.memory_bytes),
});

const shapeOrigin = ({ source, ageSeconds, reason }: Omit<Traced, 'value'>): Origin => ({
  source,
  age_seconds: rounded(ageSeconds, 1),
  reason,
});

export function shapeNode(node: NodeRecord, now: number, lines: LoadLines): KubernetesNode {
  const { object, agent } = node;
  const figures = nodeFigures(node, now, lines);
  const held = (list: NodeRecord['requests']) => ({
    cpu_cores: cores(list.cpuCores),
    memory_mb: megabytes(list.memoryBytes),
    cpu_percent: rounded(percentOf(list.cpuCores, object.allocatable.cpu_cores)),
    memory_percent: rounded(percentOf(list.memoryBytes, object.allocatable.memory_bytes)),
  });
  return {
    server_id: node.serverId,
    node_name: object.name,
    cluster_id: node.clusterId,
    cluster_name: node.clusterName,
    os_type: object.os_type,
    architecture: object.architecture,
    metrics: {
      cpu_usage: rounded(figures.cpu.value),
      memory_usage: rounded(figures.memory.value),
      disk_usage: rounded(figures.disk.value),
      uptime: rounded(figures.uptime.value, 0),
      pods_count: node.pods,
    },
    origins: {
      cpu_usage: shapeOrigin(figures.cpu),
      memory_usage: shapeOrigin(figures.memory),
      disk_usage: shapeOrigin(figures.disk),
      uptime: shapeOrigin(figures.uptime),
    },
    lines: figures.lines,
    headroom: figures.headroom && {
      ...figures.headroom,
      points: rounded(figures.headroom.points) ?? 0,
      value: rounded(figures.headroom.value) ?? 0,
    },
    ready: object.ready,
    unschedulable: object.unschedulable,
    conditions: object.conditions.map((one) => ({ ...one, since: fromSeconds(one.since) })),
    roles: object.roles,
    taints: object.taints,
    labels: object.labels,
    capacity: { ...amounts(object.capacity), pods: object.capacity.pods },
    allocatable: { ...amounts(object.allocatable), pods: object.allocatable.pods },
    requested: held(node.requests),
    limited: held(node.limits),
    ...shapeStall(node),
    restarts_24h: node.restarts,
    internal_ip: object.internal_ip,
    kubelet_version: object.kubelet_version,
    container_runtime: object.container_runtime,
    kernel: object.kernel,
    os_image: object.os_image,
    created_at: iso(object.created_at * 1000),
    agent: agent && {
      mode: agent.mode,
      last_seen_at: isoOrNull(node.server?.lastSeenAt ?? agent.sampleAt),
      kubelet_state: agent.kubelet.state,
      kubelet_detail: agent.kubelet.detail,
      kubelet_tls_verified: agent.tlsVerified,
    },
  };
}

function shapeStall({ agent }: NodeRecord): Pick<KubernetesNode, 'stall' | 'stall_reason'> {
  const stall = agent?.figures?.stall ?? null;
  if (stall) return { stall, stall_reason: null };
  const reason = agent ? 'not available: needs Kubernetes 1.34 and cgroup v2' : 'no node agent on this node';
  return { stall: null, stall_reason: reason };
}

export function shapePod(pod: PodRecord, now: number): Pod {
  const { object } = pod;
  const figures = podFigures(pod, now);
  const { limits, requests } = object;
  const cpuShare = shareOfAllowance(figures.cpuCores, limits.cpu_cores, requests.cpu_cores);
  const memoryShare = shareOfAllowance(figures.memoryBytes, limits.memory_bytes, requests.memory_bytes);
  return {
    uid: object.uid,
    cluster_id: pod.clusterId,
    pod_name: object.name,
    namespace: object.namespace,
    node_name: object.node_name,
    server_id: pod.serverId,
    phase: object.phase,
    reason: object.reason,
    ready: object.ready,
    deleting: object.deleting,
    cpu_usage_cores: cores(figures.cpuCores),
    memory_usage_mb: megabytes(figures.memoryBytes),
    usage_origin: shapeOrigin(figures.origin),
    cpu_share: { ...cpuShare, percent: rounded(cpuShare.percent) },
    memory_share: { ...memoryShare, percent: rounded(memoryShare.percent) },
    requests: amounts(requests),
    limits: amounts(limits),
    ...(object.unknown_fields ? { unknown_fields: object.unknown_fields } : {}),
    restart_count: object.restart_count,
    restarts_24h: pod.restarts,
    oom_kills_24h: pod.oomKills,
    last_restart: pod.lastRestart && {
      at: iso(pod.lastRestart.at),
      container: pod.lastRestart.container,
      reason: pod.lastRestart.reason,
      exit_code: pod.lastRestart.exitCode,
    },
    container_count: object.containers.filter(({ init }) => !init).length,
    pod_ip: object.pod_ip,
    host_ip: object.host_ip,
    created_at: iso(object.created_at * 1000),
    pod_age_seconds: Math.max(0, Math.round(now / 1000 - object.created_at)),
    owner_kind: object.owner?.kind ?? null,
    owner_name: object.owner?.name ?? null,
    qos_class: object.qos_class,
    labels: object.labels,
    containers: object.containers.map(shapeContainer),
    claims: object.claims,
    resize: object.resize ? { ...object.resize, since: fromSeconds(object.resize.since) } : null,
  };
}

type ContainerRecord = PodRecord['object']['containers'][number];
const shapeTermination = (end: ContainerRecord['exit']): Pod['containers'][number]['exit'] =>
  end && {
    reason: end.reason,
    message: end.message ?? null,
    exit_code: end.exit_code,
    finished_at: fromSeconds(end.finished_at),
  };

const shapeContainer = (one: ContainerRecord): Pod['containers'][number] => ({
  name: one.name,
  image: one.image,
  status: one.status,
  ready: one.ready,
  init: one.init,
  reason: one.reason,
  restart_count: one.restart_count,
  started_at: fromSeconds(one.started_at),
  exit: shapeTermination(one.exit),
  last_termination: shapeTermination(one.last_termination),
  requests: amounts(one.requests),
  limits: amounts(one.limits),
  running:
    one.running_requests && one.running_limits
      ? { requests: amounts(one.running_requests), limits: amounts(one.running_limits) }
      : null,
});

export function shapeSummary(summary: PodsSummaryRecord, now: number): PodsSummary {
  return {
    total: Object.values(summary.phases).reduce((sum, count) => sum + count, 0),
    phases: summary.phases,
    restarts_24h: summary.restarts,
    oom_kills_24h: summary.oomKills,
    namespaces: summary.namespaces.map((one) => ({
      cluster_id: one.clusterId,
      namespace: one.namespace,
      pods: one.pods,
      cpu_usage_cores: cores(one.cpuCores),
      memory_usage_mb: megabytes(one.memoryBytes),
    })),
    age_buckets: summary.ages.map((count, index) => ({ under_seconds: POD_AGE_BUCKETS[index] ?? null, count })),
    zombies: summary.zombies,
    top_restarts: summary.topRestarts.map((pod) => {
      const usage = freshUsage(pod.usage, now);
      return {
        uid: pod.uid,
        cluster_id: pod.clusterId,
        pod_name: pod.name,
        namespace: pod.namespace,
        phase: pod.phase,
        reason: pod.reason,
        cpu_usage_cores: cores(usage?.cpuCores),
        memory_usage_mb: megabytes(usage?.memoryBytes),
        restart_count: pod.restarts,
        oom_kills: pod.oomKills,
        owner_kind: pod.ownerKind,
        owner_name: pod.ownerName,
      };
    }),
    namespace_names: summary.namespaceNames,
    owner_kinds: summary.ownerKinds,
    node_names: summary.nodeNames,
  };
}

export const shapeEvent = (event: EventRecord): KubernetesEvent => ({
  id: event.id,
  cluster_id: event.clusterId,
  type: event.type,
  reason: event.reason,
  message: event.message,
  namespace: event.namespace,
  kind: event.kind,
  name: event.name,
  component: event.component,
  count: event.count,
  first_at: iso(event.firstAt),
  last_at: iso(event.lastAt),
});

export const shapeRestart = (end: ContainerTermination): PodRestart => ({
  timestamp: end.at / 1000,
  container: end.container,
  restart_count: end.run + 1,
  reason: end.reason,
  exit_code: end.exitCode,
  oom_killed: end.reason === 'OOMKilled',
  inferred: end.isInferred,
  memory_limit_mb: megabytes(end.memoryLimitBytes),
  memory_peak_mb: megabytes(end.memoryPeakBytes),
});

export const shapeOwner = (one: OwnerRecord): PodOwner => ({
  cluster_id: one.clusterId,
  namespace: one.namespace,
  owner_kind: one.kind,
  owner_name: one.name,
  pods: one.pods,
  phases: one.phases,
  cpu_usage_cores: cores(one.cpuCores),
  memory_usage_mb: megabytes(one.memoryBytes),
  restarts_24h: one.restarts,
  requests: { cpu_cores: cores(one.requests.cpuCores), memory_mb: megabytes(one.requests.memoryBytes) },
  limits: { cpu_cores: cores(one.limits.cpuCores), memory_mb: megabytes(one.limits.memoryBytes) },
  without_cpu_limit: one.withoutCpuLimit,
  without_memory_limit: one.withoutMemoryLimit,
  desired: one.desired,
  ready: one.ready,
});
