import type { AlertChange } from './types.ts';
import type { Transition } from './evaluate.ts';
import { DEFAULT_OFFLINE_RULE, type OfflineRule } from './rules.ts';

const NAMES = { cpu_usage: 'CPU usage', memory_usage: 'Memory usage', disk_usage: 'Disk usage' } as const;
const minutes = (ms: number): string => {
  const n = Math.round(ms / 60_000);
  return n === 1 ? '1 minute' : `${String(n)} minutes`;
};
const percent = (value: number | null): string => (value === null ? 'unknown' : `${value.toFixed(1)} %`);

/** What a transition of a threshold rule writes. Texts are plain: whoever shows them escapes them. */
export function changeOf(transition: Transition): AlertChange {
  const { kind, rule, subject, level, threshold, value, at } = transition;
  const what = subject === '' ? NAMES[rule.metric] : `${NAMES[rule.metric]} on ${subject}`;
  const title = `${NAMES[rule.metric]} above ${String(threshold)}%`;
  return {
    kind: kind === 'opened' || kind === 'resolved' ? kind : 'updated',
    rule: rule.id,
    metric: rule.metric,
    subject,
    level,
    title: subject === '' ? title : `${title} on ${subject}`,
    message: `${what} is at or above ${String(threshold)}% for ${minutes(rule.forMs)}, now ${percent(value)}`,
    value,
    threshold,
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
