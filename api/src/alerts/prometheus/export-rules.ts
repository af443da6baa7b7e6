import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { RULE_FILE_CHARACTERS } from '@plimsoll/contract/wire/alerts/alert-rule-import';
import { CodedError } from '../../errors.ts';
import { bySpecificity } from '../rules/effective-rules.ts';
import { ruleText } from '../rules/rule-text.ts';
import { STATE_THRESHOLD } from '../rules/rules.ts';
import type { AlertRule, RuleDraft, RuleTarget } from '../types.ts';
import { areDisjoint, groupOf, quoted, selectorOf, type TargetNames } from './selectors.ts';

/** Returns the name of an alert in Prometheus: `PlimsollCpuUsage`. */
const alertName = (metric: AlertRuleMetric): string =>
  `Plimsoll${metric.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase())}`;

/** A rule with its id; a default rule has no dates. */
export type ExportedRule = RuleDraft & Pick<AlertRule, 'id'>;

/** A set operator binds weaker than a comparison. */
const comparable = (expression: string): string =>
  / (?:and|unless|or) /.test(expression) ? `(${expression})` : expression;

const valueOf = (metric: AlertRuleMetric, targets: readonly RuleTarget[], names: TargetNames): string =>
  ALERT_METRICS[metric].expression(selectorOf(metric, targets, names));

/** Returns the comparison of one line, without what more specific rules exclude: "(VALUE >= 80)". */
export function ownComparison(
  { metric, target }: Pick<ExportedRule, 'metric' | 'target'>,
  threshold: number | null,
  names: TargetNames,
): string {
  const { firesAt = `>= ${String(STATE_THRESHOLD)}`, isWorseWhenLower = false } = ALERT_METRICS[metric];
  const compared = threshold === null ? firesAt : `${isWorseWhenLower ? '<=' : '>='} ${String(threshold)}`;
  return `(${comparable(valueOf(metric, [target], names))} ${compared})`;
}

/**
 * Ends the expression of a disabled rule: Prometheus evaluates it and never fires, because the right side is empty. A comment
 * would be lost wherever a program rewrites the file, and with it the rule.
 */
export const NEVER = ' and on () (vector(0) == 1)';

/** Returns what the expression of a rule cannot hold, for the import. A template of Prometheus would begin with "{{". */
function importedFields({ metric, target, hysteresisPoints }: ExportedRule, names: TargetNames): string {
  const serverId = 'serverId' in target ? target.serverId : null;
  const clusterId = 'clusterId' in target ? target.clusterId : null;
  const fields = {
    metric,
    target: target.kind,
    server_id: serverId,
    server: serverId && names.hostnameOf(serverId),
    tag_key: target.kind === 'tag' ? target.key : null,
    tag_value: target.kind === 'tag' ? target.value : null,
    mount: target.kind === 'mount' ? target.mount : null,
    cluster_id: clusterId,
    cluster: clusterId && names.clusterNameOf(clusterId),
    namespace: 'namespace' in target ? target.namespace : null,
    workload_kind: target.kind === 'workload' ? target.workloadKind : null,
    workload: target.kind === 'workload' ? target.workload : null,
    hysteresis_points: hysteresisPoints,
  };
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return JSON.stringify(given).replaceAll('{{', String.raw`{\u007b`);
}

/**
 * Returns what excludes the series of the more specific rules. Each selector names all targets that differ in one label,
 * and targets without a common series are left out: else 500 rules of one metric would be a file of 25 MB.
 */
function exclusions(rule: ExportedRule, overriding: readonly ExportedRule[], names: TargetNames): string {
  const targets = overriding.flatMap(({ target }) => (areDisjoint(rule.target, target, names) ? [] : [target]));
  return [...Map.groupBy(targets, groupOf).values()]
    .map((group) => ` unless (${valueOf(rule.metric, group, names)})`)
    .join('');
}

const tooLarge = (): CodedError =>
  new CodedError(
    'rule_file_too_large',
    `The rules make a file of more than ${String(RULE_FILE_CHARACTERS)} characters`,
    { remedy: 'Replace rules of the same metric for tags with different keys by fewer rules.' },
  );

/**
 * Returns the rules as a Prometheus rule file. A more specific rule overrides a general one there too: the expression
 * excludes its series. A disabled rule never fires there. Prometheus has no hysteresis. Throws where the import would not
 * read the file.
 */
export function prometheusRules(
  rules: readonly AlertRule[],
  defaults: readonly ExportedRule[],
  names: TargetNames,
): string {
  const earlier = new Map<AlertRuleMetric, ExportedRule[]>();
  const entries: string[] = [];
  let characters = 100;
  for (const rule of [...rules.toSorted(bySpecificity), ...defaults]) {
    const overriding = earlier.get(rule.metric) ?? [];
    const excluded = rule.enabled ? exclusions(rule, overriding, names) : NEVER;
    for (const { level, threshold } of rule.lines) {
      const entry = entryOf(rule, level, `${ownComparison(rule, threshold, names)}${excluded}`, names);
      characters += entry.length + 1;
      if (characters > RULE_FILE_CHARACTERS) throw tooLarge();
      entries.push(entry);
    }
    overriding.push(rule);
    earlier.set(rule.metric, overriding);
  }
  return ['groups:', '  - name: plimsoll', `    rules:${entries.length === 0 ? ' []' : ''}`, ...entries, ''].join('\n');
}

const seconds = (ms: number): string => `${String(Math.round(ms / 1000))}s`;
const entryOf = (rule: ExportedRule, level: string, expression: string, names: TargetNames): string =>
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
    `          plimsoll: ${quoted(importedFields(rule, names))}`,
  ].join('\n');
