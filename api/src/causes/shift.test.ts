import { expect, it } from 'vitest';
import type { Point } from '../ai/statistics.ts';
import { outstandingIn } from '../ai/statistics.ts';
import { beginningOf, riseOf, shiftOf, usualAt, weeklyFactor } from './shift.ts';

const AT = Date.UTC(2026, 10, 23, 12) / 1000;
const HOUR = 3600;
/** A point every ten minutes of the last `hours`; `value` gets the hours from now. */
const series = (hours: number, value: (t: number) => number | null): Point[] =>
  Array.from({ length: hours * 6 + 1 }, (_, index) => {
    const t = index / 6 - hours;
    return { at: AT + t * HOUR, value: value(t) };
  });

it('finds a step, its two levels and when it came', () => {
  const shift = shiftOf(
    series(12, (t) => (t < -2 ? 20 : 90)),
    AT,
  );
  expect(shift).toMatchObject({ was: 20, is: 90, last: 90, gradual: false, onset: AT - 2 * HOUR });
});

it('finds a late step beside the wave of a day', () => {
  const shift = shiftOf(
    series(12, (t) => (t < -0.5 ? (t < -6 ? 15 : 40) : 95)),
    AT,
  );
  expect(shift).toMatchObject({ was: 40, is: 95, onset: AT - 0.5 * HOUR });
});

it('calls a slope gradual, and finds where it began', () => {
  const points = series(12, (t) => (t < -5 ? 40 : 40 + (t + 5) * 8));
  expect(shiftOf(points, AT)).toMatchObject({ gradual: true, last: 80 });
  expect(Math.abs((beginningOf(points, AT) ?? 0) - (AT - 5 * HOUR))).toBeLessThanOrEqual(HOUR / 3);
});

it('says nothing of a series that is too short', () => {
  expect(
    shiftOf(
      series(0, () => 1),
      AT,
    ),
  ).toBeNull();
  expect(beginningOf([], AT)).toBeNull();
  expect(outstandingIn([], { from: 0, to: AT })).toBeNull();
});

it('does not count the wave of every day as a rise', () => {
  const wave = (t: number): number => 30 + 20 * Math.sin((2 * Math.PI * t) / 24);
  const points = series(12, wave);
  const week = series(168, wave);
  expect(usualAt(week, AT)).toBeCloseTo(wave(0), 0);
  const rise = riseOf(points, week, AT);
  expect((rise?.is ?? 0) - (rise?.was ?? 0)).toBeLessThan(5);
  expect(riseOf(points, [], AT)?.was).toBe(shiftOf(points, AT)?.was);
});

it('compares the last day with the first days of the week', () => {
  expect(
    weeklyFactor(
      series(168, (t) => 100 + t / 4),
      AT,
    ),
  ).toBeGreaterThan(1.4);
  expect(
    weeklyFactor(
      series(24, () => 1),
      AT,
    ),
  ).toBeNull();
});

it('finds the moment of a range that stands out, not its end', () => {
  const points = series(6, (t) => (t > -3 && t < -2.5 ? 95 : 20));
  const found = outstandingIn(points, { from: AT - 4 * HOUR, to: AT });
  expect(found).toEqual({ at: expect.any(Number), value: 75 });
  expect(Math.abs((found?.at ?? 0) - (AT - 2.6 * HOUR))).toBeLessThanOrEqual(HOUR / 3);
});
