import type { ClusterMetric, HostMetric } from './alert-metric.ts';
import type { AlertRuleMetric } from './alert-metric-scales.ts';
import { CLUSTER_ALERT_METRICS } from './cluster-alert-metrics.ts';
import { HOST_ALERT_METRICS } from './host-alert-metrics.ts';

/** The table of metrics: scale, default rule, readings and PromQL of each. */
export const ALERT_METRICS: Readonly<Record<AlertRuleMetric, HostMetric | ClusterMetric>> = {
  ...HOST_ALERT_METRICS,
  ...CLUSTER_ALERT_METRICS,
};
