import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { typedMoment } from './typed-moment.ts';
import { chosenZone } from './zone.ts';

/** 2026-11-20 09:00 in Berlin, which is an hour ahead of UTC. */
const NOW = Date.UTC(2026, 10, 20, 8);
const utc = (day: number, hour: number, minute: number, month = 10, year = 2026) =>
  Date.UTC(year, month, day, hour, minute) / 1000;

beforeAll(() => chosenZone.set('Europe/Berlin'));
afterAll(() => chosenZone.set(null));

it.each([
  ['03:12', utc(20, 2, 12)],
  [' 3:12 ', utc(20, 2, 12)],
  ['What ran at 03:12?', utc(20, 2, 12)],
  ['at 03:12', utc(20, 2, 12)],
  ['today 03:12', utc(20, 2, 12)],
  ['yesterday 03:12', utc(19, 2, 12)],
  // Later than now: the last one was yesterday.
  ['23:30', utc(19, 22, 30)],
  ['today 23:30', null],
  ['2026-11-18 03:12', utc(18, 2, 12)],
  ['2026-11-18T03:12', utc(18, 2, 12)],
  ['18 Nov 03:12', utc(18, 2, 12)],
  ['18 november 3:12', utc(18, 2, 12)],
  // In the future this year, so of the year before, in summer.
  ['24 Dec 03:12', utc(24, 2, 12, 11, 2025)],
  ['2027-01-01 03:12', null],
  // Days that no month has; the month after it has no say.
  ['2026-02-30 03:12', null],
  ['2026-04-31 03:12', null],
  ['31 sep 03:12', null],
  ['0 Nov 03:12', null],
  ['24:00', null],
  ['2026-11-18 24:00', null],
  ['25:00', null],
  ['03:99', null],
  ['40 Nov 03:12', null],
  ['12 abc 03:12', null],
  ['web-03', null],
  ['', null],
])('%j', (text, at) => expect(typedMoment(text, NOW)).toBe(at));

it('finds yesterday on the day on which clocks go back, 25 hours long', () => {
  // 23:30 in Berlin on 25 October 2026: 24 hours before it is 00:30 of the same day.
  const now = Date.UTC(2026, 9, 25, 22, 30);
  expect(typedMoment('yesterday 03:12', now)).toBe(utc(24, 1, 12, 9));
  expect(typedMoment('23:45', now)).toBe(utc(24, 21, 45, 9));
});

it('finds 29 February in the last year that had one', () => {
  expect(typedMoment('29 feb 03:12', Date.UTC(2025, 1, 28, 12))).toBe(utc(29, 2, 12, 1, 2024));
  expect(typedMoment('29 feb 03:12', Date.UTC(2027, 5, 1))).toBeNull();
});

it('finds no moment that has not come, and of a time alone one of the last two days', () => {
  const day = 86_400;
  const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  const nows = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2028, 0) });
  fc.assert(
    fc.property(clock, nows, fc.constantFrom('', 'yesterday ', 'at '), ([hour, minute], nowMs, lead) => {
      const at = typedMoment(`${lead}${String(hour)}:${String(minute).padStart(2, '0')}`, nowMs);
      const age = nowMs / 1000 - (at ?? Number.NaN);
      expect(age).toBeGreaterThanOrEqual(0);
      // The hour by which clocks differ on some days.
      expect(age).toBeLessThan((lead === 'yesterday ' ? 2 : 1) * day + 3600);
    }),
  );
});
