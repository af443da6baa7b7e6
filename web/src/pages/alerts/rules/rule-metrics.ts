import { METRIC_SCALES, type AlertRuleMetric, type MetricScale } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_RULE_METRICS, targetsOf, type AlertRuleTarget } from '@plimsoll/contract/rules/alert-rule-limits';

/** Fields of a metric that the editor uses. */
interface RuleMetric {
  name: string;
  /** The kind of thing that an alert names. */
  subject: MetricScale['subject'];
  /** Unit of its thresholds; null for a state, which has none. */
  unit: string | null;
  bounds: { min: number; max: number } | null;
  /** A rule fires at or below its line, so a worse line is lower. */
  isWorseWhenLower: boolean;
  /** From the least to the most specific. */
  targets: readonly AlertRuleTarget[];
}

const metricOf = (metric: AlertRuleMetric): RuleMetric => {
  const { name, subject, unit, threshold, isWorseWhenLower = false } = METRIC_SCALES[metric];
  return { name, subject, unit, bounds: threshold, isWorseWhenLower, targets: targetsOf(metric) };
};

/** Every metric by its name on the wire, in the order of the contract. */
export const RULE_METRICS: ReadonlyMap<string, RuleMetric> = new Map(
  ALERT_RULE_METRICS.map((metric) => [metric, metricOf(metric)]),
);
