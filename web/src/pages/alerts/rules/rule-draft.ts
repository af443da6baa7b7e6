import { ALERT_RULE_LIMITS, type AlertRuleTarget } from '@plimsoll/contract/rules/alert-rule-limits';
import { ALERT_LEVELS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import type { AlertRuleOnWire } from '@plimsoll/contract/wire/alert-rules';
import type { RuleBody } from '../../../api/alert-rules.ts';
import { durationText, readDuration } from '../../../format/duration-text.ts';
import { RULE_METRICS } from './rule-metrics.ts';

/** Fields that say what a target applies to, as the API names them. */
export const TARGET_FIELDS = {
  all: [],
  tag: ['tag_key', 'tag_value'],
  server: ['server_id'],
  mount: ['mount', 'server_id'],
  cluster: ['cluster_id'],
  namespace: ['namespace', 'cluster_id'],
  workload: ['workload', 'namespace', 'workload_kind', 'cluster_id'],
} as const satisfies Record<AlertRuleTarget, readonly string[]>;
export type TargetField = (typeof TARGET_FIELDS)[AlertRuleTarget][number];

/** Targets with fields that may stay empty. */
const OPTIONAL: Partial<Record<AlertRuleTarget, readonly TargetField[]>> = {
  tag: ['tag_value'],
  mount: ['server_id'],
  namespace: ['cluster_id'],
  workload: ['workload_kind', 'cluster_id'],
};
export const isOptional = (target: AlertRuleTarget, field: TargetField): boolean =>
  OPTIONAL[target]?.includes(field) === true;

/** The editor as typed. */
export interface RuleDraft {
  metric: string;
  target: AlertRuleTarget;
  where: Readonly<Partial<Record<TargetField, string>>>;
  /** From the lowest on. '' is the threshold of a state. */
  lines: readonly { level: AlertLevel; threshold: string }[];
  holds: string;
  keeps: string;
  hysteresis: string;
  enabled: boolean;
}

/** Problems by field, as the API names them: `lines[0].threshold`, `for_seconds`, `tag_key`. */
export type RuleProblems = Readonly<Record<string, string>>;

const FIELDS = [...new Set(Object.values(TARGET_FIELDS).flat())];

/** Returns the editor of a rule. */
export function draftOf(rule: AlertRuleOnWire): RuleDraft {
  const stored: Readonly<Record<string, unknown>> = rule;
  const where = FIELDS.flatMap((name): [TargetField, string][] => {
    const value = stored[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return {
    metric: rule.metric,
    target: rule.target,
    where: Object.fromEntries(where),
    lines: rule.lines.map(({ level, threshold }) => ({
      level,
      threshold: threshold === null ? '' : String(threshold),
    })),
    holds: durationText(rule.for_seconds),
    keeps: durationText(rule.keep_firing_for_seconds),
    hysteresis: String(rule.hysteresis_points),
    enabled: rule.enabled,
  };
}

/** Changes the metric: lines and times become those of its default rule, the target stays where the metric has it. */
export function withMetric(draft: RuleDraft, metric: string, defaults: readonly AlertRuleOnWire[]): RuleDraft {
  const fallback = defaults.find((rule) => rule.metric === metric);
  const targets = RULE_METRICS.get(metric)?.targets ?? ['all'];
  const target = targets.includes(draft.target) ? draft.target : 'all';
  if (fallback === undefined) return { ...draft, metric, target };
  return { ...draftOf(fallback), target, where: draft.where, enabled: draft.enabled };
}

const read = (text: string): number | null => (text.trim() === '' ? null : Number(text));

function lineProblems({ metric, lines }: RuleDraft): [string, string][] {
  const { bounds = null, isWorseWhenLower = false } = RULE_METRICS.get(metric) ?? {};
  if (bounds === null) return [];
  const sign = isWorseWhenLower ? -1 : 1;
  const { min, max } = bounds;
  return lines.flatMap(({ level, threshold }, index): [string, string][] => {
    const value = read(threshold);
    const below = lines[index - 1];
    const problems: [string, string][] = [];
    if (value === null || !(value >= min && value <= max))
      problems.push([`lines[${index}].threshold`, `Must be a number from ${min} to ${max}. Type another one.`]);
    else if (below !== undefined && sign * value <= sign * Number(below.threshold))
      problems.push([
        `lines[${index}].threshold`,
        `Must be ${isWorseWhenLower ? 'lower' : 'higher'} than the line before it. Type another number.`,
      ]);
    if (below !== undefined && ALERT_LEVELS.indexOf(level) >= ALERT_LEVELS.indexOf(below.level))
      problems.push([`lines[${index}].level`, 'Must be worse than the line before it. Choose another level.']);
    return problems;
  });
}

const durationProblem = (text: string): string | null => {
  const seconds = readDuration(text);
  return seconds !== null && seconds <= ALERT_RULE_LIMITS.seconds
    ? null
    : 'Must be a time of at most 1 d. Write it like 5 min or 90 s.';
};

/** Returns everything that is wrong with the form. */
export function ruleProblems(draft: RuleDraft): RuleProblems {
  const { metric, target, where, lines, holds, keeps, hysteresis } = draft;
  const missing = TARGET_FIELDS[target]
    .filter((field) => !isOptional(target, field) && (where[field] ?? '').trim() === '')
    .map((field): [string, string] => [field, 'Must not be empty. Fill it in.']);
  const times: [string, string | null][] = [['for_seconds', durationProblem(holds)]];
  if (RULE_METRICS.get(metric)?.bounds != null) {
    const points = read(hysteresis);
    const hasMost = RULE_METRICS.get(metric)?.isWorseWhenLower !== true;
    const most = hasMost ? Number(lines[0]?.threshold) : Infinity;
    times.push(['keep_firing_for_seconds', durationProblem(keeps)]);
    times.push([
      'hysteresis_points',
      points !== null && points >= 0 && points < most
        ? null
        : `Must be a number from 0${hasMost ? ', lower than the lowest line' : ''}. Type another one.`,
    ]);
  }
  const wrong = times.filter((entry): entry is [string, string] => entry[1] !== null);
  return Object.fromEntries([...missing, ...lineProblems(draft), ...wrong]);
}

/** Returns what is sent to the API. Call it only for a form without problems. */
export function bodyOf(draft: RuleDraft): RuleBody {
  const { metric, target, where, lines, holds, keeps, hysteresis, enabled } = draft;
  const isState = RULE_METRICS.get(metric)?.bounds == null;
  const fields = TARGET_FIELDS[target].flatMap((field): [string, string][] => {
    const value = (where[field] ?? '').trim();
    return value === '' ? [] : [[field, value]];
  });
  return {
    metric,
    target,
    ...Object.fromEntries(fields),
    lines: lines.map(({ level, threshold }) => ({ level, threshold: isState ? null : Number(threshold) })),
    for_seconds: readDuration(holds),
    ...(!isState && { keep_firing_for_seconds: readDuration(keeps), hysteresis_points: Number(hysteresis) }),
    enabled,
  };
}

/** Returns the body of a rule as it is stored, with other values in place of some. */
export const bodyOfRule = (rule: AlertRuleOnWire, change: Partial<RuleDraft>): RuleBody =>
  bodyOf({ ...draftOf(rule), ...change });

/** Adds a worse line after the last, where a level and a value are left. */
export function withLine(draft: RuleDraft): RuleDraft {
  const last = draft.lines.at(-1);
  const { bounds, isWorseWhenLower = false } = RULE_METRICS.get(draft.metric) ?? {};
  if (last === undefined || bounds == null || !canAddLine(draft)) return draft;
  const level = ALERT_LEVELS[ALERT_LEVELS.indexOf(last.level) - 1] ?? 'critical';
  const threshold = isWorseWhenLower
    ? Math.max(bounds.min, Math.round(Number(last.threshold) * 5) / 10)
    : Math.min(bounds.max, Math.round((Number(last.threshold) + bounds.max) / 2));
  return { ...draft, lines: [...draft.lines, { level, threshold: String(threshold) }] };
}

export const canAddLine = ({ metric, lines }: RuleDraft): boolean =>
  RULE_METRICS.get(metric)?.bounds != null &&
  lines.length < ALERT_RULE_LIMITS.lines &&
  lines.at(-1)?.level !== ALERT_LEVELS[0];
