import { z } from 'zod';
import { ALERT_METRICS } from '../rules/alert-metrics.ts';
import {
  ALERT_RULE_LIMITS,
  ALERT_RULE_METRICS,
  ALERT_RULE_TARGETS,
  isCheckMetric,
  isClusterMetric,
  REHEARSAL_DAYS,
  targetsOf,
} from '../rules/alert-rule-limits.ts';
import { ALERT_LEVELS } from '../rules/limits.ts';
import { managedObject } from './managed-object.ts';

const { lines, seconds } = ALERT_RULE_LIMITS;

export const alertRuleLine = z.strictObject({
  level: z.enum(ALERT_LEVELS),
  /** In the unit of the metric. null for a state, such as `offline`. */
  threshold: z.number().nullable(),
});

const duration = z.int().min(0).max(seconds);
const objectName = z.string().min(1).max(253);
const tagKey = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/, 'must be the key of a tag');
/** The fields of a rule that a user writes. Timings that are missing get the values of the default rules. */
export const alertRuleFields = {
  metric: z.enum(ALERT_RULE_METRICS),
  target: z.enum(ALERT_RULE_TARGETS),
  /** With target `server`; optional with target `mount`. */
  server_id: z.uuid('must be a server id (a UUID)').toLowerCase().nullable().optional(),
  /** With target `tag`. Without `tag_value` any value matches. */
  tag_key: tagKey.nullable().optional(),
  tag_value: z.string().max(256).nullable().optional(),
  /** With target `mount`. */
  mount: z.string().min(1).max(512).nullable().optional(),
  /** With target `cluster`; optional with `namespace` and `workload`: without it every cluster. */
  cluster_id: z.string().min(1).max(128).nullable().optional(),
  /** With target `namespace` or `workload`. */
  namespace: objectName.nullable().optional(),
  /** With target `workload`: "Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job" or "Pod". Without it any kind. */
  workload_kind: z.string().min(1).max(64).nullable().optional(),
  /** With target `workload`. */
  workload: objectName.nullable().optional(),
  lines: z.array(alertRuleLine).min(1).max(lines),
  for_seconds: duration.optional(),
  keep_firing_for_seconds: duration.optional(),
  hysteresis_points: z.number().min(0).optional(),
  enabled: z.boolean().default(true),
};
type Fields = z.output<z.ZodObject<typeof alertRuleFields>>;

/** A field at fault and its problem, with the remedy. */
type Problem = [path: (string | number)[], problem: string];

type Presence = 'required' | 'optional' | 'none';
type TargetField =
  | 'server_id'
  | 'tag_key'
  | 'tag_value'
  | 'mount'
  | 'cluster_id'
  | 'namespace'
  | 'workload_kind'
  | 'workload';
/** The fields of each target; every other one must be left out. */
export const TARGET_FIELDS: Record<Fields['target'], Partial<Record<TargetField, Presence>>> = {
  all: {},
  server: { server_id: 'required' },
  tag: { tag_key: 'required', tag_value: 'optional' },
  mount: { mount: 'required', server_id: 'optional' },
  cluster: { cluster_id: 'required' },
  namespace: { namespace: 'required', cluster_id: 'optional' },
  workload: { workload: 'required', namespace: 'required', workload_kind: 'optional', cluster_id: 'optional' },
};
const FIELD_NAMES: readonly TargetField[] = [
  'server_id',
  'tag_key',
  'tag_value',
  'mount',
  'cluster_id',
  'namespace',
  'workload_kind',
  'workload',
];

function targetProblems(rule: Fields): Problem[] {
  const { metric, target } = rule;
  const problems = FIELD_NAMES.flatMap((name): Problem[] => {
    const presence = TARGET_FIELDS[target][name] ?? 'none';
    const isGiven = rule[name] !== null && rule[name] !== undefined;
    if (presence === 'required' && !isGiven) return [[[name], `must be given for target ${target}`]];
    return presence === 'none' && isGiven ? [[[name], `must be left out for target ${target}`]] : [];
  });
  const allowed = targetsOf(metric);
  if (!allowed.includes(target)) {
    const kind = `a metric of ${isCheckMetric(metric) ? 'checks' : isClusterMetric(metric) ? 'clusters' : 'hosts'}`;
    problems.push([
      ['target'],
      `must be ${allowed.join(', ')}: ${metric} is ${kind} per ${ALERT_METRICS[metric].subject}`,
    ]);
  }
  return problems;
}

function lineProblems(rule: Fields): Problem[] {
  const { threshold, unit, isWorseWhenLower = false } = ALERT_METRICS[rule.metric];
  if (threshold === null) {
    const problems = rule.lines.flatMap((line, index): Problem[] =>
      line.threshold === null ? [] : [[['lines', index, 'threshold'], `must be null: ${rule.metric} has no threshold`]],
    );
    if (rule.lines.length > 1) problems.push([['lines'], `must be one line: ${rule.metric} has no threshold`]);
    return problems;
  }
  const { min, max } = threshold;
  const problems = rule.lines.flatMap((line, index): Problem[] => {
    if (line.threshold === null || line.threshold < min || line.threshold > max)
      return [[['lines', index, 'threshold'], `must be ${String(min)}–${String(max)} ${unit ?? ''}`.trimEnd()]];
    const below = rule.lines[index - 1];
    if (below === undefined || below.threshold === null) return [];
    const rise = line.threshold - below.threshold;
    if (isWorseWhenLower ? rise >= 0 : rise <= 0)
      return [
        [
          ['lines', index, 'threshold'],
          `must be ${isWorseWhenLower ? 'lower' : 'higher'} than that of the line before it`,
        ],
      ];
    const isHigher = ALERT_LEVELS.indexOf(line.level) < ALERT_LEVELS.indexOf(below.level);
    return isHigher ? [] : [[['lines', index, 'level'], 'must be higher than that of the line before it']];
  });
  const lowest = rule.lines[0]?.threshold ?? min;
  // The alert would otherwise resolve only below zero.
  if (!isWorseWhenLower && rule.hysteresis_points !== undefined && rule.hysteresis_points >= lowest)
    problems.push([['hysteresis_points'], 'must be lower than the lowest line']);
  return problems;
}

const requireConsistent = (rule: Fields, context: z.RefinementCtx): void => {
  for (const [path, message] of [...targetProblems(rule), ...lineProblems(rule)])
    context.addIssue({ code: 'custom', path, message });
};

/** POST /api/alerts/rules, PUT /api/alerts/rules/{id}. */
export const alertRuleRequest = z.strictObject(alertRuleFields).superRefine(requireConsistent);
/** POST /api/alerts/rules/rehearse. */
export const rehearseRequest = z
  .strictObject({ ...alertRuleFields, days: z.int().min(1).max(REHEARSAL_DAYS.max).default(REHEARSAL_DAYS.default) })
  .superRefine(requireConsistent);

export const alertRule = z.object({
  /** `default-…` of a default rule. */
  rule_id: z.string(),
  is_default: z.boolean(),
  metric: z.enum(ALERT_RULE_METRICS),
  target: z.enum(ALERT_RULE_TARGETS),
  server_id: z.uuid().nullable(),
  tag_key: z.string().nullable(),
  tag_value: z.string().nullable(),
  mount: z.string().nullable(),
  cluster_id: z.string().nullable().optional(),
  namespace: z.string().nullable().optional(),
  workload_kind: z.string().nullable().optional(),
  workload: z.string().nullable().optional(),
  /** Unit of the thresholds; null for a state. */
  unit: z.string().nullable().optional(),
  lines: z.array(alertRuleLine),
  for_seconds: z.int(),
  keep_firing_for_seconds: z.int(),
  hysteresis_points: z.number(),
  enabled: z.boolean(),
  /** The rule in words: "CPU usage at or above 80 % for 5 min, clears below 75 %". */
  text: z.string(),
  created_at: z.iso.datetime().nullable(),
  updated_at: z.iso.datetime().nullable(),
  /** Only this custom resource changes the rule. */
  object: managedObject.nullable().optional(),
});
/** `defaults` apply to each server and metric for which no rule is written. */
export const alertRulesAnswer = z.object({
  rules: z.array(alertRule),
  total: z.int(),
  defaults: z.array(alertRule),
});
export const alertRuleAnswer = z.object({ rule: alertRule });

/** `samples`: every sample. `five_minutes`: minima and maxima of 5 minutes. `mixed`: both, because samples are kept for a shorter time. */
export const REHEARSAL_SOURCES = ['samples', 'five_minutes', 'mixed'] as const;
export const rehearseAnswer = z.object({
  /** "In the last 7 days this rule would have fired 3 times and sent 4 messages." */
  text: z.string(),
  /** null: not known, `note` says why. */
  fired: z.int().nullable(),
  /** Firing, a higher level and resolved send one message each. */
  messages: z.int().nullable(),
  /** Why the figures are missing, or how they differ from what the rule does. */
  note: z.string().nullable(),
  source: z.enum(REHEARSAL_SOURCES).nullable(),
  servers: z.int(),
  days: z.int(),
  /** The newest 100. */
  moments: z.array(
    z.object({
      server_id: z.uuid(),
      hostname: z.string(),
      level: z.enum(ALERT_LEVELS),
      fired_at: z.iso.datetime(),
      /** null: would still be firing. */
      resolved_at: z.iso.datetime().nullable(),
    }),
  ),
});

export type AlertRuleRequest = z.output<typeof alertRuleRequest>;
export type AlertRuleOnWire = z.infer<typeof alertRule>;
export type AlertRuleAnswer = z.infer<typeof alertRuleAnswer>;
export type AlertRulesAnswer = z.infer<typeof alertRulesAnswer>;
export type RehearseAnswer = z.infer<typeof rehearseAnswer>;
