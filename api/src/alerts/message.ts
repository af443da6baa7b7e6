import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { withUnit, type AlertUnit } from '@plimsoll/contract/rules/alert-metric-scales';
import { FLAPPING_MS } from './evaluation/alert-state.ts';
import type { AlertChange, AlertRecord } from './types.ts';
import { duration, wholeMinutes } from './duration.ts';
import type { Fired, Transition } from './evaluation/evaluate.ts';
import { DEFAULT_OFFLINE_RULE, DEFAULT_REFUSED_RULE, type OfflineRule } from './rules/rules.ts';

const titleLine = (threshold: number, unit: AlertUnit): string =>
  unit === '%' ? `${String(threshold)}%` : unit === null ? String(threshold) : withUnit(String(threshold), unit);
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

const nameText = ({ metric, subject }: Pick<Crossing, 'metric' | 'subject'>): string =>
  `${ALERT_METRICS[metric].name.replace(/ usage$/, '')}${subject === '' ? '' : ` ${subject}`}`;
const valueText = (value: number, unit: AlertUnit): string =>
  unit === null ? rounded(value, unit) : withUnit(rounded(value, unit), unit);
/** Returns how far a value is on the wrong side of its line; negative: on the right side. */
const pastLine = (metric: AlertRuleMetric, value: number, threshold: number): number =>
  ALERT_METRICS[metric].isWorseWhenLower === true ? threshold - value : value - threshold;

/** Returns what crossed its line and by how much: "Memory 83 %, 3 over for 5 min". */
export function shortText({ metric, subject, value, threshold, overMs }: Crossing): string {
  const { unit, isWorseWhenLower = false } = ALERT_METRICS[metric];
  const what = nameText({ metric, subject });
  const shown = value === null ? `${what} unknown` : `${what} ${valueText(value, unit)}`;
  if (value === null || threshold === null) return shown;
  const past = pastLine(metric, value, threshold);
  const distance = rounded(Math.abs(past), unit);
  const held = overMs > 0 ? ` for ${duration(overMs)}` : '';
  if (Number(distance) === 0) return `${shown}, at its line${past < 0 ? '' : held}`;
  // One that waits to resolve is back on the right side of its line.
  if (past < 0) return `${shown}, ${distance} ${isWorseWhenLower ? 'over' : 'under'} the line`;
  return `${shown}, ${distance} ${isWorseWhenLower ? 'under' : 'over'}${held}`;
}

/** Returns a line with its unit, for a message: "line 80 %", "line 1 pod"; null: a state has none. */
export function lineText(metric: AlertRuleMetric, threshold: number | null): string | null {
  const { unit } = ALERT_METRICS[metric];
  return threshold === null || unit === null ? null : `line ${withUnit(String(threshold), unit)}`;
}

/** Returns what is over: "CPU back to 38 % after 12 min, at worst 97 %". */
function resolvedText(
  { metric, subject, value, threshold }: Omit<Crossing, 'overMs' | 'threshold'> & { threshold: number },
  { forMs, worst }: Fired,
): string {
  const { unit } = ALERT_METRICS[metric];
  // Full swap is harmless while memory is free, and a disk that stops growing has no forecast.
  const isBelow = value !== null && pastLine(metric, value, threshold) < 0;
  const back = `back to ${isBelow ? valueText(value, unit) : 'normal'} after ${duration(forMs)}`;
  const wasPast = worst !== null && pastLine(metric, worst, threshold) >= 0;
  return `${nameText({ metric, subject })} ${back}${wasPast ? `, at worst ${valueText(worst, unit)}` : ''}`;
}

const FLAPPING = `Flapping: it fired again within ${duration(FLAPPING_MS)}, so it resolves after ${duration(FLAPPING_MS)} without a breach`;

/** Returns the change of a transition of a threshold rule. Texts are plain: the caller escapes them. */
export function changeOf(transition: Transition): AlertChange {
  const { kind, rule, subject, level, threshold, value, at, detail, fired } = transition;
  const { name, title, unit } = ALERT_METRICS[rule.metric];
  const shown = transition.label ?? subject;
  const line = titleLine(threshold, unit);
  const state = title === undefined ? null : shown === '' ? title : `${title}: ${shown}`;
  const over = shown === '' ? `${name} above ${line}` : `${name} above ${line} on ${shown}`;
  const crossing = { metric: rule.metric, subject: shown, value, threshold, overMs: rule.forMs };
  const message =
    transition.isUnmeasured === true
      ? `${nameText(crossing)} is no longer measured${detail === undefined ? '' : `: ${detail}`}`
      : fired === undefined
        ? (detail ?? (unit === null ? (state ?? name) : shortText(crossing)))
        : (transition.ending ??
          (unit === null
            ? `${state ?? name}, back to normal after ${duration(fired.forMs)}`
            : resolvedText(crossing, fired)));
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
  message: kind === 'resolved' ? 'Reports arrive again' : `No report for ${duration(forMs)}`,
  value: null,
  threshold: null,
  at,
});

/** `detail`: "field: problem" of the newest refused report. */
export const refusedChange = (
  kind: 'opened' | 'resolved',
  at: number,
  { id, level, forMs }: OfflineRule = DEFAULT_REFUSED_RULE,
  detail = '',
): AlertChange => ({
  kind,
  rule: id,
  metric: 'reports_refused',
  subject: '',
  level,
  title: 'Reports are refused',
  message: kind === 'resolved' ? 'Reports are accepted again' : `Reports refused for ${duration(forMs)}: ${detail}`,
  value: null,
  threshold: null,
  at,
});

/** Returns the message of an alert as of `now`. An open offline alert counts on; a newer report is about to end it. */
export const currentMessage = (
  { message, openedAt, silentSince }: Pick<AlertRecord, 'message' | 'openedAt' | 'silentSince'>,
  now: number,
): string =>
  silentSince === null || silentSince > openedAt
    ? message
    : `No report for ${duration(wholeMinutes(now - silentSince))}`;

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
