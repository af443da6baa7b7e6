import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anomalyOf, extremesOf, quantile, statisticsOf, trendPerHour, type Point } from './statistics.ts';

const points = (values: readonly (number | null)[]): Point[] =>
  values.map((value, index) => ({ at: index * 60, value }));

it('takes the lowest and the highest sample, not those of the means', () => {
  expect(extremesOf([{ min: 3, max: 50 }, undefined, { min: null, max: null }, { min: 9.004, max: 97.126 }])).toEqual({
    lowest: 3,
    highest: 97.13,
  });
  expect(extremesOf([undefined])).toEqual({ lowest: null, highest: null });
});

describe('statisticsOf', () => {
  it('leaves gaps out', () => {
    expect(statisticsOf(points([10, null, 20, 30]))).toEqual({
      min: 10,
      max: 30,
      mean: 20,
      p95: 30,
      first: 10,
      last: 30,
      trend_per_hour: 400,
      known: 3,
      points: 4,
    });
    expect(statisticsOf(points([null]))).toBeNull();
  });

  it('keeps every figure between the smallest and the largest', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 1 }), (values) => {
        const found = statisticsOf(points(values));
        for (const figure of [found?.mean, found?.p95, found?.first, found?.last]) {
          expect(figure).toBeGreaterThanOrEqual((found?.min ?? 0) - 0.01);
          expect(figure).toBeLessThanOrEqual((found?.max ?? 0) + 0.01);
        }
      }),
    );
  });
});

it('a trend is not moved by one spike', () => {
  const steady = Array.from({ length: 60 }, (_, index) => ({ at: index * 60, value: index === 30 ? 99 : index / 60 }));
  expect(trendPerHour(steady)).toBeCloseTo(1, 1);
  expect(quantile([1, 2, 3, 4], 0.95)).toBe(4);
});

describe('anomalyOf', () => {
  const day = (value: number): Point[] => points([value, value, value]);
  it('compares with the same hours of the days before', () => {
    const before = [30, 32, 31, 29, 30].map(day);
    expect(anomalyOf(day(60), before)).toEqual({ mean: 60, usual: 30, days: 5, unusual: true });
    expect(anomalyOf(day(33), before)?.unusual).toBe(false);
  });
  it('says nothing after fewer than two days, or without figures', () => {
    expect(anomalyOf(day(60), [day(30)])).toBeNull();
    expect(anomalyOf(points([null]), [day(30), day(31)])).toBeNull();
  });
  it('a noisy past makes little unusual', () => {
    expect(anomalyOf(day(60), [10, 80, 35, 70, 20].map(day))?.unusual).toBe(false);
  });
});
