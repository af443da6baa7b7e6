import type { CheckMetric, ClusterMetric, HostMetric } from './alert-metric.ts';
import type { AlertRuleMetric } from './alert-metric-scales.ts';
import { CHECK_ALERT_METRICS } from './host-metrics/check-alert-metrics.ts';
import { CLUSTER_ALERT_METRICS } from './cluster-alert-metrics.ts';
import { HOST_ALERT_METRICS } from './host-metrics/host-alert-metrics.ts';

/** The table of metrics: scale, default rule, readings and PromQL of each. */
export const ALERT_METRICS: Readonly<Record<AlertRuleMetric, HostMetric | ClusterMetric | CheckMetric>> = {
  ...HOST_ALERT_METRICS,
  ...CLUSTER_ALERT_METRICS,
  ...CHECK_ALERT_METRICS,
};
