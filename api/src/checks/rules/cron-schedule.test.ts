import { expect, test } from 'vitest';
import { cronProblem, nextRun } from './cron-schedule.ts';
import { dueAt } from './heartbeat-status.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();
/** Milliseconds that the wall clock of a zone is ahead of UTC. */
function offsetAt(zone: string, at: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  const [month, day, year, hour, minute, second] = (format.format(at).match(/\d+/g) ?? []).map(Number);
  return Date.UTC(2000 + (year ?? 0), (month ?? 1) - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

/** The first moment with a wall clock; one that is skipped is as far after the change as it was before. */
function momentOf(zone: string, wall: number): number {
  const [before, after] = [wall - offsetAt(zone, wall - DAY), wall - offsetAt(zone, wall + DAY)];
  if (before + offsetAt(zone, before) === wall) return before;
  return after + offsetAt(zone, after) === wall ? after : before;
}

const isIn = (field: string, value: number, least: number): boolean =>
  field.split(',').some((part) => {
    const [range = '', step = '1'] = part.split('/');
    const [from, to] = range === '*' ? [least, 99] : range.split('-').map(Number);
    const last = to ?? (part.includes('/') ? 99 : (from ?? 0));
    return value >= (from ?? 0) && value <= last && (value - (from ?? 0)) % Number(step) === 0;
  });

/** Runs by the definition of crontab(5): every minute of the wall clock is compared. */
function reference(expression: string, zone: string, from: number, count: number): string[] {
  const [minute = '', hour = '', dayOfMonth = '', month = '', dayOfWeek = ''] = expression.split(' ');
  const found = new Set<number>();
  for (let wall = Math.floor((from - DAY) / MINUTE) * MINUTE; wall < from + 800 * DAY; wall += MINUTE) {
    const local = new Date(wall);
    if (local.getUTCHours() === 0 && local.getUTCMinutes() === 0 && !isDay(local)) {
      wall += DAY - MINUTE;
      continue;
    }
    if (!isIn(minute, local.getUTCMinutes(), 0) || !isIn(hour, local.getUTCHours(), 0) || !isDay(local)) continue;
    const at = momentOf(zone, wall);
    if (at > from) found.add(at);
    if (found.size > count + 60) break;
  }
  return [...found]
    .toSorted((a, b) => a - b)
    .slice(0, count)
    .map((at) => new Date(at).toISOString());
  function isDay(local: Date): boolean {
    const weekday = local.getUTCDay();
    const ofMonth = isIn(dayOfMonth, local.getUTCDate(), 1);
    const ofWeek = isIn(dayOfWeek, weekday, 0) || (weekday === 0 && isIn(dayOfWeek, 7, 0));
    if (!isIn(month, local.getUTCMonth() + 1, 1)) return false;
    // With both given either is enough, and a field that begins with a star is not given.
    if (!dayOfMonth.startsWith('*') && !dayOfWeek.startsWith('*')) return ofMonth || ofWeek;
    return ofMonth && ofWeek;
  }
}

/** Clocks go ahead in Europe on 29 March 2026 and back on 25 October, in New York on 8 March and 1 November. */
test.each([
  ['* * * * *', 'UTC', '2026-01-01T00:00:30Z'],
  ['*/5 * * * *', 'UTC', '2026-01-01T00:01Z'],
  ['0 * * * *', 'UTC', '2026-02-28T22:30Z'],
  ['15,45 * * * *', 'UTC', '2026-12-31T23:00Z'],
  ['0 0 * * *', 'UTC', '2026-02-27T12:00Z'],
  ['0 0 1 * *', 'UTC', '2026-01-15T00:00Z'],
  ['0 0 31 * *', 'UTC', '2026-01-01T00:00Z'],
  ['0 0 29 2 *', 'UTC', '2026-12-01T00:00Z'],
  ['0 0 * * 0', 'UTC', '2026-03-01T00:00Z'],
  ['0 0 * * 7', 'UTC', '2026-03-01T00:00Z'],
  ['0 9 * * 1-5', 'UTC', '2026-03-06T10:00Z'],
  ['0 0 13 * 5', 'UTC', '2026-03-01T00:00Z'],
  ['0 0 1,15 * 1', 'UTC', '2026-03-01T00:00Z'],
  ['0 0 */2 * 1', 'UTC', '2026-03-01T00:00Z'],
  ['0 0 1 * */2', 'UTC', '2026-03-01T00:00Z'],
  ['0 0 1-31/2 * 1', 'UTC', '2026-03-01T00:00Z'],
  ['10-20/5 3 * * *', 'UTC', '2026-03-01T00:00Z'],
  ['0 */6 * * *', 'UTC', '2026-03-01T00:00Z'],
  ['0 8-18/2 * * *', 'UTC', '2026-03-01T17:00Z'],
  ['59 23 31 12 *', 'UTC', '2026-03-01T00:00Z'],
  ['30 2 * * *', 'Europe/Berlin', '2026-03-27T12:00Z'],
  ['30 2 * * *', 'Europe/Berlin', '2026-10-23T12:00Z'],
  ['0 2 * * *', 'Europe/Berlin', '2026-03-27T12:00Z'],
  ['0 3 * * *', 'Europe/Berlin', '2026-03-27T12:00Z'],
  ['0 3 * * *', 'Europe/Berlin', '2026-10-23T12:00Z'],
  ['30 1 * * *', 'Europe/London', '2026-03-27T12:00Z'],
  ['30 1 * * *', 'Europe/London', '2026-10-23T12:00Z'],
  ['0 2 * * *', 'America/New_York', '2026-03-06T12:00Z'],
  ['30 2 * * *', 'America/New_York', '2026-03-06T12:00Z'],
  ['30 1 * * *', 'America/New_York', '2026-10-30T12:00Z'],
  ['0 0 * * *', 'America/New_York', '2026-10-30T12:00Z'],
  ['0 2 * * 0', 'America/Los_Angeles', '2026-03-01T12:00Z'],
  ['0 0 1 * *', 'America/Sao_Paulo', '2026-01-10T00:00Z'],
  ['30 9 * * *', 'Asia/Kolkata', '2026-01-10T00:00Z'],
  ['45 5 * * *', 'Asia/Kathmandu', '2026-01-10T00:00Z'],
  ['0 12 * * *', 'Pacific/Chatham', '2026-04-03T12:00Z'],
  ['45 2 * * *', 'Pacific/Chatham', '2026-09-25T12:00Z'],
  ['30 2 * * *', 'Australia/Lord_Howe', '2026-10-02T12:00Z'],
  ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-02T12:00Z'],
  ['30 2 * * *', 'Australia/Sydney', '2026-04-03T12:00Z'],
  ['0 0 * * *', 'Asia/Beirut', '2026-03-27T00:00Z'],
  ['0 4 * * 1', 'Asia/Tokyo', '2026-03-27T00:00Z'],
  ['0 0 * * 6', 'Pacific/Kiritimati', '2026-03-27T00:00Z'],
  ['0 0 * 3,9 *', 'Africa/Casablanca', '2026-02-20T00:00Z'],
  ['*/30 1-3 * * *', 'Europe/Berlin', '2026-03-28T20:00Z'],
])('%s in %s from %s runs as crontab(5) says', (expression, zone, from) => {
  const start = Date.parse(from);
  const runs: string[] = [];
  for (let at: number | null = start; at !== null && runs.length < 5;) {
    at = nextRun(expression, zone, at);
    if (at !== null) runs.push(new Date(at).toISOString());
  }
  // The reference looks two years ahead.
  const count = { '0 0 29 2 *': 1, '59 23 31 12 *': 2 }[expression] ?? 5;
  expect(runs.slice(0, count)).toEqual(reference(expression, zone, start, count));
});

test.each([
  ['0 0 31 2 *', 'UTC', 'expression'],
  ['* * * * * *', 'UTC', 'expression'],
  ['@daily', 'UTC', 'expression'],
  ['61 * * * *', 'UTC', 'expression'],
  ['', 'UTC', 'expression'],
  [`${'1,'.repeat(60)}1 * * * *`, 'UTC', 'expression'],
  ['0 0 * * *', 'Mars/Olympus', 'zone'],
  ['0 0 * * *', '', 'zone'],
])('%j in %j names its field', (expression, zone, field) => {
  expect(cronProblem(expression, zone)?.field).toBe(field);
});
test('a day as Quartz leaves it out is any day', () => {
  const from = Date.parse('2026-03-03T00:00Z');
  expect(nextRun('0 0 ? * MON', 'UTC', from)).toBe(nextRun('0 0 * * 1', 'UTC', from));
  expect(nextRun('0 0 5 * ?', 'UTC', from)).toBe(nextRun('0 0 5 * *', 'UTC', from));
});
test.each([
  ['2026-03-03T02:29:50Z', '2026-03-04T02:30:00.000Z'],
  ['2026-03-03T02:29:20Z', '2026-03-03T02:30:00.000Z'],
  ['2026-03-03T02:30:20Z', '2026-03-04T02:30:00.000Z'],
])('after a call at %s the next one is due at %s', (call, due) => {
  const schedule = { kind: 'cron', expression: '30 2 * * *', zone: 'UTC' } as const;
  const state = { goodAt: Date.parse(call), lastCall: null, startedAt: null, durationMs: null };
  expect(new Date(dueAt(schedule, state) ?? 0).toISOString()).toBe(due);
});
test('a usual expression has no problem', () => {
  expect(cronProblem('30 2 * * 1-5', 'Europe/Berlin')).toBeNull();
});
