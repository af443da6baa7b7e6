import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { withUnit, type AlertUnit } from '@plimsoll/contract/rules/alert-metric-scales';
import type { RuleDraft } from '../types.ts';

function lengthText(ms: number): string {
  if (ms % (60 * MINUTE_MS) === 0) return `${String(ms / (60 * MINUTE_MS))} h`;
  return ms % MINUTE_MS === 0 ? `${String(ms / MINUTE_MS)} min` : `${String(Math.round(ms / 1000))} s`;
}
const figure = (value: number, unit: AlertUnit): string =>
  unit === 's' ? lengthText(value * 1000) : withUnit(String(Math.round(value * 100) / 100), unit ?? '').trimEnd();

/** Returns the line of a rule that an alert crossed in words: "CPU at or above 80 % for 5 min; resolves below 75 %". */
export function alertRuleWords(
  rule: Pick<RuleDraft, 'metric' | 'forMs' | 'hysteresisPoints'>,
  threshold: number | null,
): string {
  const { ruleName, unit, isWorseWhenLower = false } = ALERT_METRICS[rule.metric];
  const held = rule.forMs > 0 ? ` for ${lengthText(rule.forMs)}` : '';
  if (threshold === null || unit === null) return `${ruleName}${held}`;
  const clear = figure(threshold + (isWorseWhenLower ? 1 : -1) * rule.hysteresisPoints, unit);
  const [over, under] = isWorseWhenLower ? ['at or below', 'above'] : ['at or above', 'below'];
  return `${ruleName} ${over} ${figure(threshold, unit)}${held}; resolves ${under} ${clear}`;
}
