import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { ALERT_LEVELS, type AlertLevel } from '@plimsoll/contract/rules/limits';
import { LATE_HOLD_MS } from './retry.ts';
import type { OutboxEntry, QuietHours, Routing } from './types.ts';

const DAY_MINUTES = 1440;

/** Returns the graver of two levels. */
export const graver = (a: AlertLevel, b: AlertLevel): AlertLevel =>
  ALERT_LEVELS.indexOf(a) <= ALERT_LEVELS.indexOf(b) ? a : b;

const minutesOf = (time: string): number => {
  const [hours = '0', minutes = '0'] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
};
/** Making a format takes a thousand times as long as using it. */
const clockOf = (timeZone: string): ((at: number) => number) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return (at) => minutesOf(format.format(at));
};

/**
 * Returns when the quiet hours around `now` end; null outside of them. Steps by the minute of the zone's clock, because
 * a change to or from daylight saving time makes the night shorter or longer.
 */
export function quietUntil(hours: QuietHours, now: number): number | null {
  const clock = clockOf(hours.timeZone);
  const [start, end] = [minutesOf(hours.from), minutesOf(hours.to)];
  const isQuiet = (at: number): boolean => {
    const time = clock(at);
    return start < end ? time >= start && time < end : time >= start || time < end;
  };
  if (!isQuiet(now)) return null;
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  for (let step = 1; step <= DAY_MINUTES + 120; step += 1) {
    const at = minute + step * MINUTE_MS;
    if (!isQuiet(at)) return at;
  }
  return now + DAY_MINUTES * MINUTE_MS;
}

/** Decision for one alert in one channel. */
export type Verdict = { kind: 'send' } | { kind: 'hold'; until: number } | { kind: 'skip' };

/**
 * Returns true if the alert ended before the channel delivered that it fires: its end is no news there. A process that
 * ended in the middle of a message may have delivered it, so then the end is sent.
 */
function endedUnsent(entries: readonly OutboxEntry[]): boolean {
  const [first] = entries;
  if (first === undefined || entries.some((entry) => entry.isDelivered || entry.mayHaveArrived)) return false;
  return entries.some(({ state }) => state === 'resolved');
}

/** `entries`: all that waits for the alert, in order. `tags` null: the alert concerns the account as a whole. */
export function judge(
  routing: Routing,
  tags: Readonly<Record<string, string>> | null,
  entries: readonly OutboxEntry[],
  now: number,
): Verdict {
  const [first] = entries;
  if (first === undefined) return { kind: 'skip' };
  const level = entries.reduce((worst, entry) => graver(worst, entry.level), first.level);
  // A channel that reported the alert as firing reports its end, whatever level it ended with.
  const opens = entries.some(({ state }) => state === 'firing' || state === 'escalated');
  if (!first.isDelivered && !opens) return { kind: 'skip' };
  const hasTags = tags === null || Object.entries(routing.tags).every(([k, v]) => tags[k] === v);
  const isRouted = routing.levels.includes(level) && hasTags;
  const ends = entries.some(({ state }) => state === 'resolved');
  if (endedUnsent(entries)) return { kind: 'skip' };
  if (first.isFolded && !(first.isDelivered && ends)) return { kind: 'skip' };
  if (!ends && first.isLate) return { kind: 'hold', until: now + LATE_HOLD_MS };
  if (!isRouted && !(first.isDelivered && ends)) return { kind: 'skip' };
  const { quietHours } = routing;
  if (quietHours === null || (level === 'critical' && quietHours.criticalPasses)) return { kind: 'send' };
  const until = quietUntil(quietHours, now);
  return until === null ? { kind: 'send' } : { kind: 'hold', until };
}
