/**
 * Name, unit, bounds, direction and subject of each alert metric. The browser imports this file, so it holds nothing else:
 * the tables of metrics read it and add default rules, readings and PromQL. One entry here and one there add a metric.
 */

/** Kinds of things that one alert of a metric is about. */
export type AlertSubject =
  | 'server'
  | 'filesystem'
  | 'interface'
  | 'sensor'
  | 'unit'
  | 'array'
  | 'drive'
  | 'gpu'
  | 'pool'
  | 'container'
  | 'process'
  | 'cluster'
  | 'node'
  | 'workload'
  | 'volume'
  | 'check';

/** null: a state without a figure. Its rules have one line, whose threshold is null. */
export type AlertUnit =
  | '%'
  | 'days'
  | 'per core'
  | 'errors/s'
  | 's'
  | 'pods'
  | 'restarts'
  | 'OOM kills'
  | 'jobs'
  | 'updates'
  | '°C'
  | 'ms'
  | null;

export interface MetricScale {
  /** In titles: "CPU usage". */
  name: string;
  unit: AlertUnit;
  /** Bounds of a threshold; null for a state. */
  threshold: { min: number; max: number } | null;
  /** true: a low value is the bad one, and a rule fires at or below its line. Absent: at or above. */
  isWorseWhenLower?: true;
  subject: AlertSubject;
}

/** Returns a number with its unit: "1 pod", "3 pods", "80 %". Only counted things have a singular: "1 per core". */
export const withUnit = (value: string, unit: string): string =>
  `${value} ${value === '1' && /^[a-z ]{3,}s$/i.test(unit) ? unit.slice(0, -1) : unit}`;

const PERCENT = { min: 1, max: 100 } as const;
const COUNT = { min: 1, max: 10_000 } as const;

export const HOST_SCALES = {
  cpu_usage: { name: 'CPU usage', unit: '%', threshold: PERCENT, subject: 'server' },
  memory_usage: { name: 'Memory usage', unit: '%', threshold: PERCENT, subject: 'server' },
  memory_forecast: {
    name: 'Memory forecast',
    unit: 'days',
    threshold: { min: 0.1, max: 90 },
    isWorseWhenLower: true,
    subject: 'server',
  },
  swap_usage: { name: 'Swap usage', unit: '%', threshold: PERCENT, subject: 'server' },
  disk_usage: { name: 'Disk usage', unit: '%', threshold: PERCENT, subject: 'filesystem' },
  disk_forecast: {
    name: 'Disk forecast',
    unit: 'days',
    threshold: { min: 0.1, max: 90 },
    isWorseWhenLower: true,
    subject: 'filesystem',
  },
  inode_usage: { name: 'Inode usage', unit: '%', threshold: PERCENT, subject: 'filesystem' },
  filesystem_read_only: { name: 'Filesystem became read-only', unit: null, threshold: null, subject: 'filesystem' },
  io_wait: { name: 'IO wait', unit: '%', threshold: PERCENT, subject: 'server' },
  load_per_core: { name: 'Load', unit: 'per core', threshold: { min: 0.1, max: 1000 }, subject: 'server' },
  network_errors: {
    name: 'Network errors',
    unit: 'errors/s',
    threshold: { min: 0.01, max: 1_000_000 },
    subject: 'interface',
  },
  temperature: { name: 'Temperature', unit: '%', threshold: { min: 1, max: 150 }, subject: 'sensor' },
  systemd_unit_failed: { name: 'Systemd unit failed', unit: null, threshold: null, subject: 'unit' },
  raid_degraded: { name: 'RAID degraded', unit: null, threshold: null, subject: 'array' },
  pool_degraded: { name: 'Pool degraded', unit: null, threshold: null, subject: 'pool' },
  pool_errors: { name: 'Pool has errors', unit: null, threshold: null, subject: 'pool' },
  pool_usage: { name: 'Pool usage', unit: '%', threshold: PERCENT, subject: 'pool' },
  drive_failing: { name: 'Drive expects to fail', unit: null, threshold: null, subject: 'drive' },
  gpu_temperature: { name: 'GPU temperature', unit: '°C', threshold: { min: 1, max: 200 }, subject: 'gpu' },
  updates_pending: { name: 'Pending updates', unit: 'updates', threshold: COUNT, subject: 'server' },
  security_updates: { name: 'Pending security updates', unit: 'updates', threshold: COUNT, subject: 'server' },
  reboot_required: { name: 'Reboot required', unit: null, threshold: null, subject: 'server' },
  container_restarts: { name: 'Container restarts in 1 h', unit: 'restarts', threshold: COUNT, subject: 'container' },
  container_unhealthy: { name: 'Container unhealthy', unit: null, threshold: null, subject: 'container' },
  process_not_running: { name: 'Process not running', unit: null, threshold: null, subject: 'process' },
  oom_kill: { name: 'OOM kills of a host', unit: 'OOM kills', threshold: COUNT, subject: 'server' },
  collector_late: { name: 'Collector delay', unit: 's', threshold: { min: 1, max: 604_800 }, subject: 'server' },
  offline: { name: 'Offline', unit: null, threshold: null, subject: 'server' },
  reports_refused: { name: 'Reports refused', unit: null, threshold: null, subject: 'server' },
} as const satisfies Record<string, MetricScale>;

export const CAPACITY_SCALES = {
  node_loss: { name: 'Pods pending without a node', unit: 'pods', threshold: COUNT, subject: 'node' },
  cluster_requested: { name: 'Requests of a cluster', unit: '%', threshold: PERCENT, subject: 'cluster' },
  cluster_full_forecast: {
    name: 'Cluster full forecast',
    unit: 'days',
    threshold: { min: 0.1, max: 90 },
    isWorseWhenLower: true,
    subject: 'cluster',
  },
  workload_too_small: { name: 'Workload sized too small', unit: null, threshold: null, subject: 'workload' },
} as const satisfies Record<string, MetricScale>;
export type CapacityMetricName = keyof typeof CAPACITY_SCALES;

export const CLUSTER_SCALES = {
  node_not_ready: { name: 'Node not ready', unit: null, threshold: null, subject: 'node' },
  node_pressure: { name: 'Node condition', unit: null, threshold: null, subject: 'node' },
  pod_restarts: { name: 'Pod restarts in 1 h', unit: 'restarts', threshold: COUNT, subject: 'workload' },
  pod_crash_loop: { name: 'Pods in CrashLoopBackOff', unit: 'pods', threshold: COUNT, subject: 'workload' },
  pod_oom_kill: { name: 'OOM kills in 1 h', unit: 'OOM kills', threshold: COUNT, subject: 'workload' },
  pod_pending: { name: 'Pending pods', unit: 'pods', threshold: COUNT, subject: 'workload' },
  pod_image_pull: { name: 'Pods that cannot pull an image', unit: 'pods', threshold: COUNT, subject: 'workload' },
  job_failed: { name: 'Failed jobs in 1 h', unit: 'jobs', threshold: COUNT, subject: 'workload' },
  volume_usage: { name: 'Volume usage', unit: '%', threshold: PERCENT, subject: 'volume' },
  replicas_missing: { name: 'Missing replicas', unit: '%', threshold: PERCENT, subject: 'workload' },
  ...CAPACITY_SCALES,
  another_collector: { name: 'Second cluster with one uid', unit: null, threshold: null, subject: 'cluster' },
  cluster_silent: { name: 'Cluster collector silent', unit: null, threshold: null, subject: 'cluster' },
} as const satisfies Record<string, MetricScale>;

/** Metrics of a check or a heartbeat. The gravest of a check's lines comes first in its alert, as everywhere. */
export const CHECK_SCALES = {
  check_failed: { name: 'Check failed', unit: null, threshold: null, subject: 'check' },
  check_slow: {
    name: 'Response time, p95 of 15 min',
    unit: 'ms',
    threshold: { min: 1, max: 60_000 },
    subject: 'check',
  },
  certificate_days: {
    name: 'Certificate ends in',
    unit: 'days',
    threshold: { min: 1, max: 365 },
    isWorseWhenLower: true,
    subject: 'check',
  },
  heartbeat_missed: { name: 'Heartbeat missed', unit: null, threshold: null, subject: 'check' },
} as const satisfies Record<string, MetricScale>;

export type HostMetricName = keyof typeof HOST_SCALES;
export type ClusterMetricName = keyof typeof CLUSTER_SCALES;
export type CheckMetricName = keyof typeof CHECK_SCALES;
/** Metrics that a rule can watch. */
export type AlertRuleMetric = HostMetricName | ClusterMetricName | CheckMetricName;

export const METRIC_SCALES: Readonly<Record<AlertRuleMetric, MetricScale>> = {
  ...HOST_SCALES,
  ...CLUSTER_SCALES,
  ...CHECK_SCALES,
};
