import { afterAll, beforeAll, expect, it } from 'vitest';
import { sinceMoment } from './since-moment.ts';
import { chosenZone } from './zone.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;

beforeAll(() => chosenZone.set('UTC'));
afterAll(() => chosenZone.set(null));

it('names the time alone of today, in the zone of the reader', () => {
  expect(sinceMoment(NOON - 12 * HOUR, NOON)).toBe('00:00');
  expect(sinceMoment(NOON - 12 * HOUR - 1, NOON)).toBe('19 Nov 23:59');
  // Less than a day ago, and not today.
  expect(sinceMoment(NOON - 20 * HOUR, NOON)).toBe('19 Nov 16:00');
  chosenZone.set('Pacific/Auckland');
  expect(sinceMoment(NOON - 2 * HOUR, NOON)).toBe('20 Nov 23:00');
  chosenZone.set('UTC');
});

it('tells this day from the same one of another year', () => {
  expect(sinceMoment(Date.UTC(2025, 10, 20, 9), NOON)).toBe('20 Nov 09:00');
});
