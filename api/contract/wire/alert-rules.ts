import { z } from 'zod';
import {
  ALERT_RULE_LIMITS,
  ALERT_RULE_METRICS,
  ALERT_RULE_TARGETS,
  REHEARSAL_DAYS,
} from '../rules/alert-rule-limits.ts';
import { ALERT_LEVELS } from '../rules/limits.ts';

const { lines, seconds, hysteresisPoints, threshold } = ALERT_RULE_LIMITS;

export const alertRuleLine = z.strictObject({
  level: z.enum(ALERT_LEVELS),
  /** Per cent. null for `offline`, which has no threshold. */
  threshold: z.number().min(threshold.min).max(threshold.max).nullable(),
});

const duration = z.int().min(0).max(seconds);
const tagKey = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/, 'must be the key of a tag');
/** The fields of a rule that a user writes. Timings that are missing get the values of the default rules. */
const fields = {
  metric: z.enum(ALERT_RULE_METRICS),
  target: z.enum(ALERT_RULE_TARGETS),
  /** With target `server`; optional with target `mount`. */
  server_id: z.uuid('must be a server id (a UUID)').toLowerCase().nullable().optional(),
  /** With target `tag`. Without `tag_value` any value matches. */
  tag_key: tagKey.nullable().optional(),
  tag_value: z.string().max(256).nullable().optional(),
  /** With target `mount`. */
  mount: z.string().min(1).max(512).nullable().optional(),
  lines: z.array(alertRuleLine).min(1).max(lines),
  for_seconds: duration.optional(),
  keep_firing_for_seconds: duration.optional(),
  hysteresis_points: z.number().min(0).max(hysteresisPoints).optional(),
  enabled: z.boolean().default(true),
};
type Fields = z.output<z.ZodObject<typeof fields>>;

/** A field at fault and its problem, with the remedy. */
type Problem = [path: (string | number)[], problem: string];

function targetProblems(rule: Fields): Problem[] {
  const { target } = rule;
  const isGiven = (value: string | null | undefined): boolean => value !== null && value !== undefined;
  const wanted = {
    server_id: target === 'server' ? 'required' : target === 'mount' ? 'optional' : 'none',
    tag_key: target === 'tag' ? 'required' : 'none',
    tag_value: target === 'tag' ? 'optional' : 'none',
    mount: target === 'mount' ? 'required' : 'none',
  } as const;
  const names = ['server_id', 'tag_key', 'tag_value', 'mount'] as const;
  const problems = names.flatMap((name): Problem[] => {
    if (wanted[name] === 'required' && !isGiven(rule[name])) return [[[name], `must be given for target ${target}`]];
    return wanted[name] === 'none' && isGiven(rule[name]) ? [[[name], `must be left out for target ${target}`]] : [];
  });
  if (target === 'mount' && rule.metric !== 'disk_usage')
    problems.push([['target'], 'must be all, tag or server: only disk_usage has mounts']);
  return problems;
}

function lineProblems(rule: Fields): Problem[] {
  if (rule.metric === 'offline') {
    const problems = rule.lines.flatMap((line, index): Problem[] =>
      line.threshold === null ? [] : [[['lines', index, 'threshold'], 'must be null: offline has no threshold']],
    );
    if (rule.lines.length > 1) problems.push([['lines'], 'must be one line: offline has no threshold']);
    return problems;
  }
  return rule.lines.flatMap((line, index): Problem[] => {
    if (line.threshold === null) return [[['lines', index, 'threshold'], 'must be a number of per cent']];
    const below = rule.lines[index - 1];
    if (below === undefined || below.threshold === null) return [];
    if (line.threshold <= below.threshold)
      return [[['lines', index, 'threshold'], 'must be higher than that of the line before it']];
    const isHigher = ALERT_LEVELS.indexOf(line.level) < ALERT_LEVELS.indexOf(below.level);
    return isHigher ? [] : [[['lines', index, 'level'], 'must be higher than that of the line before it']];
  });
}

const requireConsistent = (rule: Fields, context: z.RefinementCtx): void => {
  for (const [path, message] of [...targetProblems(rule), ...lineProblems(rule)])
    context.addIssue({ code: 'custom', path, message });
};

/** POST /api/alerts/rules, PUT /api/alerts/rules/{id}. */
export const alertRuleRequest = z.strictObject(fields).superRefine(requireConsistent);
/** POST /api/alerts/rules/rehearse. */
export const rehearseRequest = z
  .strictObject({ ...fields, days: z.int().min(1).max(REHEARSAL_DAYS.max).default(REHEARSAL_DAYS.default) })
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
  lines: z.array(alertRuleLine),
  for_seconds: z.int(),
  keep_firing_for_seconds: z.int(),
  hysteresis_points: z.number(),
  enabled: z.boolean(),
  /** The rule in words: "CPU usage at or above 80 % for 5 min, clears below 75 %". */
  text: z.string(),
  created_at: z.iso.datetime().nullable(),
  updated_at: z.iso.datetime().nullable(),
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
export type AlertRulesAnswer = z.infer<typeof alertRulesAnswer>;
export type RehearseAnswer = z.infer<typeof rehearseAnswer>;
