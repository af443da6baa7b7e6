import { DESCRIBED_KINDS } from '@plimsoll/contract/rules/described-kinds';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import { headroomOf } from '@plimsoll/contract/rules/headroom';
import { USAGE_FRESH_INTERVALS, type UsageSource } from '@plimsoll/contract/rules/kubernetes-limits';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';
import type { Headroom, LoadLines } from '@plimsoll/contract/wire/servers';
import type { NodeRecord, RankedNode } from './node-records.ts';
import type { PodRecord } from './pod-records.ts';
import type { Measured } from './types.ts';
import { pluralOf } from './refusals.ts';
import { DEFAULT_LINES } from '../alerts/load-lines.ts';

const FRESH_MS = USAGE_FRESH_INTERVALS * REPORT_INTERVAL_SECONDS * 1000;
export const METRICS_READER = 'metrics.k8s.io';
export const PROMETHEUS_READER = 'prometheus';
export const NODE_AGENTS = 'node agents';

/** A figure with where it comes from; value null: `reason` says why. */
export interface Traced {
  value: number | null;
  source: UsageSource | null;
  ageSeconds: number | null;
  reason: string | null;
}
/** As the queries that sort and sum by usage see it. */
const isFresh = (at: number, now: number): boolean => now - at < FRESH_MS;
const unknown = (reason: string): Traced => ({ value: null, source: null, ageSeconds: null, reason });
const traced = (value: number | null, source: UsageSource, at: number, now: number): Traced | null =>
  value === null ? null : { value, source, ageSeconds: Math.max(0, (now - at) / 1000), reason: null };
const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);

export interface NodeFigures {
  cpu: Traced;
  memory: Traced;
  disk: Traced;
  uptime: Traced;
  lines: LoadLines;
  headroom: Headroom | null;
}

/** The ladder: the node's own agent, then metrics-server, then Prometheus, then nothing with its reason. */
export function nodeFigures(
  node: Omit<RankedNode, 'serverId' | 'pods'>,
  now: number,
  lines: LoadLines = DEFAULT_LINES,
): NodeFigures {
  const { server, readers } = node;
  const sample = server?.sample ?? null;
  const own = sample && isFresh(sample.sampleAt, now) ? sample : null;
  const usage = node.usage && isFresh(node.usage.measuredAt, now) ? node.usage : null;
  const { capacity } = node.object;
  const figures = node.agent && isFresh(node.agent.sampleAt, now) ? node.agent.figures : null;
  const why = whyNoUsage(node.agent, readers, now);
  const cpu =
    (own && traced(own.cpuPercent, 'node-agent', own.sampleAt, now)) ??
    (usage && traced(usagePercent(usage.cpuCores, capacity.cpu_cores), usage.source, usage.measuredAt, now)) ??
    unknown((usage && whyTooMuch(usage.source, percentOf(usage.cpuCores, capacity.cpu_cores))) ?? why);
  const memory =
    (own && traced(own.memoryPercent, 'node-agent', own.sampleAt, now)) ??
    (usage && traced(usagePercent(usage.memoryBytes, capacity.memory_bytes), usage.source, usage.measuredAt, now)) ??
    unknown((usage && whyTooMuch(usage.source, percentOf(usage.memoryBytes, capacity.memory_bytes))) ?? why);
  const at = node.agent?.sampleAt ?? now;
  // As df does: what is kept back for root counts neither as used nor as free.
  const kubeletDisk =
    figures &&
    percentOf(figures.filesystem_used_bytes, sum(figures.filesystem_used_bytes, figures.filesystem_available_bytes));
  const disk =
    (own && traced(own.diskPercent, 'node-agent', own.sampleAt, now)) ??
    (figures && traced(kubeletDisk, 'kubelet', at, now)) ??
    unknown(node.agent ? why : 'no node agent on this node: metrics-server does not report disk usage');
  const uptime =
    (own && traced(server?.uptimeSeconds ?? null, 'node-agent', own.sampleAt, now)) ??
    (figures && traced(startedAgo(figures.started_at, now), 'kubelet', at, now)) ??
    unknown(node.agent ? why : 'no node agent on this node');
  const headroom = headroomOf(lines, { cpu: cpu.value, memory: memory.value, disk: disk.value });
  return { cpu, memory, disk, uptime, lines, headroom };
}

/** A figure this far above the capacity is no sample that came a little late: the source is wrong. */
export const MOST_USAGE_PERCENT = 110;
/** Returns the usage in per cent of the capacity, at most 100; null when the figure cannot be of this node. */
export function usagePercent(part: number | null, whole: number | null): number | null {
  const percent = percentOf(part, whole);
  return percent === null || percent > MOST_USAGE_PERCENT ? null : Math.min(100, percent);
}
const whyTooMuch = (source: UsageSource, percent: number | null): string | null =>
  percent === null || percent <= MOST_USAGE_PERCENT
    ? null
    : `${source} reports ${String(Math.round(percent))} % of the capacity of this node`;

const startedAgo = (startedAt: number | null, now: number): number | null =>
  startedAt === null ? null : Math.max(0, now / 1000 - startedAt);

/** Every rung that fails is named: the upper one is what the operator would mend first. */
function whyNoUsage(
  agent: Pick<NonNullable<NodeRecord['agent']>, 'sampleAt' | 'kubelet'> | null,
  readers: ReaderStatePart[],
  now: number,
): string {
  const reasons: string[] = [];
  if (agent && !isFresh(agent.sampleAt, now)) reasons.push('the node agent is silent');
  else if (agent && agent.kubelet.state !== 'ok')
    reasons.push(agent.kubelet.detail ?? `kubelet: ${agent.kubelet.state}`);
  const metrics = readers.find(({ name }) => name === METRICS_READER);
  if (metrics && metrics.state !== 'ok') reasons.push(`metrics-server: ${metrics.detail ?? metrics.state}`);
  const prometheus = readers.find(({ name }) => name === PROMETHEUS_READER);
  if (prometheus && prometheus.state !== 'ok') reasons.push(`Prometheus: ${prometheus.detail ?? prometheus.state}`);
  return reasons.join('; ') || 'no figures yet';
}

export interface PodFigures {
  cpuCores: number | null;
  memoryBytes: number | null;
  origin: Omit<Traced, 'value'>;
}
const FINISHED: readonly string[] = ['Succeeded', 'Failed'];

export function podFigures(pod: PodRecord, now: number): PodFigures {
  const { usage, object } = pod;
  if (usage && isFresh(usage.measuredAt, now)) {
    const { source, measuredAt, cpuCores, memoryBytes } = usage;
    const reason = cpuCores === null ? 'CPU needs two reports' : null;
    return { cpuCores, memoryBytes, origin: { source, ageSeconds: Math.max(0, (now - measuredAt) / 1000), reason } };
  }
  const why = FINISHED.includes(object.phase)
    ? 'the pod has finished'
    : object.node_name === null
      ? 'the pod is not on a node yet'
      : object.containers.some(({ status }) => status === 'running')
        ? whyNoUsage(pod.nodeAgent, pod.readers, now)
        : 'no container is running';
  return { cpuCores: null, memoryBytes: null, origin: { source: null, ageSeconds: null, reason: why } };
}

/** Usage a summary may count; a stale one is unknown. */
export const freshUsage = (usage: Measured | null, now: number): Measured | null =>
  usage && isFresh(usage.measuredAt, now) ? usage : null;

export interface Share {
  percent: number | null;
  of: 'limit' | 'request' | null;
}
/** Per cent of the limit, else of the request, else nothing to compare with. */
export function shareOfAllowance(used: number | null, limit: number | null, request: number | null): Share {
  const whole = limit ?? request;
  const of = limit === null ? (request === null ? null : 'request') : 'limit';
  return { percent: percentOf(used, whole), of };
}

/** Their watches cost more than changes. */
const WORKLOAD_KINDS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob', 'Job']);
/** Figures that are missing on the screens while a reader fails. */
const COSTS: Record<string, string> = {
  nodes: 'Nodes, their conditions and capacity',
  pods: 'Pods, their restarts and OOM kills',
  persistentvolumeclaims: 'Volumes of pods',
  persistentvolumes: 'What fits on the Capacity page, for pods with volumes',
  events: 'Events and warnings',
  replicasets: 'Deployments as owners: pods show their ReplicaSet',
  jobs: 'CronJobs as owners: pods show their Job',
  deployments: 'Desired and ready pods of Deployments',
  statefulsets: 'Desired and ready pods of StatefulSets',
  daemonsets: 'Desired and ready pods of DaemonSets',
  cronjobs: 'Schedules of CronJobs',
  objects: 'Changes of objects in the ledger',
  ...Object.fromEntries(
    DESCRIBED_KINDS.filter((kind) => !WORKLOAD_KINDS.has(kind)).map((kind) => [
      pluralOf(kind),
      `Changes of ${kind} objects in the ledger`,
    ]),
  ),
  'alertrules.plimsoll.dev': 'Alert rules that AlertRule objects make',
  'notificationchannels.plimsoll.dev': 'Channels that NotificationChannel objects make',
  'silences.plimsoll.dev': 'Silences that Silence objects make',
  [METRICS_READER]: 'CPU and memory of nodes without a node agent, and of their pods',
  [PROMETHEUS_READER]:
    'Figures where neither a node agent nor metrics-server speaks; history from before the installation',
  [NODE_AGENTS]: 'Figures of the hosts, disks of nodes, volumes, and usage of pods from the kubelet',
  'kubelet stats/summary': 'CPU and memory of the pods of this node, disk and volumes',
};
export const costOf = (reader: string): string => COSTS[reader] ?? 'Figures of this reader';
