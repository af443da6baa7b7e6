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
  ['25:00', null],
  ['03:99', null],
  ['40 Nov 03:12', null],
  ['12 abc 03:12', null],
  ['web-03', null],
  ['', null],
])('%j', (text, at) => expect(typedMoment(text, NOW)).toBe(at));
