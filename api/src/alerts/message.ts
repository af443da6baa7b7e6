import { ALERT_METRICS, type AlertRuleMetric } from '@plimsoll/contract/rules/alert-rule-limits';
import type { AlertUnit } from '@plimsoll/contract/rules/alert-metric';
import { FLAPPING_MS } from './alert-state.ts';
import type { AlertChange } from './types.ts';
import { duration } from './duration.ts';
import type { Transition } from './evaluate.ts';
import { DEFAULT_OFFLINE_RULE, type OfflineRule } from './rules.ts';

const lineText = (threshold: number, unit: AlertUnit): string =>
  unit === '%' ? `${String(threshold)}%` : `${String(threshold)} ${unit ?? ''}`.trimEnd();
/** Whole per cents; other figures are small and keep two decimals. */
const rounded = (value: number, unit: AlertUnit): string =>
  String(unit === '%' ? Math.round(value) : Math.round(value * 100) / 100);

interface Crossing {
  metric: AlertRuleMetric;
  /** As a person reads it; empty: the server itself. */
  subject: string;
  value: number | null;
  /** Null: the line is not crossed, or unknown. */
  threshold: number | null;
  /** Milliseconds that the value has been over the line. */
  overMs: number;
}

/** Returns what crossed its line and by how much: "Memory 83 %, 3 over for 5 min". */
export function shortText({ metric, subject, value, threshold, overMs }: Crossing): string {
  const { name, unit, isWorseWhenLower = false } = ALERT_METRICS[metric];
  const what = `${name.replace(/ usage$/, '')}${subject === '' ? '' : ` ${subject}`}`;
  const shown = value === null ? `${what} unknown` : `${what} ${rounded(value, unit)} ${unit ?? ''}`.trimEnd();
  if (value === null || threshold === null) return shown;
  const past = isWorseWhenLower ? threshold - value : value - threshold;
  const distance = rounded(Math.abs(past), unit);
  // A resolved alert, and one that still waits to resolve, is back on the right side of its line.
  if (past < 0) return `${shown}, ${distance} ${isWorseWhenLower ? 'over' : 'under'} the line`;
  const held = overMs > 0 ? ` for ${duration(overMs)}` : '';
  return `${shown}, ${distance} ${isWorseWhenLower ? 'under' : 'over'}${held}`;
}

const FLAPPING = `Flapping: it fired again within ${duration(FLAPPING_MS)}, so it resolves after ${duration(FLAPPING_MS)} without a breach`;

/** Returns the change of a transition of a threshold rule. Texts are plain: the caller escapes them. */
export function changeOf(transition: Transition): AlertChange {
  const { kind, rule, subject, level, threshold, value, at, detail } = transition;
  const { name, title, unit } = ALERT_METRICS[rule.metric];
  const shown = transition.label ?? subject;
  const line = lineText(threshold, unit);
  const state = title === undefined ? null : shown === '' ? title : `${title}: ${shown}`;
  const over = shown === '' ? `${name} above ${line}` : `${name} above ${line} on ${shown}`;
  const crossing = { metric: rule.metric, subject: shown, value, threshold, overMs: rule.forMs };
  const message = detail ?? (unit === null ? (state ?? name) : shortText(crossing));
  return {
    kind: kind === 'opened' || kind === 'resolved' ? kind : 'updated',
    rule: rule.id,
    metric: rule.metric,
    subject,
    level,
    title: state ?? over,
    message: transition.isFlapping ? `${message}. ${FLAPPING}` : message,
    value: unit === null ? null : value,
    threshold: unit === null ? null : threshold,
    at,
  };
}

export const offlineChange = (
  kind: 'opened' | 'resolved',
  at: number,
  { id, level, forMs }: OfflineRule = DEFAULT_OFFLINE_RULE,
): AlertChange => ({
  kind,
  rule: id,
  metric: 'offline',
  subject: '',
  level,
  title: 'Server is offline',
  message: `No report for ${duration(forMs)}`,
  value: null,
  threshold: null,
  at,
});

/** Texts of the one alert for servers of an account that are silent together. */
export const outageText = ({
  silent,
  alive,
}: {
  silent: number;
  alive: number;
}): { title: string; message: string } => ({
  title: `Ingest outage: ${String(silent)} of ${String(silent + alive)} servers are silent`,
  message: `${String(silent)} of ${String(silent + alive)} servers sent no report for 3 intervals: the network, a proxy or the address of the API may be the cause`,
});

export function silentClusterChange(at: number, { id, level }: OfflineRule, lastSeenAt: number): AlertChange {
  return {
    kind: 'opened',
    rule: id,
    metric: 'cluster_silent',
    subject: '',
    level,
    title: 'Cluster collector is silent',
    message: `No report of the cluster collector for ${duration(at - lastSeenAt)}: check its pods and the link`,
    value: null,
    threshold: null,
    at,
  };
}
