import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { CheckMetricName } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { CHECK_METRIC_NAMES } from '@plimsoll/contract/rules/alert-rule-limits';
import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import type { Check, CheckState } from '../types.ts';
import { reasonText } from './check-words.ts';
import { freshMsOf, judge, type PlaceVote } from './fold.ts';

/** The rule that decides for every check of an organisation. */
interface CheckRule {
  id: string;
  /** From the mildest to the gravest. */
  lines: readonly { level: AlertLevel; threshold: number | null }[];
  hysteresisPoints: number;
  /** A value is past a line for this long before it is an alert. */
  forMs: number;
}
export type CheckRules = ReadonlyMap<CheckMetricName, CheckRule>;

/** A rule as a user wrote it. */
interface WrittenRule extends CheckRule {
  metric: string;
  enabled: boolean;
  createdAt: number;
}

/** Returns the rules in force; a metric that is switched off is absent. Of several that a user wrote the oldest decides. */
export function checkRules(written: readonly WrittenRule[]): CheckRules {
  const rules = new Map<CheckMetricName, CheckRule>();
  for (const metric of CHECK_METRIC_NAMES) {
    const { ruleId, lines, hysteresisPoints, forSeconds, isOffByDefault } = ALERT_METRICS[metric];
    const own = written.filter((rule) => rule.metric === metric).toSorted((a, b) => a.createdAt - b.createdAt)[0];
    if (own !== undefined && !own.enabled) continue;
    if (own !== undefined) rules.set(metric, own);
    else if (isOffByDefault !== true)
      rules.set(metric, { id: ruleId, lines, hysteresisPoints, forMs: forSeconds * 1000 });
  }
  return rules;
}

/** Returns the mildest line of the response time, in milliseconds; null: no rule in force has one. */
export const slowLineOf = (written: readonly WrittenRule[]): number | null =>
  checkRules(written)
    .get('check_slow')
    ?.lines.find(({ threshold }) => threshold !== null)?.threshold ?? null;

export interface WantedAlert {
  metric: CheckMetricName;
  rule: string;
  level: AlertLevel;
  title: string;
  message: string;
  value: number | null;
  threshold: number | null;
}
/** Present state of one check. `openAt`: threshold of the open alert by metric; absent: no alert is open. */
export interface CheckFacts {
  check: Check;
  state: Pick<CheckState, 'fold' | 'certificate' | 'slowSince'>;
  p95Ms: number | null;
  openLines: ReadonlyMap<CheckMetricName, number | null>;
}

/**
 * Returns the alerts that a check has now. Of an unknown check an open alert stays as it is: `unchanged` names it. A check is
 * slow for the hold time of its rule before it is an alert; `slowSince` is to be stored.
 */
export function wantedAlerts(
  facts: CheckFacts,
  rules: CheckRules,
  now: number,
): { wanted: WantedAlert[]; unchanged: CheckMetricName[]; slowSince: number | null } {
  const { check, state } = facts;
  const wanted: WantedAlert[] = [];
  const failing = check.heartbeat === null ? ('check_failed' as const) : ('heartbeat_missed' as const);
  const rule = rules.get(failing);
  const [line] = rule?.lines ?? [];
  const isUnknown = state.fold.status === 'unknown';
  if (rule !== undefined && line !== undefined && state.fold.status === 'down') {
    const { title = '' } = ALERT_METRICS[failing];
    const message = `${check.name}: ${failedText(facts, now)}`;
    wanted.push({ metric: failing, rule: rule.id, level: line.level, title, message, value: null, threshold: null });
  }
  const days = state.certificate === null ? null : (state.certificate.ends_at * 1000 - now) / DAY_MS;
  wanted.push(
    ...lineAlert(facts, rules, 'certificate_days', days, (value) =>
      value <= 0
        ? `${check.name}: the certificate has ended`
        : `${check.name}: the certificate ends in ${daysText(value)}`,
    ),
  );
  const slow = lineAlert(
    facts,
    rules,
    'check_slow',
    facts.p95Ms,
    (value) => `${check.name}: 95 % of the last 15 minutes' answers took up to ${String(Math.round(value))} ms`,
  );
  const slowSince = slow.length === 0 ? null : (state.slowSince ?? now);
  const isHeld = slowSince !== null && now - slowSince >= (rules.get('check_slow')?.forMs ?? 0);
  if (isHeld || facts.openLines.has('check_slow')) wanted.push(...slow);
  return { wanted, unchanged: isUnknown ? [failing] : [], slowSince };
}

function daysText(value: number): string {
  const days = Math.floor(value);
  return days === 0 ? 'less than a day' : days === 1 ? '1 day' : `${String(days)} days`;
}

/** Returns the error of the place that failed first, and how many places vote "down" now. */
function failedText({ check, state: { fold } }: CheckFacts, now: number): string {
  const freshMs = freshMsOf(check.intervalSeconds, check.probe?.timeout_ms ?? 0);
  const { failing } = judge(fold.places, { needed: 1, retries: check.retries, freshMs }, now);
  const first = failing.reduce<PlaceVote | null>(
    (least, vote) => (least === null || (vote.failingSince ?? 0) < (least.failingSince ?? 0) ? vote : least),
    null,
  );
  const of = Object.keys(fold.places).length;
  const places = of > 1 ? ` (${String(failing.length)} of ${String(of)} places)` : '';
  return `${reasonText(first?.reason ?? fold.reason ?? null, first?.status ?? null, first?.phase ?? null)}${places}`;
}

/** The gravest line that the value is past. An open alert stays until the value is clear of its line by the hysteresis. */
function lineAlert(
  { openLines }: CheckFacts,
  rules: CheckRules,
  metric: 'certificate_days' | 'check_slow',
  value: number | null,
  textOf: (value: number) => string,
): WantedAlert[] {
  const rule = rules.get(metric);
  if (rule === undefined || value === null) return [];
  const { title = '', isWorseWhenLower = false } = ALERT_METRICS[metric];
  const sign = isWorseWhenLower ? -1 : 1;
  const open = openLines.get(metric);
  const isPast = (threshold: number): boolean => {
    const slack = open !== undefined && open !== null && sign * threshold <= sign * open ? rule.hysteresisPoints : 0;
    return sign * (value - threshold) >= (slack === 0 ? 0 : -slack);
  };
  const line = rule.lines.findLast(({ threshold }) => threshold !== null && isPast(threshold));
  if (line === undefined) return [];
  // Days that remain are whole and never more than there are, as in the message and on the page of the check.
  const shown = metric === 'certificate_days' ? Math.trunc(value) : Math.round(value * 10) / 10;
  return [
    {
      metric,
      rule: rule.id,
      level: line.level,
      title,
      message: textOf(value),
      value: shown,
      threshold: line.threshold,
    },
  ];
}
