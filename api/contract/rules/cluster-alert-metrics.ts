import { matchers, type ClusterMetric } from './alert-metric.ts';
import { CAPACITY_ALERT_METRICS } from './capacity-alert-metrics.ts';
import { CLUSTER_SCALES, type ClusterMetricName } from './alert-metric-scales.ts';
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
  workloadSelector: null,
  missingHistory: 'No history of node conditions is stored.',
} as const;
const perWorkload = {
  ...perCluster,
  workloadSelector: podsOf,
  missingHistory: 'No history of pod states is stored.',
} as const;

export const CLUSTER_ALERT_METRICS = {
  node_not_ready: {
    ...perNode,
    ...CLUSTER_SCALES.node_not_ready,
    ruleId: 'default-node-not-ready',
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
    ...CLUSTER_SCALES.node_pressure,
    ruleId: 'default-node-pressure',
    ruleName: 'Node reports a problem: pressure, network, kernel or disk',
    title: 'Node reports a problem',
    lines: line('warning', null),
    forSeconds: 10 * MINUTE,
    keepFiringForSeconds: 5 * MINUTE,
    expression: (selectors) =>
      `kube_node_status_condition${matchers('condition!~".*(Ready|Healthy|Available|Voter|OK|Ok|Initialized|Synced)"', 'status="true"', ...selectors)}`,
  },
  pod_restarts: {
    ...perWorkload,
    ...CLUSTER_SCALES.pod_restarts,
    ruleId: 'default-pod-restarts',
    ruleName: 'Restarts of one pod in 1 h',
    title: 'Pods restart',
    lines: line('warning', 5),
    forSeconds: 0,
    keepFiringForSeconds: 10 * MINUTE,
    expression: (selectors) =>
      `sum without (container) (increase(kube_pod_container_status_restarts_total${matchers(...selectors)}[1h]))`,
  },
  pod_crash_loop: {
    ...perWorkload,
    ...CLUSTER_SCALES.pod_crash_loop,
    ruleId: 'default-crash-loop',
    ruleName: 'Pods in CrashLoopBackOff',
    title: 'CrashLoopBackOff',
    lines: line('error', 1),
    forSeconds: 5 * MINUTE,
    keepFiringForSeconds: 10 * MINUTE,
    expression: (selectors) =>
      `max_over_time(kube_pod_container_status_waiting_reason${matchers('reason="CrashLoopBackOff"', ...selectors)}[5m])`,
  },
  pod_oom_kill: {
    ...perWorkload,
    ...CLUSTER_SCALES.pod_oom_kill,
    ruleId: 'default-oom-kill',
    ruleName: 'OOM kills in 1 h',
    title: 'OOM kill',
    lines: line('warning', 1),
    forSeconds: 0,
    keepFiringForSeconds: 0,
    expression: (selectors) =>
      `increase(kube_pod_container_status_restarts_total${matchers(...selectors)}[1h]) and on (namespace, pod, container) (kube_pod_container_status_last_terminated_reason${matchers('reason="OOMKilled"', ...selectors)} == 1)`,
  },
  pod_pending: {
    ...perWorkload,
    ...CLUSTER_SCALES.pod_pending,
    ruleId: 'default-pod-pending',
    ruleName: 'Pending pods',
    title: 'Pods pending',
    lines: line('warning', 1),
    forSeconds: 15 * MINUTE,
    keepFiringForSeconds: 0,
    expression: (selectors) => `kube_pod_status_phase${matchers('phase="Pending"', ...selectors)}`,
  },
  pod_image_pull: {
    ...perWorkload,
    ...CLUSTER_SCALES.pod_image_pull,
    ruleId: 'default-image-pull',
    ruleName: 'Pods that cannot pull an image',
    title: 'Image pull failed',
    lines: line('error', 1),
    forSeconds: 5 * MINUTE,
    keepFiringForSeconds: 0,
    expression: (selectors) =>
      `kube_pod_container_status_waiting_reason${matchers('reason=~"ErrImagePull|ImagePullBackOff|InvalidImageName"', ...selectors)}`,
  },
  job_failed: {
    ...perWorkload,
    ...CLUSTER_SCALES.job_failed,
    ruleId: 'default-job-failed',
    ruleName: 'Failed jobs in 1 h',
    title: 'Job failed',
    lines: line('warning', 1),
    forSeconds: 0,
    keepFiringForSeconds: 0,
    missingHistory: 'No history of jobs is stored.',
    workloadSelector: (name) => `job_name=~${JSON.stringify(`${escapeRegex(name)}(-.+)?`)}`,
    expression: (selectors) => `kube_job_failed${matchers('condition="true"', ...selectors)}`,
  },
  volume_usage: {
    ...perCluster,
    ...CLUSTER_SCALES.volume_usage,
    ruleId: 'default-volume',
    ruleName: 'Volume',
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
    ...CLUSTER_SCALES.replicas_missing,
    ruleId: 'default-replicas',
    ruleName: 'Missing replicas',
    title: 'Replicas missing',
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
  ...CAPACITY_ALERT_METRICS,
  another_collector: {
    ...perCluster,
    ...CLUSTER_SCALES.another_collector,
    ruleId: 'default-another-collector',
    ruleName: 'Second cluster with one uid',
    title: 'Another collector reports for this cluster',
    lines: line('error', null),
    // The API refuses it after 2 minutes, and the alert begins with the refusal.
    forSeconds: 0,
    keepFiringForSeconds: 0,
    missingHistory: 'No history of refused collectors is stored.',
    workloadSelector: null,
    expression: (selectors) =>
      `count by (cluster) (kube_namespace_created${matchers('namespace="kube-system"', ...selectors)})`,
    firesAt: '> 1',
  },
  cluster_silent: {
    ...perCluster,
    ...CLUSTER_SCALES.cluster_silent,
    ruleId: 'default-cluster-silent',
    ruleName: 'No report of the cluster collector',
    title: 'Cluster collector is silent',
    lines: line('critical', null),
    // A new leader takes over within 30 seconds. The job mark-silent-clusters evaluates it.
    forSeconds: 5 * MINUTE,
    keepFiringForSeconds: 0,
    missingHistory: 'No history of cluster reports is stored.',
    workloadSelector: null,
    expression: (selectors) => `up${matchers('job="kube-state-metrics"', ...selectors)}`,
    firesAt: '== 0',
  },
} as const satisfies Record<ClusterMetricName, ClusterMetric>;
