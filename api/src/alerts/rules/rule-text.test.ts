import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { expect, test } from 'vitest';
import { ruleText } from './rule-text.ts';

const textOf = (metric: AlertRuleMetric, hysteresisPoints: number): string =>
  ruleText({
    metric,
    target: { kind: 'all' },
    lines: [{ level: 'warning', threshold: ALERT_METRICS[metric].lines[0]?.threshold ?? null }],
    forMs: 0,
    keepFiringForMs: 0,
    hysteresisPoints,
    enabled: true,
  });

test.each([
  ['cpu_usage', 1, /^CPU at or above 80 % \(warning\), clears 1 point lower$/],
  ['cpu_usage', 5, /clears 5 points lower$/],
  ['disk_forecast', 1, /^Time until a disk reaches its line at or below 4 days \(warning\), clears 1 day higher$/],
  ['load_per_core', 1, /clears 1 per core lower$/],
  ['collector_late', 1, /clears 1 s lower$/],
] as const)('%s with %i', (metric, hysteresisPoints, text) => {
  expect(textOf(metric, hysteresisPoints)).toMatch(text);
});
