/** Bounds and defaults of alert rules. No zod here: the browser imports this file. */
import type { ClusterMetric, HostMetric } from './alert-metric.ts';
import { CLUSTER_ALERT_METRICS } from './cluster-alert-metrics.ts';
import { HOST_ALERT_METRICS } from './host-alert-metrics.ts';

export type HostMetricName = keyof typeof HOST_ALERT_METRICS;
export type ClusterMetricName = keyof typeof CLUSTER_ALERT_METRICS;
/** Metrics that a rule can watch. */
export type AlertRuleMetric = HostMetricName | ClusterMetricName;

/** The table of metrics: unit, bounds, default rule and subject of each. */
export const ALERT_METRICS: Readonly<Record<AlertRuleMetric, HostMetric | ClusterMetric>> = {
  ...HOST_ALERT_METRICS,
  ...CLUSTER_ALERT_METRICS,
};
export const HOST_METRIC_NAMES = Object.keys(HOST_ALERT_METRICS) as HostMetricName[];
export const CLUSTER_METRIC_NAMES = Object.keys(CLUSTER_ALERT_METRICS) as ClusterMetricName[];
export const ALERT_RULE_METRICS = [...HOST_METRIC_NAMES, ...CLUSTER_METRIC_NAMES] as [
  AlertRuleMetric,
  ...AlertRuleMetric[],
];
export const isClusterMetric = (metric: AlertRuleMetric): metric is ClusterMetricName =>
  ALERT_METRICS[metric].scope === 'cluster';

/**
 * From the least to the most specific, of hosts and of clusters. The most specific rule of a server or of an object in a
 * cluster wins.
 */
export const ALERT_RULE_TARGETS = ['all', 'tag', 'server', 'mount', 'cluster', 'namespace', 'workload'] as const;
export type AlertRuleTarget = (typeof ALERT_RULE_TARGETS)[number];

/** Returns the targets that a rule of the metric can have, from the least to the most specific. */
export function targetsOf(metric: AlertRuleMetric): AlertRuleTarget[] {
  const { scope, subject } = ALERT_METRICS[metric];
  if (scope === 'host') return subject === 'filesystem' ? ['all', 'tag', 'server', 'mount'] : ['all', 'tag', 'server'];
  if (subject === 'workload') return ['all', 'cluster', 'namespace', 'workload'];
  return subject === 'volume' ? ['all', 'cluster', 'namespace'] : ['all', 'cluster'];
}

export const ALERT_RULE_LIMITS = {
  perAccount: 500,
  lines: 4,
  seconds: 86_400,
} as const;

/** Days of history a rehearsal reads. */
export const REHEARSAL_DAYS = { default: 7, max: 30 } as const;
