import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addValue,
  barsOf,
  decodeHistogram,
  encodeHistogram,
  LEAST,
  mergeInto,
  quantile,
  type Histogram,
} from './histogram.ts';

const of = (values: readonly number[]): Histogram => {
  const histogram: Histogram = new Map();
  for (const value of values) addValue(histogram, value, LEAST.cpuCores);
  return histogram;
};
const cores = fc.double({ min: LEAST.cpuCores, max: 1000, noNaN: true });

test('each quantile is within 2 % of the true value', () => {
  fc.assert(
    fc.property(fc.array(cores, { minLength: 1, maxLength: 200 }), fc.constantFrom(0.5, 0.95, 1), (values, share) => {
      const sorted = values.toSorted((a, b) => a - b);
      const truth = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
      const found = quantile(of(values), share, LEAST.cpuCores) ?? Number.NaN;
      expect(Math.abs(found - truth) / truth).toBeLessThanOrEqual(0.02);
    }),
  );
});

test('bytes bring back what was written, and adding two is adding their values', () => {
  fc.assert(
    fc.property(fc.array(cores), fc.array(cores), (a, b) => {
      const sum = of(a);
      mergeInto(sum, of(b));
      expect(sum).toEqual(of([...a, ...b]));
      expect(new Map(decodeHistogram(encodeHistogram(sum)))).toEqual(sum);
    }),
  );
});

test('any bytes are read without an exception', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => decodeHistogram(bytes) instanceof Map));
  expect(decodeHistogram(new Uint8Array())).toEqual(new Map());
});

test('a day of a busy container takes less than 0.25 kB', () => {
  const day = of(
    Array.from({ length: 1440 }, (_, minute) => 0.2 + 0.15 * Math.sin(minute / 229) + (minute % 7) * 0.02),
  );
  expect(encodeHistogram(day).length).toBeLessThan(250);
});

test('an empty one has neither quantile nor bars, and the shares of bars are all of it', () => {
  expect([quantile(new Map(), 0.95, 1), barsOf(new Map(), 1, 16)]).toEqual([null, []]);
  const bars = barsOf(of([0.1, 0.2, 0.4, 0.8]), LEAST.cpuCores, 4);
  expect(bars.length).toBeLessThanOrEqual(4);
  expect(bars.reduce((sum, [, share]) => sum + share, 0)).toBeCloseTo(100, 0);
});
