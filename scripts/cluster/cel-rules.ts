import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { OBJECT_RULE_METRICS, targetsOf } from '@plimsoll/contract/rules/alert-rule-limits';
import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { camelOf, type CustomKind } from '@plimsoll/contract/rules/custom-resources';
import { TARGET_FIELDS } from '@plimsoll/contract/wire/alert-rules';

/** Rules of the CustomResourceDefinitions that a schema cannot express, in CEL. */

interface Rule {
  rule: string;
  message: string;
}

/** CEL reserves some words. */
const celOf = (name: string): string => (name === 'namespace' ? '__namespace__' : camelOf(name));
const quoted = (names: readonly string[]): string => `[${names.map((name) => `'${name}'`).join(', ')}]`;

function ruleRules(): Rule[] {
  const rules = Object.entries(TARGET_FIELDS).flatMap(([target, fields]): Rule[] => {
    const needed = Object.entries(fields).filter(
      ([name, presence]) => presence === 'required' && name !== 'cluster_id' && name !== 'namespace',
    );
    return needed.map(([name]) => ({
      rule: `self.target != '${target}' || has(self.${celOf(name)})`,
      message: `${camelOf(name)} must be given for target ${target}`,
    }));
  });
  const allFields = ['server_id', 'tag_key', 'tag_value', 'mount', 'namespace', 'workload_kind', 'workload'] as const;
  for (const field of allFields) {
    const targets = Object.entries(TARGET_FIELDS).flatMap(([target, fields]) => (field in fields ? [target] : []));
    rules.push({
      rule: `!has(self.${celOf(field)}) || self.target in ${quoted(targets)}`,
      message: `${camelOf(field)} must be left out unless target is ${targets.join(' or ')}`,
    });
  }
  const byTargets = Map.groupBy(OBJECT_RULE_METRICS, (metric) => targetsOf(metric).join(' '));
  for (const [targets, metrics] of byTargets)
    rules.push({
      rule: `!(self.metric in ${quoted(metrics)}) || self.target in ${quoted(targets.split(' '))}`,
      message: `target must be ${targets.split(' ').join(', ')} for this metric`,
    });
  const isState = (metric: AlertRuleMetric): boolean => ALERT_METRICS[metric].threshold === null;
  const states = quoted(OBJECT_RULE_METRICS.filter(isState));
  rules.push(
    {
      rule: `!(self.metric in ${states}) || (self.lines.size() == 1 && !has(self.lines[0].threshold))`,
      message: 'lines must be one line without a threshold: the metric is a state',
    },
    {
      rule: `self.metric in ${states} || self.lines.all(line, has(line.threshold))`,
      message: 'every line must have a threshold',
    },
  );
  return rules;
}

const SILENCE_RULES: Rule[] = [
  { rule: 'has(self.endsAt) != has(self.durationSeconds)', message: 'either endsAt or durationSeconds must be given' },
  { rule: '!has(self.tagValue) || has(self.tagKey)', message: 'tagKey must be given with tagValue' },
];

function channelRules(): Rule[] {
  const needing = Object.entries(CHANNEL_FORMS).filter(([, { fields }]) =>
    Object.values(fields).some(
      ({ isSecret, isOptional, mayStandInObject }) =>
        isSecret === true && isOptional !== true && mayStandInObject !== true,
    ),
  );
  const types = needing.map(([type]) => type);
  return [
    {
      rule: `!(self.type in ${quoted(types)}) || has(self.secretRef)`,
      message: `secretRef must be given for ${types.join(', ')}`,
    },
  ];
}

const RULES: Record<CustomKind, () => Rule[]> = {
  AlertRule: ruleRules,
  NotificationChannel: channelRules,
  Silence: () => SILENCE_RULES,
};
/** Returns the rules for the spec of a kind. */
export const celRulesOf = (kind: CustomKind): Rule[] => RULES[kind]();
