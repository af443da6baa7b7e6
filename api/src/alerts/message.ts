import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import type { AlertUnit } from '@plimsoll/contract/rules/alert-metric';
import type { AlertChange } from './types.ts';
import type { Transition } from './evaluate.ts';
import { DEFAULT_OFFLINE_RULE, type OfflineRule } from './rules.ts';

const minutes = (ms: number): string => {
  const n = Math.round(ms / 60_000);
  return n === 1 ? '1 minute' : `${String(n)} minutes`;
};
const lineText = (threshold: number, unit: AlertUnit): string =>
  unit === '%' ? `${String(threshold)}%` : `${String(threshold)} ${unit ?? ''}`.trimEnd();
function valueText(value: number | null, unit: AlertUnit): string {
  if (value === null) return 'unknown';
  if (unit === '%') return `${value.toFixed(1)} %`;
  return `${String(Math.round(value * 100) / 100)} ${unit ?? ''}`.trimEnd();
}

/** What a transition of a threshold rule writes. Texts are plain: whoever shows them escapes them. */
export function changeOf(transition: Transition): AlertChange {
  const { kind, rule, subject, level, threshold, value, at, detail } = transition;
  const { name, title, unit, isWorseWhenLower = false } = ALERT_METRICS[rule.metric];
  const shown = transition.label ?? subject;
  const line = lineText(threshold, unit);
  const held = rule.forMs > 0 ? ` for ${minutes(rule.forMs)}` : '';
  const what = shown === '' ? name : `${name} on ${shown}`;
  const state = title === undefined ? null : shown === '' ? title : `${title}: ${shown}`;
  const over = shown === '' ? `${name} above ${line}` : `${name} above ${line} on ${shown}`;
  return {
    kind: kind === 'opened' || kind === 'resolved' ? kind : 'updated',
    rule: rule.id,
    metric: rule.metric,
    subject,
    level,
    title: state ?? over,
    message:
      detail ??
      (unit === null
        ? (state ?? name)
        : `${what} is at or ${isWorseWhenLower ? 'below' : 'above'} ${line}${held}, now ${valueText(value, unit)}`),
    value: unit === null ? null : value,
    threshold: unit === null ? null : threshold,
    at,
  };
}

export const offlineChange = (
  kind: 'opened' | 'resolved',
  at: number,
  { id, level }: OfflineRule = DEFAULT_OFFLINE_RULE,
): AlertChange => ({
  kind,
  rule: id,
  metric: 'offline',
  subject: '',
  level,
  title: 'Server is offline',
  message: 'No report for 3 intervals: the host is off, the agent stopped or the link is down',
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
    message: `No report of the cluster collector for ${minutes(at - lastSeenAt)}: check its pods and the link`,
    value: null,
    threshold: null,
    at,
  };
}
