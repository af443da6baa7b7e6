import type { Point } from '../statistics.ts';

/**
 * Holds what the finders of causes look at: what was recorded around an alert. Per cents are 0–100, rates bytes per
 * second, `at` epoch seconds.
 */

export interface ProcessSeen {
  pid: number;
  name: string;
  /** The name of an interpreter says little. */
  command?: string;
  /** Per cent of one core. */
  cpuPercent: number;
  memoryBytes: number;
  /** 0: not known. */
  startedAt: number;
}

const SERIES = [
  'cpu',
  'memory',
  'disk',
  'io_wait',
  'iops',
  'swap',
  'load',
  'receive',
  'transmit',
  'connections',
  'time_wait',
  'close_wait',
  'syn_recv',
  'retransmits',
] as const;
type SeriesName = (typeof SERIES)[number];
const WEEK_SERIES = ['cpu', 'memory', 'disk', 'receive', 'connections'] as const;

/** Fills every series that is not known. */
export const noSeries = (): Evidence['series'] =>
  Object.fromEntries(SERIES.map((name) => [name, []])) as unknown as Evidence['series'];
const noWeek = (): Evidence['week'] =>
  Object.fromEntries(WEEK_SERIES.map((name) => [name, []])) as unknown as Evidence['week'];

export interface ClusterEvent {
  type: string;
  reason: string;
  kind: string;
  /** Namespace and name, or the name of a node. */
  name: string;
  message: string;
  at: number;
}

export interface ImageChange {
  /** Namespace and name of the workload. */
  workload: string;
  at: number;
  from: string;
  to: string;
}

/** Kubernetes around a pod, or around the node that the server is. */
export interface KubernetesSeen {
  /** Null: the question is about the node. */
  pod: {
    name: string;
    /** Namespace and name of what owns it. */
    workload: string;
    phase: string;
    reason: string | null;
    ready: boolean;
    /** Words of the last end of a container. */
    lastMessage: string | null;
    cpuLimitCores: number | null;
    cpuCores: readonly Point[];
    memoryMb: readonly Point[];
  } | null;
  /** Why a container of the pod does not start. */
  waiting: { reason: string; image: string; message: string | null } | null;
  /** Ends of the pod's containers, newest first. */
  restarts: readonly { at: number; reason: string | null; exitCode: number | null; memoryLimitMb: number | null }[];
  /** Image changes of the pod's workload, or of every workload with a pod on the node. */
  imageChanges: readonly ImageChange[];
  /** Events of the pod, its workload and its node. */
  events: readonly ClusterEvent[];
  volumes: readonly { claim: string; phase: string; usedPercent: number | null; reason: string | null }[];
  node: {
    name: string;
    ready: boolean | null;
    conditions: readonly { type: string; status: string; message: string | null; since: number | null }[];
    cores: number | null;
    cpu: readonly Point[];
    memory: readonly Point[];
  } | null;
  /** Other pods of the node that use most CPU. */
  neighbours: readonly {
    name: string;
    workload: string;
    image: string;
    cpuLimitCores: number | null;
    createdAt: number;
    cpuCores: readonly Point[];
    memoryMb: readonly Point[];
  }[];
}

export interface Evidence {
  hostname: string;
  /** Metric of the alert, or null for a stretch of a chart. */
  metric: string | null;
  /** Mount point of a disk alert. */
  mount: string | null;
  /** Moment of the alert, epoch seconds. */
  at: number;
  cpuCores: number | null;
  memoryTotalBytes: number | null;
  /** 12 hours before the moment and a little after. Absent figures are empty. */
  series: Record<SeriesName, readonly Point[]>;
  /** Seven days up to the moment, a point an hour. */
  week: Record<(typeof WEEK_SERIES)[number], readonly Point[]>;
  /** Lists at the moment and well before it; empty when none was stored. */
  processes: readonly ProcessSeen[];
  processesBefore: readonly ProcessSeen[];
  events: readonly { type: string; name: string; message: string; at: number }[];
  /** Stretches without reports, and why. */
  gaps: readonly { from: number; to: number; reason: string; detail: string }[];
  /** As the last report has them. */
  filesystems: readonly { mount: string; usedPercent: number | null; inodesPercent: number | null }[];
  failedUnits: readonly string[];
  clockSkewSeconds: number | null;
  /** Names of other servers that went silent within minutes of this one. */
  silentTogether: readonly string[];
  /** Names of other servers with an alert of the same metric within minutes of this one. */
  alikeTogether: readonly string[];
  /** Names of other servers that went silent in the two hours before. */
  othersDown: readonly string[];
  /** Null: no pod and no node. */
  kubernetes: KubernetesSeen | null;
}

/** Evidence about a subject without any record but its name and moment. */
export const emptyEvidence = (hostname: string, metric: string | null, at: number): Evidence => ({
  hostname,
  metric,
  mount: null,
  at,
  cpuCores: null,
  memoryTotalBytes: null,
  series: noSeries(),
  week: noWeek(),
  processes: [],
  processesBefore: [],
  events: [],
  gaps: [],
  filesystems: [],
  failedUnits: [],
  clockSkewSeconds: null,
  silentTogether: [],
  alikeTogether: [],
  othersDown: [],
  kubernetes: null,
});

export interface Cause {
  kind: CauseKind;
  /** 0–1: how well the pattern fits. */
  strength: number;
  finding: string;
  evidence: readonly string[];
  next: string;
  /** Figure that shows it best. */
  shows?: 'cpu' | 'memory' | 'disk';
}
export type Finder = (evidence: Evidence) => Cause | null;

const CAUSES = [
  'image_pull_failure',
  'container_config_error',
  'unschedulable',
  'volume_mount_failure',
  'volume_full',
  'evicted',
  'quota_exceeded',
  'crash_loop_after_change',
  'out_of_memory',
  'probe_failure',
  'noisy_neighbour',
  'cpu_limit_reached',
  'crash_loop',
  'node_under_pressure',
  'node_not_ready',
  'shared_silence',
  'rebooted',
  'collector_stopped',
  'silent_host',
  'clock_set',
  'disk_filled_by_logs',
  'disk_filled_by',
  'disk_filling',
  'inodes_exhausted',
  'killed_for_memory',
  'memory_leak',
  'memory_taken',
  'process_pileup',
  'swapping',
  'cpu_after_change',
  'scheduled_job',
  'noisy_process',
  'unexplained_cpu',
  'stuck_tasks',
  'disk_saturated',
  'slow_disk',
  'more_traffic',
  'growing_load',
  'network_flood',
  'bulk_transfer',
  'packet_loss',
  'connection_leak',
  'short_connections',
  'network_drop',
  'service_stopped',
  'certificate',
  'reported_failure',
  'change_before',
] as const;
export type CauseKind = (typeof CAUSES)[number];

export const HOUR = 3600;
const GIB = 2 ** 30;
export const fixed = (value: number, digits = 1): string => String(Number(value.toFixed(digits)));
export const clock = (at: number): string => `${new Date(at * 1000).toISOString().slice(11, 16)} UTC`;
/** To the second, for a moment that is known so. */
export const clockSecond = (at: number): string => `${new Date(at * 1000).toISOString().slice(11, 19)} UTC`;
export const gigabytes = (bytes: number): string => `${fixed(bytes / GIB, 2)} GB`;
export const megabytesPerSecond = (rate: number): string => `${fixed(rate / 2 ** 20, 2)} MB/s`;
