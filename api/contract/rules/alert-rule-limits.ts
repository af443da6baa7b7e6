/** Bounds of alert rules. No zod and no default rules here: the browser imports this file. */
import {
  CHECK_SCALES,
  CLUSTER_SCALES,
  HOST_SCALES,
  METRIC_SCALES,
  type AlertRuleMetric,
  type CheckMetricName,
  type ClusterMetricName,
  type HostMetricName,
} from './alert-metric-scales.ts';

export const HOST_METRIC_NAMES = Object.keys(HOST_SCALES) as HostMetricName[];
export const CLUSTER_METRIC_NAMES = Object.keys(CLUSTER_SCALES) as ClusterMetricName[];
export const CHECK_METRIC_NAMES = Object.keys(CHECK_SCALES) as CheckMetricName[];
type ObjectRuleMetric = Exclude<HostMetricName, 'memory_forecast'> | ClusterMetricName;
/**
 * A custom resource sets rules of what a cluster runs; checks belong to no cluster. The released custom resource does not
 * list the forecast of memory.
 */
export const OBJECT_RULE_METRICS = [
  ...HOST_METRIC_NAMES.filter((name) => name !== 'memory_forecast'),
  ...CLUSTER_METRIC_NAMES,
] as [ObjectRuleMetric, ...ObjectRuleMetric[]];
export const ALERT_RULE_METRICS = [...HOST_METRIC_NAMES, ...CLUSTER_METRIC_NAMES, ...CHECK_METRIC_NAMES] as [
  AlertRuleMetric,
  ...AlertRuleMetric[],
];
export const isClusterMetric = (metric: AlertRuleMetric): metric is ClusterMetricName =>
  Object.hasOwn(CLUSTER_SCALES, metric);
export const isCheckMetric = (metric: string): metric is CheckMetricName => Object.hasOwn(CHECK_SCALES, metric);

/**
 * From the least to the most specific, of hosts and of clusters. The most specific rule of a server or of an object in a
 * cluster wins.
 */
export const ALERT_RULE_TARGETS = ['all', 'tag', 'server', 'mount', 'cluster', 'namespace', 'workload'] as const;
export type AlertRuleTarget = (typeof ALERT_RULE_TARGETS)[number];

/** Returns the targets that a rule of the metric can have, from the least to the most specific. */
export function targetsOf(metric: AlertRuleMetric): AlertRuleTarget[] {
  const { subject } = METRIC_SCALES[metric];
  if (isCheckMetric(metric)) return ['all'];
  if (!isClusterMetric(metric))
    return subject === 'filesystem' ? ['all', 'tag', 'server', 'mount'] : ['all', 'tag', 'server'];
  if (subject === 'workload') return ['all', 'cluster', 'namespace', 'workload'];
  return subject === 'volume' ? ['all', 'cluster', 'namespace'] : ['all', 'cluster'];
}

export const ALERT_RULE_LIMITS = {
  perAccount: 500,
  lines: 4,
  seconds: 86_400,
} as const;

/** An import stops reading its file at one of these. Rules that exist do not count. */
export const RULE_IMPORT_LIMITS = { rules: ALERT_RULE_LIMITS.perAccount, errors: 50 } as const;

/** Days of history a rehearsal reads. */
export const REHEARSAL_DAYS = { default: 7, max: 30 } as const;
