import { COUNT, matchers, PERCENT, type ClusterMetric } from './alert-metric.ts';
import type { AlertLevel } from './limits.ts';

/**
 * Metrics of a cluster. One alert is about a node, a volume or a workload: pods of one workload share an alert. The
 * readings are in api/src/alerts/evaluation/cluster-readings.ts; docs/alert-rules.md gives the source of each default.
 */

const line = (level: AlertLevel, threshold: number | null): { level: AlertLevel; threshold: number | null }[] => [
  { level, threshold },
];
const MINUTE = 60;
const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** Pods carry the name of their workload as a prefix. */
const podsOf = (name: string): string => `pod=~${JSON.stringify(`${escapeRegex(name)}-.+`)}`;

const perCluster = { scope: 'cluster', isClearWhenAbsent: true, hysteresisPoints: 0 } as const;
const perNode = {
  ...perCluster,
  subject: 'node',
  unit: null,
  threshold: null,
  workloadSelector: null,
  missingHistory: 'No history of node conditions is stored.',
} as const;
const perWorkload = {
  ...perCluster,
  subject: 'workload',
  threshold: COUNT,
  workloadSelector: podsOf,
  missingHistory: 'No history of pod states is stored.',
} as const;

export const CLUSTER_ALERT_METRICS = {
  node_not_ready: {
    ...perNode,
    ruleId: 'default-node-not-ready',
    name: 'Node not ready',
    ruleName: 'Node not ready',
    title: 'Node not ready',
    lines: line('critical', null),
    // Pods are evicted after 5 minutes, and a reboot takes less.
    forSeconds: 5 * MINUTE,
    keepFiringForSeconds: 5 * MINUTE,
    expression: (selectors) =>
      `kube_node_status_condition${matchers('condition="Ready"', 'status=~"false|unknown"', ...selectors)} unless on (node) (kube_node_spec_unschedulable == 1)`,
  },
  node_pressure: {
    ...perNode,
    ruleId: 'default-node-pressure',
    name: 'Node under pressure',
    ruleName: 'Node under memory, disk or PID pressure',
    title: 'Node under pressure',
    lines: line('warning', null),
    forSeconds: 10 * MINUTE,
    keepFiringForSeconds: 5 * MINUTE,
    expression: (selectors) =>
      `kube_node_status_condition${matchers('condition=~"MemoryPressure|DiskPressure|PIDPressure"', 'status="true"', ...selectors)}`,
  },
  pod_restarts: {
    ...perWorkload,
    ruleId: 'default-pod-restarts',
    name: 'Pod restarts in 1 h',
    ruleName: 'Restarts of one pod in 1 h',
    title: 'Pods restart',
    unit: 'restarts',
    lines: line('warning', 5),
    forSeconds: 0,
    keepFiringForSeconds: 10 * MINUTE,
    expression: (selectors) =>
      `sum without (container) (increase(kube_pod_container_status_restarts_total${matchers(...selectors)}[1h]))`,
  },
  pod_crash_loop: {
    ...perWorkload,
    ruleId: 'default-crash-loop',
    name: 'Pods in CrashLoopBackOff',
    ruleName: 'Pods in CrashLoopBackOff',
    title: 'CrashLoopBackOff',
    unit: 'pods',
    lines: line('error', 1),
    forSeconds: 5 * MINUTE,
    keepFiringForSeconds: 10 * MINUTE,
    expression: (selectors) =>
      `max_over_time(kube_pod_container_status_waiting_reason${matchers('reason="CrashLoopBackOff"', ...selectors)}[5m])`,
  },
  pod_oom_kill: {
    ...perWorkload,
    ruleId: 'default-oom-kill',
    name: 'OOM kills in 1 h',
    ruleName: 'OOM kills in 1 h',
    title: 'OOM kill',
    unit: 'OOM kills',
    lines: line('warning', 1),
    forSeconds: 0,
    keepFiringForSeconds: 0,
    expression: (selectors) =>
      `increase(kube_pod_container_status_restarts_total${matchers(...selectors)}[1h]) and on (namespace, pod, container) (kube_pod_container_status_last_terminated_reason${matchers('reason="OOMKilled"', ...selectors)} == 1)`,
  },
  pod_pending: {
    ...perWorkload,
    ruleId: 'default-pod-pending',
    name: 'Pending pods',
    ruleName: 'Pending pods',
    title: 'Pods pending',
    unit: 'pods',
    lines: line('warning', 1),
    forSeconds: 15 * MINUTE,
    keepFiringForSeconds: 0,
    expression: (selectors) => `kube_pod_status_phase${matchers('phase="Pending"', ...selectors)}`,
  },
  pod_image_pull: {
    ...perWorkload,
    ruleId: 'default-image-pull',
    name: 'Pods that cannot pull an image',
    ruleName: 'Pods that cannot pull an image',
    title: 'Image pull failed',
    unit: 'pods',
    lines: line('error', 1),
    forSeconds: 5 * MINUTE,
    keepFiringForSeconds: 0,
    expression: (selectors) =>
      `kube_pod_container_status_waiting_reason${matchers('reason=~"ErrImagePull|ImagePullBackOff|InvalidImageName"', ...selectors)}`,
  },
  job_failed: {
    ...perWorkload,
    ruleId: 'default-job-failed',
    name: 'Failed jobs in 1 h',
    ruleName: 'Failed jobs in 1 h',
    title: 'Job failed',
    unit: 'jobs',
    lines: line('warning', 1),
    forSeconds: 0,
    keepFiringForSeconds: 0,
    missingHistory: 'No history of jobs is stored.',
    workloadSelector: (name) => `job_name=~${JSON.stringify(`${escapeRegex(name)}(-.+)?`)}`,
    expression: (selectors) => `kube_job_failed${matchers('condition="true"', ...selectors)}`,
  },
  volume_usage: {
    ...perCluster,
    ruleId: 'default-volume',
    name: 'Volume usage',
    ruleName: 'Volume',
    unit: '%',
    threshold: PERCENT,
    subject: 'volume',
    lines: [
      { level: 'warning', threshold: 85 },
      { level: 'critical', threshold: 95 },
    ],
    forSeconds: 5 * MINUTE,
    keepFiringForSeconds: 5 * MINUTE,
    hysteresisPoints: 5,
    // The kubelet of the pod's node reports the usage: without one nothing is known.
    isClearWhenAbsent: false,
    missingHistory: 'No history of volumes is stored.',
    workloadSelector: null,
    expression: (selectors) => {
      const labels = matchers(...selectors);
      return `100 * kubelet_volume_stats_used_bytes${labels} / (kubelet_volume_stats_used_bytes${labels} + kubelet_volume_stats_available_bytes${labels})`;
    },
  },
  replicas_missing: {
    ...perCluster,
    ruleId: 'default-replicas',
    name: 'Missing replicas',
    ruleName: 'Missing replicas',
    title: 'Replicas missing',
    unit: '%',
    threshold: PERCENT,
    subject: 'workload',
    lines: [
      { level: 'warning', threshold: 1 },
      { level: 'critical', threshold: 100 },
    ],
    forSeconds: 15 * MINUTE,
    keepFiringForSeconds: 0,
    missingHistory: 'No history of replicas is stored.',
    workloadSelector: (name) => `deployment=${JSON.stringify(name)}`,
    expression: (selectors) => {
      const labels = matchers(...selectors);
      return `100 * (1 - kube_deployment_status_replicas_ready${labels} / (kube_deployment_spec_replicas${labels} > 0))`;
    },
  },
  cluster_silent: {
    ...perCluster,
    ruleId: 'default-cluster-silent',
    name: 'Cluster collector silent',
    ruleName: 'No report of the cluster collector',
    title: 'Cluster collector is silent',
    unit: null,
    threshold: null,
    subject: 'cluster',
    lines: line('critical', null),
    // A new leader takes over within 30 seconds. The job mark-silent-clusters evaluates it.
    forSeconds: 5 * MINUTE,
    keepFiringForSeconds: 0,
    missingHistory: 'No history of cluster reports is stored.',
    workloadSelector: null,
    expression: (selectors) => `up${matchers('job="kube-state-metrics"', ...selectors)}`,
    firesAt: '== 0',
  },
} as const satisfies Record<string, ClusterMetric>;
