import type { AlertRuleMetric, ClusterMetricName, HostMetricName } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { ALERT_RULE_METRICS, CHECK_METRIC_NAMES, HOST_METRIC_NAMES } from '@plimsoll/contract/rules/alert-rule-limits';
import type { Reading, ReadingContext } from '@plimsoll/contract/rules/alert-metric';
import { HOST_ALERT_METRICS } from '@plimsoll/contract/rules/host-metrics/host-alert-metrics';
import { REPORT_INTERVAL_SECONDS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import type { Report } from '@plimsoll/contract/wire/report';
import type { RuleDraft } from '../types.ts';

/** These have no value in a report: jobs evaluate them. */
export const JUDGED_BY_JOBS = ['offline', 'reports_refused', 'cluster_silent', ...CHECK_METRIC_NAMES] as const;
type JudgedByJobs = (typeof JUDGED_BY_JOBS)[number];
/** Metrics of a host's report. */
export type ThresholdMetric = Exclude<HostMetricName, JudgedByJobs>;
/** Metrics of a cluster's objects. */
export type ObjectMetric = Exclude<ClusterMetricName, 'cluster_silent'>;

/** A threshold rule. Values in the unit of the metric, times in milliseconds of sample time. */
export interface ThresholdRule<M extends AlertRuleMetric = ThresholdMetric> {
  id: string;
  metric: M;
  /** Ascending; each line is judged on its own, the alert carries the highest level that fires. */
  lines: readonly { level: AlertLevel; threshold: number }[];
  /** Milliseconds that the value must stay at or over a line before it fires. */
  forMs: number;
  /** Milliseconds that the value must stay clear before the alert resolves. */
  keepFiringForMs: number;
  /** Clear is this much below the line. */
  hysteresisPoints: number;
  /** Distance of two samples; GAP_INTERVALS of it without one are a gap. */
  intervalMs: number;
  /** Subjects the rule applies to; absent: all. */
  subjects?: { only: string } | { except: readonly string[] };
}

export type AnyRule = ThresholdRule<ThresholdMetric | ObjectMetric>;

/** Returns true if the rule applies to the subject. */
export function appliesTo({ subjects }: Pick<AnyRule, 'subjects'>, subject: string): boolean {
  if (subjects === undefined) return true;
  return 'only' in subjects ? subjects.only === subject : !subjects.except.includes(subject);
}

/** The value of a state: 1 while it is there. */
export const STATE_THRESHOLD = 1;

/** Returns the default rule of a metric in the evaluator's form. */
export function defaultRule<M extends AlertRuleMetric>(
  metric: M,
  intervalMs = REPORT_INTERVAL_SECONDS * 1000,
): ThresholdRule<M> {
  const { ruleId, lines, forSeconds, keepFiringForSeconds, hysteresisPoints } = ALERT_METRICS[metric];
  return {
    id: ruleId,
    metric,
    lines: lines.map(({ level, threshold }) => ({ level, threshold: threshold ?? STATE_THRESHOLD })),
    forMs: forSeconds * 1000,
    keepFiringForMs: keepFiringForSeconds * 1000,
    hysteresisPoints,
    intervalMs,
  };
}

/** The default rules as a user would write them. */
export const DEFAULT_DRAFTS: readonly (RuleDraft & { id: string })[] = ALERT_RULE_METRICS.map((metric) => {
  const { ruleId, lines, forSeconds, keepFiringForSeconds, hysteresisPoints, isOffByDefault } = ALERT_METRICS[metric];
  return {
    id: ruleId,
    metric,
    target: { kind: 'all' },
    lines,
    forMs: forSeconds * 1000,
    keepFiringForMs: keepFiringForSeconds * 1000,
    hysteresisPoints,
    enabled: isOffByDefault !== true,
  };
});

const isThresholdMetric = (metric: HostMetricName): metric is ThresholdMetric =>
  !(JUDGED_BY_JOBS as readonly string[]).includes(metric);

/** The default rule of each metric, those that are off included. A rule that a job evaluates has no threshold. */
export const FALLBACK_RULES: readonly ThresholdRule[] = HOST_METRIC_NAMES.filter(isThresholdMetric).map((metric) =>
  defaultRule(metric),
);
export const isOffByDefault = (metric: AlertRuleMetric): boolean => ALERT_METRICS[metric].isOffByDefault === true;

/** On for every new server. */
export const DEFAULT_RULES: readonly ThresholdRule[] = FALLBACK_RULES.filter(({ metric }) => !isOffByDefault(metric));

/** Delay and level of the alert about a silent server or cluster, or about refused reports. */
export interface OfflineRule {
  id: string;
  level: AlertLevel;
  forMs: number;
}
const silenceRule = (metric: JudgedByJobs): OfflineRule => {
  const { ruleId, lines, forSeconds } = ALERT_METRICS[metric];
  return { id: ruleId, level: lines[0]?.level ?? 'critical', forMs: forSeconds * 1000 };
};
export const DEFAULT_OFFLINE_RULE: OfflineRule = silenceRule('offline');
export const DEFAULT_REFUSED_RULE: OfflineRule = silenceRule('reports_refused');
export const DEFAULT_CLUSTER_SILENT_RULE: OfflineRule = silenceRule('cluster_silent');

export const NO_CONTEXT: ReadingContext = { forecast: () => 'unknown', memoryForecast: () => 'unknown' };

/** Returns what a report says about a metric: one reading, or one per subject; null without that part. */
export const readingsOf = (
  metric: ThresholdMetric,
  report: Report,
  context: ReadingContext = NO_CONTEXT,
): readonly Reading[] | null => HOST_ALERT_METRICS[metric].read(report, context);
