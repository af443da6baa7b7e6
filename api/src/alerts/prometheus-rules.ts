import { ALERT_METRICS, type AlertRuleMetric } from '@plimsoll/contract/rules/alert-rule-limits';
import { bySpecificity } from './effective-rules.ts';
import { ruleText } from './rule-text.ts';
import { STATE_THRESHOLD } from './rules.ts';
import type { AlertRule, RuleDraft } from './types.ts';

/** Texts of a YAML double-quoted scalar are those of JSON. */
const quoted = (text: string): string => JSON.stringify(text);
const labelName = (key: string): string => key.replace(/[^A-Za-z0-9_]/g, '_').replace(/^(?=[0-9])/, '_');
const escapeRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Names of what rules target by id. */
export interface TargetNames {
  hostnameOf: (serverId: string) => string;
  clusterNameOf: (clusterId: string) => string;
}

/** Tags are labels of the scrape target, a server is the instance of its host name with any port. */
function selectorOf({ metric, target }: Pick<ExportedRule, 'metric' | 'target'>, names: TargetNames): string[] {
  const instance = (id: string): string => `instance=~${quoted(`${escapeRegex(names.hostnameOf(id))}(:[0-9]+)?`)}`;
  const cluster = (id: string | null): string[] => (id === null ? [] : [`cluster=${quoted(names.clusterNameOf(id))}`]);
  switch (target.kind) {
    case 'all':
      return [];
    case 'server':
      return [instance(target.serverId)];
    case 'tag':
      return [
        target.value === null ? `${labelName(target.key)}!=""` : `${labelName(target.key)}=${quoted(target.value)}`,
      ];
    case 'mount':
      return [`mountpoint=${quoted(target.mount)}`, ...(target.serverId === null ? [] : [instance(target.serverId)])];
    case 'cluster':
      return cluster(target.clusterId);
    case 'namespace':
      return [`namespace=${quoted(target.namespace)}`, ...cluster(target.clusterId)];
    case 'workload':
      return [
        `namespace=${quoted(target.namespace)}`,
        ...workloadSelector(metric, target.workload),
        ...cluster(target.clusterId),
      ];
  }
}

function workloadSelector(metric: AlertRuleMetric, workload: string): string[] {
  const entry = ALERT_METRICS[metric];
  return entry.scope === 'cluster' && entry.workloadSelector !== null ? [entry.workloadSelector(workload)] : [];
}

/** Returns the name of an alert in Prometheus: `PlimsollCpuUsage`. */
const alertName = (metric: AlertRuleMetric): string =>
  `Plimsoll${metric.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())}`;

/** A rule with its id; a default rule has no dates. */
export type ExportedRule = RuleDraft & Pick<AlertRule, 'id'>;

/** A set operator binds weaker than a comparison. */
const comparable = (expression: string): string =>
  / (?:and|unless|or) /.test(expression) ? `(${expression})` : expression;

/**
 * Returns the rules as a Prometheus rule file. A more specific rule overrides a general one there too: the expression
 * excludes its series. Prometheus has no hysteresis.
 */
export function prometheusRules(
  rules: readonly AlertRule[],
  defaults: readonly ExportedRule[],
  names: TargetNames,
): string {
  const ordered: ExportedRule[] = [...rules.toSorted(bySpecificity), ...defaults];
  const entries = ordered.flatMap((rule, index) => {
    if (!rule.enabled) return [];
    const {
      expression,
      firesAt = `>= ${String(STATE_THRESHOLD)}`,
      isWorseWhenLower = false,
    } = ALERT_METRICS[rule.metric];
    const valueOf = (one: ExportedRule): string => expression(selectorOf(one, names));
    const overriding = ordered.slice(0, index).filter(({ metric }) => metric === rule.metric);
    const exclusions = overriding.map((one) => ` unless (${valueOf(one)})`);
    return rule.lines.map(({ level, threshold }) => {
      const compared = threshold === null ? firesAt : `${isWorseWhenLower ? '<=' : '>='} ${String(threshold)}`;
      return entryOf(rule, level, `(${comparable(valueOf(rule))} ${compared})${exclusions.join('')}`);
    });
  });
  return ['groups:', '  - name: plimsoll', `    rules:${entries.length === 0 ? ' []' : ''}`, ...entries, ''].join('\n');
}

const seconds = (ms: number): string => `${String(Math.round(ms / 1000))}s`;
const entryOf = (rule: ExportedRule, level: string, expression: string): string =>
  [
    `      - alert: ${alertName(rule.metric)}`,
    `        expr: ${quoted(expression)}`,
    `        for: ${seconds(rule.forMs)}`,
    ...(rule.keepFiringForMs > 0 ? [`        keep_firing_for: ${seconds(rule.keepFiringForMs)}`] : []),
    '        labels:',
    `          severity: ${level}`,
    `          plimsoll_rule: ${quoted(rule.id)}`,
    '        annotations:',
    `          summary: ${quoted(ruleText(rule))}`,
  ].join('\n');
