import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import type { AlertRuleMetric } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { duration, wholeMinutes } from '../alerts/duration.ts';
import { lineText, shortText } from '../alerts/message.ts';
import { graver } from './routing.ts';
import type { Notification, NotifiedAlert, NotifiedCause, OutboxEntry } from './types.ts';

/** Replaces control, format and bidirectional characters: names come from hosts and may be hostile. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu, '\uFFFD');

/** The words of a program in one line, because an alert is one line of a message. */
export const oneLine = (text: string): string => {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return plain(lines.filter((line) => line !== '').join(' '));
};

const isMetric = (metric: string): metric is AlertRuleMetric => Object.hasOwn(ALERT_METRICS, metric);

/** Returns what is wrong, by how much, against which line and for how long; of a resolved alert, how it ended. */
function condition(entry: OutboxEntry, now: number): string {
  const { metric, subject, value, title, detail, at, openedAt, forMs, state } = entry;
  const isOver = state === 'resolved';
  const overMs = at - openedAt + forMs;
  // The time of the message counts: it may have waited for quiet hours or for its channel.
  if (metric === 'offline' && !isOver) return `No report for ${duration(wholeMinutes(now - openedAt + forMs))}`;
  const line = isOver || !isMetric(metric) ? null : lineText(metric, entry.threshold);
  if (detail !== null && !isOver) {
    const text = aboutObject(entry.object === null ? null : plain(entry.object), oneLine(detail));
    return joined(text, line, HAS_DURATION.has(metric) || overMs <= 0 ? null : `for ${duration(overMs)}`);
  }
  // A disk that reached its line is not well: the forecast ends with these words.
  if (detail !== null && (metric === 'disk_forecast' || metric === 'memory_forecast')) return oneLine(detail);
  if (value === null || !isMetric(metric) || ALERT_METRICS[metric].title !== undefined) return plain(title);
  const threshold = isOver ? null : entry.threshold;
  return joined(shortText({ metric, subject: plain(subject), value, threshold, overMs }), line);
}

/** Returns what is wrong with its object first, unless it names the object: "shop/web: 3 of 5 pods in CrashLoopBackOff". */
const aboutObject = (object: string | null, sentence: string): string =>
  object === null || object === '' || sentence.includes(object) ? sentence : `${object}: ${sentence}`;

const joined = (...parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(', ');
/** Metrics whose own words end with how long it has been so. */
const HAS_DURATION: ReadonlySet<string> = new Set(['reports_refused', 'cluster_silent', 'volume_usage']);

/** Returns one line for an alert: its newest state, and the gravest level of what waits. */
export function describeAlert(entries: readonly OutboxEntry[], now: number): NotifiedAlert | null {
  const last = entries.at(-1);
  if (last === undefined) return null;
  const level = entries.reduce<AlertLevel>((worst, entry) => graver(worst, entry.level), last.level);
  const { alertId } = last;
  const state = last.state === 'cause' ? 'repeated' : last.state;
  const text = condition(last, now);
  if (state === 'resolved')
    return { alertId, state, level, text: `Resolved after ${duration(last.at - last.openedAt)}: ${text}` };
  const word = state === 'repeated' ? 'Still ' : state === 'escalated' ? 'Now ' : '';
  return { alertId, state, level, text: word === '' ? text : `${word}${level}: ${text}` };
}

interface MessageSubject {
  server: { id: string } | null;
  /** Name of the server or the cluster. */
  name: string | null;
  /** Open alerts that the cause of the incident explains. */
  folded: number;
}

/** Returns the name a message begins with. An incident of a whole account has none of its own. */
export const subjectName = (name: string | null): string => (name === null ? 'Plimsoll' : plain(name));

/** Returns a line for each cause. */
const causeLines = ({ findings: [first, ...others] }: NotifiedCause): string[] =>
  first === undefined ? [] : [`Likely cause: ${first}`, ...others.map((other) => `Also likely: ${other}`)];

/**
 * Builds the message about one incident. `publicUrl` null: without a link. `cause` null: none is known, or it is no news
 * there.
 */
export function buildNotification(
  { server, name, folded }: MessageSubject,
  alerts: readonly NotifiedAlert[],
  { publicUrl, at, cause }: { publicUrl: string | null; at: number; cause: NotifiedCause | null },
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
  // The alert of the link opens its incident, and the cause stands on top of it.
  const id = (isOne || server === null || cause !== null ? only?.alertId : undefined) ?? null;
  const search = id !== null ? `?alert=${id}` : server === null ? '' : `?server_id=${encodeURIComponent(server.id)}`;
  return {
    isTest: false,
    hostname,
    level,
    title: isOne ? `${hostname}: ${only.text}` : `${hostname}: ${String(alerts.length)} alerts`,
    lines: [...(isOne ? [] : alerts.map((alert) => alert.text)), ...more, ...(cause === null ? [] : causeLines(cause))],
    link: publicUrl === null ? null : `${publicUrl}/alerts${search}`,
    alerts,
    cause,
    at,
  };
}

/** Builds the message that follows when the cause of an incident became known after the alert was sent. */
export function buildCauseNotification(
  { name }: Pick<MessageSubject, 'name'>,
  about: OutboxEntry,
  { publicUrl, at, cause }: { publicUrl: string | null; at: number; cause: NotifiedCause },
): Notification {
  const hostname = subjectName(name);
  const { alertId, level } = about;
  const [first = '', ...lines] = causeLines(cause);
  return {
    isTest: false,
    hostname,
    level,
    title: `${hostname}: ${first}`,
    lines,
    link: publicUrl === null ? null : `${publicUrl}/alerts?alert=${alertId}`,
    // The alert still fires. A channel that keeps a state for each alert changes nothing.
    alerts: [{ alertId, state: 'repeated', level, text: first }],
    cause,
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
  cause: null,
  at,
});

/** Begins a line that repeats what a program said. */
const QUOTED = '> ';

/** Returns title, lines, quote, level and link, each in one line. A channel marks the quote in its own way. */
export function textLines({ title, level, isTest, lines, cause, link }: Notification): {
  text: string;
  kind: 'title' | 'line' | 'quote' | 'link';
}[] {
  const quote = cause?.quote ?? null;
  return [
    { kind: 'title', text: title },
    ...lines.map((text) => ({ kind: 'line' as const, text })),
    ...(quote === null ? [] : [{ kind: 'quote' as const, text: quote }]),
    ...(level === null || isTest ? [] : [{ kind: 'line' as const, text: `Level: ${level}` }]),
    ...(link === null ? [] : [{ kind: 'link' as const, text: link }]),
  ];
}

/** Returns title, lines, quote, level and link as plain text. */
export const plainText = (notification: Notification): string =>
  textLines(notification)
    .map(({ kind, text }) => (kind === 'quote' ? `${QUOTED}${text}` : text))
    .join('\n');

/** Cuts to a number of UTF-16 units without splitting a character. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const short = text.slice(0, units - 1);
  return `${short.isWellFormed() ? short : short.slice(0, -1)}…`;
}
