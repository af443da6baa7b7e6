import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { recurrenceText } from './maintenance-words.ts';
import { dayIn, periodsOf, recurrenceProblem } from './periods.ts';
import type { MaintenanceSchedule, Recurrence } from './types.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
/** Zones with daylight saving of an hour, of half an hour, in the south, without it, and beyond the date line. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Pacific/Chatham'];

const formats = new Map<string, Intl.DateTimeFormat>();
/** The wall clock of a zone as a moment of UTC. */
function wallOf(zone: string, at: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  const [month = 1, day = 1, year = 0, hour, minute] = (format.format(at).match(/\d+/g) ?? []).map(Number);
  return Date.UTC(2000 + year, month - 1, day, hour, minute);
}

/** The days of a schedule by the calendar, without crontab. */
function isDay(schedule: Exclude<MaintenanceSchedule, { kind: 'cron' }>, wallDay: number): boolean {
  const date = new Date(wallDay);
  if (schedule.kind === 'weekly') return schedule.weekdays.includes(date.getUTCDay() === 0 ? 7 : date.getUTCDay());
  if (schedule.day === 'last') return new Date(wallDay + DAY).getUTCDate() === 1;
  return date.getUTCDate() === schedule.day;
}

/**
 * Looks at every minute of the wall clock: the first moment that shows the time of the schedule on one of its days; a time
 * that is skipped is as far after the change as it would have been.
 */
function reference(recurrence: Recurrence, from: number, to: number): number[] {
  const { schedule, zone, lastDay } = recurrence;
  if (schedule.kind === 'cron') return [];
  const [hour = 0, minute = 0] = schedule.time.split(':').map(Number);
  const starts: number[] = [];
  for (let day = Math.floor(from / DAY) * DAY - 2 * DAY; day <= to + 2 * DAY; day += DAY) {
    if (!isDay(schedule, day)) continue;
    if (lastDay !== null && new Date(day).toISOString().slice(0, 10) > lastDay) continue;
    const wanted = day + hour * HOUR + minute * MINUTE;
    const shown = [];
    for (let at = wanted - 15 * HOUR; at <= wanted + 15 * HOUR; at += 15 * MINUTE)
      if (wallOf(zone, at + (wanted % (15 * MINUTE))) === wanted) shown.push(at + (wanted % (15 * MINUTE)));
    const [first] = shown;
    // Before the change the clock was as far from the wanted time as it is from the moment.
    const before = wanted - (wallOf(zone, wanted - DAY) - (wanted - DAY));
    const at = first ?? before;
    if (at > from && at <= to) starts.push(at);
  }
  return starts;
}

const schedule = fc.oneof(
  fc.record({
    kind: fc.constant('weekly' as const),
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    time: fc.tuple(fc.nat(23), fc.nat(3)),
  }),
  fc.record({
    kind: fc.constant('monthly' as const),
    day: fc.oneof(fc.integer({ min: 1, max: 31 }), fc.constant('last' as const)),
    time: fc.tuple(fc.nat(23), fc.nat(3)),
  }),
);
const two = (value: number): string => String(value).padStart(2, '0');

test('periods are those of the calendar and the wall clock, through each change of daylight saving', () => {
  fc.assert(
    fc.property(
      schedule,
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 800 }),
      fc.option(fc.integer({ min: 0, max: 120 }), { nil: null }),
      (given, zone, startDay, lastAfter) => {
        const from = Date.UTC(2026, 0, 1) + startDay * DAY;
        const [hour, quarter] = given.time;
        const recurrence: Recurrence = {
          schedule: { ...given, time: `${two(hour)}:${two(quarter * 15)}` },
          zone,
          durationSeconds: 7200,
          lastDay: lastAfter === null ? null : dayIn(zone, from + lastAfter * DAY),
        };
        const to = from + 100 * DAY;
        const periods = periodsOf(recurrence, { after: from, to }, 1000);
        const starts = periods.map(({ startsAt }) => new Date(startsAt).toISOString());
        expect(starts).toEqual(reference(recurrence, from, to).map((at) => new Date(at).toISOString()));
        expect(periods.every(({ startsAt, endsAt }) => endsAt - startsAt === 2 * HOUR)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

const at = (text: string): number => Date.parse(text);

test('a time that comes twice half an hour apart counts the first time, once', () => {
  const recurrence: Recurrence = {
    schedule: { kind: 'weekly', weekdays: [7], time: '01:30' },
    zone: 'Australia/Lord_Howe',
    durationSeconds: 7200,
    lastDay: null,
  };
  const startsAfter = (after: string): string[] =>
    periodsOf(recurrence, { after: at(after), to: at('2026-04-12T00:00:00Z') }, 10).map(({ startsAt }) =>
      new Date(startsAt).toISOString(),
    );
  expect(startsAfter('2026-04-01T00:00:00Z')).toEqual(['2026-04-04T14:30:00.000Z', '2026-04-11T15:00:00.000Z']);
  expect(startsAfter('2026-04-04T14:45:00Z')).toEqual(['2026-04-11T15:00:00.000Z']);
});

const nightly: Recurrence = {
  schedule: { kind: 'weekly', weekdays: [7], time: '02:30' },
  zone: 'Europe/Berlin',
  durationSeconds: 7200,
  lastDay: null,
};
const startsOf = (recurrence: Recurrence, after: string, most = 3): string[] =>
  periodsOf(recurrence, { after: at(after), to: at(after) + 400 * DAY }, most).map(({ startsAt }) =>
    new Date(startsAt).toISOString(),
  );

test('a start that daylight saving skips is an hour later, one that comes twice counts once', () => {
  expect(startsOf(nightly, '2027-03-20T00:00Z')).toEqual([
    '2027-03-21T01:30:00.000Z',
    // 02:30 does not exist: the clock shows 03:30.
    '2027-03-28T01:30:00.000Z',
    '2027-04-04T00:30:00.000Z',
  ]);
  expect(startsOf(nightly, '2027-10-25T00:00Z')).toEqual([
    '2027-10-31T00:30:00.000Z',
    '2027-11-07T01:30:00.000Z',
    '2027-11-14T01:30:00.000Z',
  ]);
});

test('a month without the day has no period, and cron finds the second Tuesday', () => {
  const monthly = { ...nightly, schedule: { kind: 'monthly', day: 31, time: '22:00' } } as const;
  expect(startsOf(monthly, '2027-01-01T00:00Z').map((text) => text.slice(5, 10))).toEqual(['01-31', '03-31', '05-31']);
  const last = { ...nightly, schedule: { kind: 'monthly', day: 'last', time: '12:00' } } as const;
  expect(startsOf(last, '2027-01-01T00:00Z').map((text) => text.slice(5, 10))).toEqual(['01-31', '02-28', '03-31']);
  const patch = { ...nightly, schedule: { kind: 'cron', expression: '0 20 * * 2#2' } } as const;
  expect(startsOf(patch, '2027-01-01T00:00Z').map((text) => text.slice(5, 10))).toEqual(['01-12', '02-09', '03-09']);
});

test('the last day of the zone still counts', () => {
  const ending = { ...nightly, lastDay: '2027-03-28' };
  expect(startsOf(ending, '2027-03-22T00:00Z')).toEqual(['2027-03-28T01:30:00.000Z']);
  expect(startsOf({ ...nightly, lastDay: '2027-03-27' }, '2027-03-22T00:00Z')).toEqual([]);
});

test.each<[Partial<Recurrence>, string | null]>([
  [{}, null],
  [{ zone: 'Europe/Berlino' }, 'zone'],
  [{ schedule: { kind: 'cron', expression: '0 2 * *' } }, 'schedule.expression'],
  [{ schedule: { kind: 'cron', expression: '0 2 30 2 *' } }, 'schedule.expression'],
  [{ schedule: { kind: 'cron', expression: '0 * * * *' } }, 'duration_seconds'],
  [{ schedule: { kind: 'cron', expression: '0 */2 * * *' } }, null],
  [{ lastDay: '2027-01-01' }, 'last_day'],
  [{ durationSeconds: 7 * 86_400 }, null],
  [{ durationSeconds: 7 * 86_400, schedule: { kind: 'weekly', weekdays: [1, 7], time: '02:00' } }, 'duration_seconds'],
])('%o: the field that is wrong is %s', (part, field) => {
  expect(recurrenceProblem({ ...nightly, ...part }, at('2027-01-02T00:00Z'))?.field ?? null).toBe(field);
});

test.each<[Partial<Recurrence>, string]>([
  [{}, 'every Sunday at 02:30 Europe/Berlin, for 2 h'],
  [
    { schedule: { kind: 'weekly', weekdays: [7, 6, 5, 4, 3, 2, 1], time: '00:00' }, zone: 'UTC' },
    'every day at 00:00 UTC, for 2 h',
  ],
  [
    { schedule: { kind: 'monthly', day: 'last', time: '22:00' }, lastDay: '2027-12-31' },
    'last day of the month at 22:00 Europe/Berlin, for 2 h, until 2027-12-31',
  ],
  [{ schedule: { kind: 'cron', expression: '0 20 * * 2#2' } }, 'cron 0 20 * * 2#2 Europe/Berlin, for 2 h'],
])('%o in words: %s', (part, text) => {
  expect(recurrenceText({ ...nightly, ...part })).toBe(text);
});
