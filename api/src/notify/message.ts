import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import { DEFAULT_OFFLINE_RULE, DEFAULT_RULES } from '../alerts/rules.ts';
import { graver } from './routing.ts';
import type { Notification, NotifiedAlert, OutboxEntry } from './types.ts';

const NAMES: Readonly<Record<string, string>> = { cpu_usage: 'CPU', memory_usage: 'Memory', disk_usage: 'Disk' };
const MINUTE_MS = 60_000;

/** Returns a length of time in its two largest units: `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${String(hours)} h` : `${String(hours)} h ${String(minutes % 60)} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${String(days)} d` : `${String(days)} d ${String(hours % 24)} h`;
}

/** Replaces control, format and bidirectional characters: names come from hosts and may be hostile. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, '\uFFFD');

const whole = (value: number): string => String(Math.round(value));

/** How long the value has been over its line: the rule's own wait comes before the alert opens. */
const overFor = ({ rule, at, openedAt }: OutboxEntry): number =>
  at - openedAt + (DEFAULT_RULES.find(({ id }) => id === rule)?.forMs ?? 0);

function condition(entry: OutboxEntry): string {
  const { metric, subject, value, threshold, title, at, openedAt } = entry;
  const name = NAMES[metric];
  if (metric === 'offline' && entry.state !== 'resolved')
    return `No report for ${duration(at - openedAt + DEFAULT_OFFLINE_RULE.forMs)}`;
  if (name === undefined || value === null) return plain(title);
  const shown = `${name}${subject === '' ? '' : ` ${plain(subject)}`} ${whole(value)} %`;
  if (entry.state === 'resolved' || threshold === null) return shown;
  return `${shown}, ${whole(Math.max(0, value - threshold))} over for ${duration(Math.max(overFor(entry), MINUTE_MS))}`;
}

/** Returns one line for an alert: its newest state, and the gravest level of what waits. */
export function describeAlert(entries: readonly OutboxEntry[]): NotifiedAlert | null {
  const last = entries.at(-1);
  if (last === undefined) return null;
  const level = entries.reduce<AlertLevel>((worst, entry) => graver(worst, entry.level), last.level);
  const { alertId, state } = last;
  const text = condition(last);
  if (state === 'resolved')
    return { alertId, state, level, text: `Resolved after ${duration(last.at - last.openedAt)}: ${text}` };
  const word = state === 'repeated' ? 'Still ' : state === 'escalated' ? 'Now ' : '';
  return { alertId, state, level, text: word === '' ? text : `${word}${level}: ${text}` };
}

interface MessageSubject {
  server: { id: string } | null;
  /** Of the server or the cluster. */
  name: string | null;
  /** Open alerts that the cause of the incident explains. */
  folded: number;
}

/** Returns the name a message begins with. An incident of a whole account has none of its own. */
export const subjectName = (name: string | null): string => (name === null ? 'Plimsoll' : plain(name));

/** Builds the message about one incident. `publicUrl` null: without a link. */
export function buildNotification(
  { server, name, folded }: MessageSubject,
  alerts: readonly NotifiedAlert[],
  publicUrl: string | null,
  at: number,
): Notification {
  const hostname = subjectName(name);
  const [only] = alerts;
  const firing = alerts.filter(({ state }) => state !== 'resolved').map(({ level }) => level);
  const level = firing.length === 0 ? null : firing.reduce(graver);
  const isOne = alerts.length === 1 && only !== undefined;
  const more =
    folded > 0 && level !== null
      ? [`${folded === 1 ? '1 more alert has' : `${String(folded)} more alerts have`} this cause`]
      : [];
  const search = server === null ? '' : `?server_id=${encodeURIComponent(server.id)}`;
  return {
    isTest: false,
    hostname,
    level,
    title: isOne ? `${hostname}: ${only.text}` : `${hostname}: ${String(alerts.length)} alerts`,
    lines: [...(isOne ? [] : alerts.map((alert) => alert.text)), ...more],
    link: publicUrl === null ? null : `${publicUrl}/alerts${search}`,
    alerts,
    at,
  };
}

export const testNotification = (publicUrl: string | null, at: number): Notification => ({
  isTest: true,
  hostname: 'Plimsoll',
  level: 'info',
  title: 'Plimsoll: test message',
  lines: ['This channel works. Alerts arrive here.'],
  link: publicUrl === null ? null : `${publicUrl}/alerts`,
  alerts: [],
  at,
});

/** Returns title, level, lines and link as plain text. */
export function plainText({ title, level, isTest, lines, link }: Notification): string {
  const grade = level === null || isTest ? [] : [`Level: ${level}`];
  return [title, ...lines, ...grade, ...(link === null ? [] : [link])].join('\n');
}

/** Cuts to a number of UTF-16 units without splitting a character. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const short = text.slice(0, units - 1);
  return `${short.isWellFormed() ? short : short.slice(0, -1)}…`;
}
