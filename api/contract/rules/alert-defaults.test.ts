import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withUnit, type AlertRuleMetric } from './alert-metric-scales.ts';
import { ALERT_METRICS } from './alert-metrics.ts';
import { ALERT_RULE_METRICS } from './alert-rule-limits.ts';

const time = (seconds: number): string => (seconds === 0 ? '–' : `${String(seconds / 60)} min`);

/** Returns the row of docs/alert-rules.md for a metric. */
function row(metric: AlertRuleMetric): string {
  const { subject, lines, unit, forSeconds, keepFiringForSeconds, hysteresisPoints, isOffByDefault } =
    ALERT_METRICS[metric];
  const written = lines.map(({ level, threshold }) =>
    threshold === null ? level : `${withUnit(String(threshold), unit ?? '')} ${level}`,
  );
  const hysteresis =
    hysteresisPoints === 0 ? '–' : withUnit(String(hysteresisPoints), unit === '%' ? 'points' : (unit ?? ''));
  return `| \`${metric}\` | ${subject} | ${written.join(', ')}${isOffByDefault === true ? ', off' : ''} | ${time(forSeconds)} | ${time(keepFiringForSeconds)} | ${hysteresis} |`;
}

test('docs/alert-rules.md has the default rule of every metric', () => {
  const text = readFileSync(new URL('../../../docs/alert-rules.md', import.meta.url), 'utf8');
  const table = text.split('\n').filter((line) => /^\| `[a-z_]+` \| [a-z]+ \|.*\|.*\|.*\|.*\|$/.test(line));
  expect(table).toEqual(ALERT_RULE_METRICS.map(row));
});
