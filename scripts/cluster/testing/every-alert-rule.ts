import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { ALERT_RULE_METRICS, targetsOf } from '@plimsoll/contract/rules/alert-rule-limits';
import type { AlertRuleTarget } from '@plimsoll/contract/rules/alert-rule-limits';
import { prometheusRules } from '../../../api/src/alerts/prometheus/export-rules.ts';
import type { AlertRule, RuleTarget } from '../../../api/src/alerts/types.ts';

/** Names with what YAML, PromQL and regular expressions treat as special. */
const TARGETS: Record<AlertRuleTarget, RuleTarget> = {
  all: { kind: 'all' },
  tag: { kind: 'tag', key: 'team/env', value: 'a "b" \\ c: #' },
  server: { kind: 'server', serverId: 'web' },
  mount: { kind: 'mount', mount: '/srv "x" {y}', serverId: 'web' },
  cluster: { kind: 'cluster', clusterId: 'prod' },
  namespace: { kind: 'namespace', namespace: 'shop', clusterId: 'prod' },
  workload: { kind: 'workload', namespace: 'shop', workload: 'web.1', workloadKind: null, clusterId: null },
};

/** Returns the export of one rule for each metric and target, with the number of its alerts. */
export function everyAlertRule(): { text: string; alerts: number } {
  const rules = ALERT_RULE_METRICS.flatMap((metric) =>
    targetsOf(metric).map((target): AlertRule => {
      const { lines, forSeconds, keepFiringForSeconds, hysteresisPoints } = ALERT_METRICS[metric];
      const timings = { forMs: forSeconds * 1000, keepFiringForMs: keepFiringForSeconds * 1000, hysteresisPoints };
      const [id, rest] = [`${metric} ${target}`, { object: null, createdAt: 0, updatedAt: 0 }];
      return { id, metric, target: TARGETS[target], lines, ...timings, enabled: true, ...rest };
    }),
  );
  const names = { hostnameOf: () => 'web.1 "x"', clusterNameOf: () => 'prod "eu" \\' };
  const alerts = rules.reduce((sum, { lines }) => sum + lines.length, 0);
  return { text: prometheusRules(rules, [], names), alerts };
}
