import { isStorable } from '@plimsoll/contract/rules/printable-text';
import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { ALERT_RULE_LIMITS, ALERT_RULE_METRICS, RULE_IMPORT_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import { alertRuleRequest, type AlertRuleRequest } from '@plimsoll/contract/wire/alert-rules';
import { z } from 'zod';
import { draftOf } from '../rules/rule-draft.ts';
import { NEVER, ownComparison } from './export-rules.ts';
import { readRuleFile, type RawRule } from './read-rule-file.ts';

/** A rule of the file. `name`: "rule 3 (PlimsollCpuUsage)". */
export interface ReadRule {
  name: string;
  /** The rule that was exported; null: the label is missing. */
  id: string | null;
  request: AlertRuleRequest;
  /** Names of the server and the cluster, for an installation where they have other ids. */
  server: string | null;
  cluster: string | null;
}
export interface ImportProblem {
  name: string;
  field: string;
  detail: string;
}
export interface ReadRules {
  rules: ReadRule[];
  /** At most `RULE_IMPORT_LIMITS.errors`. */
  errors: ImportProblem[];
  /** Rules after those that fit and after the last of the errors. */
  notChecked: number;
}

const entrySchema = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().default('0s'),
  keep_firing_for: z.string().default('0s'),
  labels: z.object({ severity: z.string(), plimsoll_rule: z.string().optional() }),
  annotations: z.object({ summary: z.string().optional(), plimsoll: z.string().optional() }),
});
type Entry = z.output<typeof entrySchema>;

/** The annotation `plimsoll` of an exported rule: everything that its expression cannot hold. */
const annotationSchema = z.looseObject({
  metric: z.enum(ALERT_RULE_METRICS),
  server: z.string().optional(),
  cluster: z.string().optional(),
});

const SECONDS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86_400, w: 604_800, y: 31_536_000 } as const;
const DURATION = /^(?:\d+(?:ms|[smhdwy]))+$/;

/** Returns the seconds of a duration of Prometheus, such as "1h30m"; null: it is none. */
export function secondsOf(text: string): number | null {
  if (text === '0') return 0;
  if (!DURATION.test(text)) return null;
  let seconds = 0;
  for (const [, count, unit] of text.matchAll(/(\d+)(ms|[smhdwy])/g))
    seconds += Number(count) * SECONDS[unit as keyof typeof SECONDS];
  return seconds;
}

/** A problem of one rule that ends its reading. */
class RuleProblem extends Error {
  readonly field: string;
  constructor(field: string, detail: string) {
    super(detail);
    this.field = field;
  }
}

/**
 * Parses a Prometheus rule file that `prometheusRules` wrote. Each faulty rule is one error; the others are read. It
 * stops at the limits of an import. `known`: ids of rules that exist, which count as no new rules.
 */
export async function readPrometheusRules(text: string, known: ReadonlySet<string> = new Set()): Promise<ReadRules> {
  const file = await readRuleFile(text, known);
  let { notChecked } = file;
  const errors = file.problem === null ? [] : [{ name: 'file', field: 'yaml', detail: file.problem }];
  const rules: ReadRule[] = [];
  for (const lines of Map.groupBy(file.entries, ({ id, name }) => id ?? name).values()) {
    if (errors.length >= RULE_IMPORT_LIMITS.errors) notChecked += lines.length;
    else readRule(lines, rules, errors);
  }
  return { rules, errors, notChecked };
}

/** Adds a rule, or what is wrong with it. */
function readRule(lines: readonly RawRule[], rules: ReadRule[], errors: ImportProblem[]): void {
  const entries: Entry[] = [];
  // A rule with too many lines is refused for that.
  for (const { name, raw } of lines.slice(0, ALERT_RULE_LIMITS.lines + 1)) {
    const parsed = entrySchema.safeParse(raw);
    if (parsed.success) entries.push(parsed.data);
    else if (errors.length < RULE_IMPORT_LIMITS.errors) errors.push({ name, ...firstProblem(parsed.error) });
  }
  const [first] = lines;
  if (first === undefined || entries.length < Math.min(lines.length, ALERT_RULE_LIMITS.lines + 1)) return;
  try {
    rules.push(ruleOf(first.name, entries));
  } catch (error) {
    if (!(error instanceof RuleProblem)) throw error;
    errors.push({ name: first.name, field: error.field, detail: error.message });
  }
}

function firstProblem({ issues: [issue] }: z.ZodError): { field: string; detail: string } {
  const field = issue?.path.join('.') ?? '';
  if (issue === undefined) return { field, detail: 'is wrong.' };
  if (issue.code === 'invalid_value') return { field, detail: `must be ${issue.values.map(String).join(', ')}.` };
  if (issue.code !== 'unrecognized_keys') return { field, detail: `${issue.message}.` };
  const isRecord = issue.keys.includes('record');
  const unknown = { field: issue.keys.join(', '), detail: 'is unknown here. Remove it.' };
  return isRecord ? { field: 'record', detail: 'is a recording rule, not an alert. Remove it.' } : unknown;
}

/** Reads the entries of one rule: one for each of its lines. */
function ruleOf(name: string, entries: readonly Entry[]): ReadRule {
  const [first] = entries;
  if (first === undefined) throw new RuleProblem('', 'has no line.');
  for (const field of ['for', 'keep_firing_for'] as const)
    if (entries.some((entry) => entry[field] !== first[field]))
      throw new RuleProblem(field, 'must be the same for all lines of a rule.');
  if (entries.some(({ annotations }) => annotations.plimsoll !== first.annotations.plimsoll))
    throw new RuleProblem('annotations.plimsoll', 'must be the same for all lines of a rule.');
  const enabled = !first.expr.endsWith(NEVER);
  if (entries.some(({ expr }) => expr.endsWith(NEVER) === enabled))
    throw new RuleProblem('expr', `must end with "${NEVER.trim()}" in all lines of a disabled rule, or in none.`);
  const { metric, server, cluster, ...rest } = annotationOf(first);
  const written = (lines: unknown[]) => ({
    ...rest,
    metric,
    lines,
    for_seconds: durationOf('for', first.for),
    keep_firing_for_seconds: durationOf('keep_firing_for', first.keep_firing_for),
    enabled,
  });
  const lines = entries.map(({ labels, expr }) => ({ level: labels.severity, threshold: thresholdOf(metric, expr) }));
  const request = checked(written(lines));
  const names = { hostnameOf: (id: string) => server ?? id, clusterNameOf: (id: string) => cluster ?? id };
  const draft = draftOf(request);
  for (const [index, { expr }] of entries.entries()) {
    const expected = ownComparison(draft, request.lines[index]?.threshold ?? null, names);
    if (![expected, `${expected}${NEVER}`].includes(expr) && !expr.startsWith(`${expected} unless (`))
      throw new RuleProblem(
        'expr',
        `must begin with ${expected}. Change target and metric in annotations.plimsoll, and here only the number.`,
      );
  }
  return { name, id: first.labels.plimsoll_rule ?? null, request, server: server ?? null, cluster: cluster ?? null };
}

function annotationOf({ annotations: { plimsoll } }: Entry): z.output<typeof annotationSchema> {
  const field = 'annotations.plimsoll';
  if (plimsoll === undefined)
    throw new RuleProblem(
      field,
      'is missing. Only rules that Plimsoll exported can be imported; write others in the editor.',
    );
  let content: unknown;
  try {
    content = JSON.parse(plimsoll);
  } catch {
    throw new RuleProblem(field, 'is not JSON. Export the rule again and copy its annotation.');
  }
  if (!isStorable(content))
    throw new RuleProblem(field, 'holds a character that cannot be stored. Remove NUL and unpaired surrogates.');
  const parsed = annotationSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const { field: inside, detail } = firstProblem(parsed.error);
  throw new RuleProblem(inside === '' ? field : `${field}: ${inside}`, detail);
}

function durationOf(field: string, text: string): number {
  const seconds = secondsOf(text);
  if (seconds === null) throw new RuleProblem(field, 'must be a duration, such as 5m or 1h30m.');
  return seconds;
}

/** A set operator or the end of the expression follows the comparison, which is in parentheses. */
const COMPARED = / (?:>=|<=) (-?[0-9.]+(?:e[+-]?[0-9]+)?)\)(?: unless \(| and on \(\) |$)/;

/** Returns the number that the expression compares with; null for a state. */
function thresholdOf(metric: AlertRuleMetric, expr: string): number | null {
  if (ALERT_METRICS[metric].threshold === null) return null;
  const [, text] = COMPARED.exec(expr) ?? [];
  if (text === undefined) throw new RuleProblem('expr', 'compares with no number. It must end with ">= NUMBER)".');
  return Number(text);
}

function checked(written: unknown): AlertRuleRequest {
  const parsed = alertRuleRequest.safeParse(written);
  if (parsed.success) return parsed.data;
  const { field, detail } = firstProblem(parsed.error);
  throw new RuleProblem(field, detail);
}
