import type { Family, Labels } from './exposition.ts';
import { Exposition } from './exposition.ts';
import { STORED_FIGURES, type StoredFigureName } from './stored-figures.ts';
import { serverStatus } from '../servers/server-status.ts';
import { nameOf } from '../servers/fleet.ts';
import type { LatestParts, ServerRecord, ServerWithLatest } from '../servers/types.ts';
import type { RankedNode } from '../kubernetes/node-records.ts';
import type { PodRecord } from '../kubernetes/pod-records.ts';
import type { Measured } from '../kubernetes/types.ts';

/** A metric of the account as `GET /api/metrics` returns it; docs/metrics.md lists them, and a test compares. */
export interface AccountMetric extends Family {
  labels: readonly string[];
}

const SERVER_LABELS = ['server', 'server_id', 'region', 'tags'] as const;
const server = (name: string, help: string, ...labels: string[]): AccountMetric => ({
  name: `plimsoll_server_${name}`,
  help,
  labels: [...SERVER_LABELS, ...labels],
});
const node = (name: string, help: string): AccountMetric => ({
  name: `plimsoll_kubernetes_node_${name}`,
  help,
  labels: ['node', 'server_id'],
});
const pod = (name: string, help: string): AccountMetric => ({
  name: `plimsoll_kubernetes_pod_${name}`,
  help,
  labels: ['cluster_id', 'namespace', 'pod', 'node'],
});

/** One line for each stored figure, so that a new figure cannot be forgotten. Per cents become ratios 0–1. */
const FIGURE_METRICS: Record<StoredFigureName, AccountMetric> = {
  cpuPercent: server('cpu_usage_ratio', 'Busy share of all cores, 0 to 1; idle and IO wait are not busy.'),
  ioWaitPercent: server('cpu_io_wait_ratio', 'Share of time in which the cores waited for IO, 0 to 1.'),
  memoryPercent: server('memory_usage_ratio', 'Used share of the memory, 0 to 1.'),
  swapPercent: server('swap_usage_ratio', 'Used share of the swap space, 0 to 1.'),
  memoryUsedBytes: server(
    'memory_used_bytes',
    'Used memory: total less available and less huge pages that nobody uses.',
  ),
  diskPercent: server('disk_usage_ratio', 'Used share of the fullest filesystem as df shows it, 0 to 1.'),
  diskUsedBytes: server('disk_used_bytes', 'Used space of all filesystems; a device mounted twice counts once.'),
  readOperationsPerSecond: server('disk_reads_per_second', 'Read operations per second of all disks.'),
  writeOperationsPerSecond: server('disk_writes_per_second', 'Write operations per second of all disks.'),
  receiveBytesPerSecond: server('network_receive_bytes_per_second', 'Bytes per second received on all interfaces.'),
  transmitBytesPerSecond: server('network_transmit_bytes_per_second', 'Bytes per second sent on all interfaces.'),
  tcpRetransmitsPerSecond: server('tcp_retransmits_per_second', 'TCP segments per second that were sent again.'),
  loadOne: server('load1', 'Load average over one minute.'),
  connectionsTotal: server('connections', 'Open sockets of all states.'),
  connectionsEstablished: server('connections_established', 'TCP connections in the state ESTABLISHED.'),
  connectionsListen: server('connections_listen', 'Sockets in the state LISTEN.'),
  connectionsTimeWait: server('connections_time_wait', 'TCP connections in the state TIME_WAIT.'),
  connectionsCloseWait: server('connections_close_wait', 'TCP connections in the state CLOSE_WAIT.'),
  connectionsSynSent: server('connections_syn_sent', 'TCP connections in the state SYN_SENT.'),
  connectionsSynRecv: server('connections_syn_recv', 'TCP connections in the state SYN_RECV.'),
};

const SERVER = {
  up: server('up', '1 while the server reports, 0 while it is silent.'),
  lastReport: server('last_report_timestamp_seconds', 'Time of the newest sample; also of a silent server.'),
  info: server('info', 'Always 1; the labels describe the system.', 'os', 'os_version', 'kernel', 'architecture'),
  cores: server('cpu_cores', 'Logical CPUs.'),
  uptime: server('uptime_seconds', 'Seconds since the boot, at the newest report.'),
  memorySize: server('memory_size_bytes', 'Installed memory.'),
  diskSize: server('disk_size_bytes', 'Size of all filesystems; a device mounted twice counts once.'),
  filesystemSize: server('filesystem_size_bytes', 'Size of the filesystem.', 'mount', 'device'),
  filesystemUsed: server('filesystem_used_bytes', 'Used space of the filesystem.', 'mount', 'device'),
  filesystemAvailable: server(
    'filesystem_available_bytes',
    'Free space of the filesystem for an unprivileged user.',
    'mount',
    'device',
  ),
  interfaceReceive: server(
    'interface_receive_bytes_per_second',
    'Bytes per second received on the interface.',
    'interface',
  ),
  interfaceTransmit: server(
    'interface_transmit_bytes_per_second',
    'Bytes per second sent on the interface.',
    'interface',
  ),
};
const NODE = {
  ready: node('ready', '1 while Kubernetes reports the node as ready, else 0.'),
  pods: node('pods', 'Pods on the node.'),
  cpu: node('cpu_usage_cores', 'Cores in use on the node.'),
  memory: node('memory_working_set_bytes', 'Working set of the memory of the node.'),
};
const POD = {
  cpu: pod('cpu_usage_cores', 'Cores in use by the pod.'),
  memory: pod('memory_working_set_bytes', 'Working set of the memory of the pod.'),
  restarts: pod('restarts_recent', 'Restarts of containers of the pod in the last 24 hours.'),
};
const OMITTED: AccountMetric = {
  name: 'plimsoll_kubernetes_pods_omitted',
  help: 'Pods beyond the limit of one scrape, which are not in it.',
  labels: [],
};

export const ACCOUNT_METRICS: readonly AccountMetric[] = [
  ...Object.values(SERVER),
  ...Object.values(FIGURE_METRICS),
  ...Object.values(NODE),
  ...Object.values(POD),
  OMITTED,
];

export interface AccountState {
  servers: readonly ServerWithLatest[];
  /** By the key of the server. */
  parts: ReadonlyMap<number, LatestParts>;
  nodes: readonly RankedNode[];
  pods: readonly PodRecord[];
  totalPods: number;
}

/** Usage of a node or pod older than this is not current any more: three intervals of its agent. */
const USAGE_MS = 180_000;

/**
 * Returns every current figure of an account. A server that is silent has `plimsoll_server_up` 0 and no figures: its
 * last ones say nothing about now. An uninstalled server is absent.
 */
export function accountMetrics({ servers, parts, nodes, pods, totalPods }: AccountState, now: number): string {
  const out = new Exposition();
  for (const entry of servers) {
    const status = serverStatus(entry.server, now);
    if (status === 'uninstalled') continue;
    const labels = labelsOf(entry.server);
    out.add(SERVER.up, labels, status === 'active' ? 1 : 0);
    if (entry.latest.sample) out.add(SERVER.lastReport, labels, entry.latest.sample.sampleAt / 1000);
    if (status === 'active') addFigures(out, labels, entry, parts.get(entry.server.key));
  }
  for (const each of nodes) addNode(out, each, now);
  for (const each of pods) addPod(out, each, now);
  if (totalPods > 0) out.add(OMITTED, {}, totalPods - pods.length);
  return out.toString();
}

/** `tags` is one label with all tags in order of their keys, so that the set of labels does not depend on the tags. */
const labelsOf = (record: ServerRecord): Labels => ({
  server: nameOf(record),
  server_id: record.id,
  region: record.system?.region ?? '',
  tags: Object.entries(record.tags)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
    .join(','),
});

function addFigures(
  out: Exposition,
  labels: Labels,
  { server: record, latest }: ServerWithLatest,
  parts?: LatestParts,
) {
  const { system } = record;
  if (system) {
    const { os_name: os, os_version, kernel, architecture } = system;
    out.add(SERVER.info, { ...labels, os, os_version, kernel, architecture }, 1);
  }
  out.add(SERVER.cores, labels, system?.cpu_cores);
  out.add(SERVER.uptime, labels, system?.uptime_seconds);
  out.add(SERVER.memorySize, labels, record.memoryTotalBytes);
  out.add(SERVER.diskSize, labels, record.storageTotalBytes);
  for (const [name, family] of Object.entries(FIGURE_METRICS) as [StoredFigureName, AccountMetric][]) {
    const value = latest.sample?.[name];
    out.add(family, labels, STORED_FIGURES[name].unit === 'percent' && value != null ? value / 100 : value);
  }
  // A mount or an interface that a host lists twice would be one series with two values, which Prometheus refuses.
  for (const { mount, device, ...one } of distinct(
    parts?.filesystems ?? [],
    ({ mount: at, device: of }) => `${at}\n${of}`,
  )) {
    const place = { ...labels, mount, device };
    out.add(SERVER.filesystemSize, place, one.size_bytes);
    out.add(SERVER.filesystemUsed, place, one.used_bytes);
    out.add(SERVER.filesystemAvailable, place, one.available_bytes);
  }
  for (const one of distinct(parts?.interfaces ?? [], ({ name }) => name)) {
    out.add(SERVER.interfaceReceive, { ...labels, interface: one.name }, one.receive_bytes_per_second);
    out.add(SERVER.interfaceTransmit, { ...labels, interface: one.name }, one.transmit_bytes_per_second);
  }
}

const distinct = <T>(entries: readonly T[], keyOf: (entry: T) => string): T[] => [
  ...new Map(entries.map((entry) => [keyOf(entry), entry])).values(),
];

const fresh = (usage: Measured | null, now: number): Measured | null =>
  usage !== null && now - usage.measuredAt <= USAGE_MS ? usage : null;

function addNode(out: Exposition, { object, serverId, pods, usage }: RankedNode, now: number) {
  const labels = { node: object.name, server_id: serverId };
  out.add(NODE.ready, labels, object.ready === true ? 1 : 0);
  out.add(NODE.pods, labels, pods);
  out.add(NODE.cpu, labels, fresh(usage, now)?.cpuCores);
  out.add(NODE.memory, labels, fresh(usage, now)?.memoryBytes);
}

function addPod(out: Exposition, { clusterId, object, usage, restarts }: PodRecord, now: number) {
  const { namespace, name: podName, node_name: nodeName } = object;
  const labels = { cluster_id: clusterId, namespace, pod: podName, node: nodeName ?? '' };
  out.add(POD.cpu, labels, fresh(usage, now)?.cpuCores);
  out.add(POD.memory, labels, fresh(usage, now)?.memoryBytes);
  out.add(POD.restarts, labels, restarts);
}
