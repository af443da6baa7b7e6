import { matchers, type ClusterMetric } from './alert-metric.ts';
import { CAPACITY_SCALES, type CapacityMetricName } from './alert-metric-scales.ts';

/**
 * Metrics of the last plan of a cluster, which is at most a few minutes old. All are off by default: a cluster of one
 * node never survives its loss, and clusters that scale by themselves are full on purpose.
 */
const ofPlan = {
  scope: 'cluster',
  isClearWhenAbsent: true,
  isOffByDefault: true,
  forSeconds: 600,
  keepFiringForSeconds: 600,
  hysteresisPoints: 0,
  workloadSelector: null,
  missingHistory: 'No history of plans is stored.',
} as const;

export const CAPACITY_ALERT_METRICS = {
  node_loss: {
    ...ofPlan,
    ...CAPACITY_SCALES.node_loss,
    ruleId: 'default-node-loss',
    ruleName: 'Pods that stay pending if a node is lost',
    title: 'Cluster does not survive the loss of a node',
    lines: [{ level: 'warning', threshold: 1 }],
    // kube-state-metrics has no constraints of pods. The expression says whether memory alone would suffice.
    expression: (selectors) =>
      `sum(kube_pod_container_resource_requests${matchers('resource="memory"', ...selectors)}) > bool (sum(kube_node_status_allocatable${matchers('resource="memory"', ...selectors)}) - max(kube_node_status_allocatable${matchers('resource="memory"', ...selectors)}))`,
  },
  cluster_requested: {
    ...ofPlan,
    ...CAPACITY_SCALES.cluster_requested,
    ruleId: 'default-cluster-requested',
    ruleName: 'Requests of a cluster',
    lines: [{ level: 'warning', threshold: 90 }],
    hysteresisPoints: 2,
    expression: (selectors) =>
      `100 * sum by (resource) (kube_pod_container_resource_requests${matchers('resource=~"cpu|memory"', ...selectors)}) / sum by (resource) (kube_node_status_allocatable${matchers('resource=~"cpu|memory"', ...selectors)})`,
  },
  cluster_full_forecast: {
    ...ofPlan,
    ...CAPACITY_SCALES.cluster_full_forecast,
    ruleId: 'default-cluster-full-forecast',
    ruleName: 'Days until requests fill a cluster',
    lines: [{ level: 'warning', threshold: 14 }],
    hysteresisPoints: 1,
    expression: (selectors) =>
      `(sum by (resource) (kube_node_status_allocatable${matchers('resource=~"cpu|memory"', ...selectors)}) - sum by (resource) (kube_pod_container_resource_requests${matchers('resource=~"cpu|memory"', ...selectors)})) / (deriv(sum by (resource) (kube_pod_container_resource_requests${matchers('resource=~"cpu|memory"', ...selectors)})[14d:1h]) > 0) / 86400`,
  },
  workload_too_small: {
    ...ofPlan,
    ...CAPACITY_SCALES.workload_too_small,
    ruleId: 'default-workload-too-small',
    ruleName: 'Workload with too small requests',
    title: 'Workload is sized too small',
    lines: [{ level: 'warning', threshold: null }],
    workloadSelector: (name) => `pod=~${JSON.stringify(`${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}-.+`)}`,
    expression: (selectors) =>
      `sum by (namespace, pod) (container_memory_working_set_bytes${matchers('container!=""', ...selectors)}) > bool sum by (namespace, pod) (kube_pod_container_resource_requests${matchers('resource="memory"', ...selectors)})`,
  },
} as const satisfies Record<CapacityMetricName, ClusterMetric>;
