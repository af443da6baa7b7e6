import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { forecastFromHistory, forecastOf } from './disk-forecast.ts';
import { diskTrend } from './disk-trend.ts';
import type { DiskForecast, FilesystemPoint } from './types.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const STEP = HOUR / 2;
const NOW = Date.UTC(2026, 10, 18, 3, 12);
const GB = 2 ** 30;
const CAPACITY = 100 * GB;

/** Returns the same noise in every run, between −1 and 1. */
const noise = (seed: number): number => {
  const wave = Math.sin(seed * 12.9898) * 43_758.5453;
  return 2 * (wave - Math.floor(wave)) - 1;
};
/** Per cent used at a time in days; negative is the past. */
type Shape = (day: number) => number;
const trace = (days: number, shape: Shape, now = NOW): FilesystemPoint[] =>
  Array.from({ length: Math.floor((days * DAY) / STEP) }, (_, index) => {
    const at = now - index * STEP;
    return { at, usedBytes: (CAPACITY * shape((at - NOW) / DAY)) / 100 };
  }).toReversed();
const forecast = (days: number, shape: Shape, { line = 80, now = NOW } = {}): DiskForecast => {
  const points = trace(days, shape, now);
  const state = { usedBytes: points.at(-1)?.usedBytes ?? 0, capacityBytes: CAPACITY, linePercent: line };
  return forecastFromHistory(points, state, now);
};
const inDays = (found: DiskForecast, now = NOW): number | string =>
  found.kind === 'none' ? found.reason : (found.reachesAt - now) / DAY;

const part = (value: number): number => value - Math.floor(value);

const TRACES: Record<string, { days: number; shape: Shape; expected: [number, number] | string }> = {
  'steady growth with noise': { days: 14, shape: (d) => 60 + 2 * d + 0.2 * noise(d), expected: [9.5, 10.3] },
  'noise around a level': { days: 14, shape: (d) => 60 + 3 * noise(d), expected: 'not_growing' },
  'sawtooth of a daily log rotation': { days: 14, shape: (d) => 55 + 20 * part(d + 0.3), expected: 'not_growing' },
  'sawtooth of a weekly cleaning': { days: 14, shape: (d) => 50 + 25 * part((d + 6) / 7), expected: 'no_steady_trend' },
  'daily rotation over steady growth': {
    days: 14,
    shape: (d) => 60 + d + 4 * part(d + 0.3),
    expected: [15, 20],
  },
  'a single step': { days: 14, shape: (d) => (d < -5 ? 40 : 60) + 0.1 * noise(d), expected: 'not_growing' },
  'growth that stopped four days ago': { days: 14, shape: (d) => 50 + 3 * Math.min(d, -4), expected: 'not_growing' },
  'growth after a deletion': {
    days: 14,
    shape: (d) => (d < -1 ? 75 : 45) + 2 * d + 0.1 * noise(d),
    expected: [16.5, 18.5],
  },
  'a rhythm of weekdays': {
    days: 14,
    shape: (d) => {
      const week = part((d + 20) / 7) * 7;
      return 60 + 7 * Math.floor((d + 20) / 7) + (7 / 5) * Math.min(week, 5) - 20;
    },
    expected: [16, 24],
  },
  'a new server with two hours of history': { days: 2 / 24, shape: (d) => 70 + 50 * d, expected: 'too_little_history' },
  'a full disk': { days: 14, shape: (d) => Math.min(100, 100 + d), expected: 'over_line' },
  'shrinking use': { days: 14, shape: (d) => 60 - d, expected: 'not_growing' },
  'sudden growth after a flat fortnight': {
    days: 14,
    shape: (d) => 50 + Math.max(0, d + 5 / 24) * 24 * 2 + 0.1 * noise(d),
    expected: [0.35, 0.47],
  },
  'growth too slow to matter': { days: 14, shape: (d) => 40 + 0.1 * d, expected: 'too_far_ahead' },
  'a temporary file that came and went': {
    days: 14,
    shape: (d) => (d > -6 && d < -5.5 ? 75 : 50) + 0.1 * noise(d),
    expected: 'not_growing',
  },
};

describe('the forecast of a trace', () => {
  const traces = Object.entries(TRACES).map(([name, given]) => ({ name, ...given }));

  it.each(traces.filter(({ expected }) => typeof expected === 'string'))('$name', ({ days, shape, expected }) => {
    expect(inDays(forecast(days, shape))).toBe(expected);
  });

  it.each(traces.filter(({ expected }) => typeof expected !== 'string'))('$name', ({ days, shape, expected }) => {
    const found = inDays(forecast(days, shape));
    expect(found).toBeGreaterThan(Number(expected[0]));
    expect(found).toBeLessThan(Number(expected[1]));
  });

  it('changes by at most 10 % between two reports of a steady trace', () => {
    const shape: Shape = (d) => 60 + 2 * d + 0.2 * noise(d);
    const all = Array.from({ length: 96 }, (_, index) => {
      const now = NOW + index * STEP;
      const found = forecast(Math.min(14, 3 + index / 8), shape, { now });
      if (found.kind === 'none') throw new Error(found.reason);
      return found.reachesAt - now;
    });
    for (const [index, left] of all.slice(1).entries())
      expect(Math.abs(left - (all[index] ?? 0)) / left).toBeLessThan(0.1);
  });

  it('of a steady trace is exact at any time of the day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 * 24 * 60 }), fc.constantFrom(2, 5, 10, 14), (minute, days) => {
        const now = NOW + minute * 60_000;
        const found = forecast(days, (d) => 60 + 2 * d, { now });
        expect(Number(inDays(found, now)) * 24).toBeCloseTo((10 - minute / 1440) * 24, 3);
      }),
    );
  });

  it('is of high confidence over weeks of quiet growth, of low confidence over hours', () => {
    expect(forecast(14, (d) => 60 + 2 * d)).toMatchObject({ kind: 'reaches', confidence: 'high', bytesPerDay: 2 * GB });
    expect(forecast(0.3, (d) => 70 + 24 * d)).toMatchObject({ kind: 'reaches', confidence: 'low' });
  });
});

test('the line in force decides when the same trend reaches it', () => {
  const trend = diskTrend(
    trace(14, (d) => 60 + 2 * d),
    CAPACITY,
    NOW,
  );
  const at = (linePercent: number) =>
    inDays(forecastOf(trend, { usedBytes: 60 * GB, capacityBytes: CAPACITY, linePercent }, NOW));
  expect(at(70)).toBeCloseTo(5, 3);
  expect(at(90)).toBeCloseTo(15, 3);
  expect(at(60)).toBe('over_line');
});

test('a line drawn through a day without reports is the same', () => {
  const shape: Shape = (d) => 60 + 2 * d;
  const points = trace(14, shape).filter(({ at }) => at < NOW - 5 * DAY || at > NOW - 4 * DAY);
  const state = { usedBytes: 60 * GB, capacityBytes: CAPACITY, linePercent: 80 };
  expect(inDays(forecastFromHistory(points, state, NOW))).toBeCloseTo(10, 1);
});

describe('for any steady growth', () => {
  const growth = fc.record({
    perDay: fc.double({ min: 0.5, max: 5, noNaN: true }),
    days: fc.double({ min: 2, max: 14, noNaN: true }),
    wobble: fc.double({ min: 0, max: 0.05, noNaN: true }),
    scale: fc.integer({ min: 1, max: 1000 }),
  });
  it('is right, and does not depend on the size of the disk', () => {
    fc.assert(
      fc.property(growth, ({ perDay, days, wobble, scale }) => {
        const points = trace(days, (d) => 75 + perDay * d + wobble * noise(d)).map(({ at, usedBytes }) => ({
          at,
          usedBytes: usedBytes * scale,
        }));
        const state = {
          usedBytes: points.at(-1)?.usedBytes ?? 0,
          capacityBytes: CAPACITY * scale,
          linePercent: 80,
        };
        const found = inDays(forecastFromHistory(points, state, NOW));
        expect(Math.abs((Number(found) * perDay) / 5 - 1)).toBeLessThan(0.15);
      }),
      { numRuns: 60 },
    );
  });
  it('never promises a past moment, and never fails, whatever the points are', () => {
    const anyPoints = fc.array(
      fc.record({ back: fc.nat(20 * DAY), usedBytes: fc.double({ min: 0, max: CAPACITY, noNaN: true }) }),
    );
    fc.assert(
      fc.property(anyPoints, fc.integer({ min: 0, max: 120 }), (all, linePercent) => {
        const points = all
          .map(({ back, usedBytes }) => ({ at: NOW - back, usedBytes }))
          .toSorted((a, b) => a.at - b.at);
        const state = { usedBytes: points.at(-1)?.usedBytes ?? 0, capacityBytes: CAPACITY, linePercent };
        const found = forecastFromHistory(points, state, NOW);
        expect(found.kind === 'reaches' ? found.reachesAt : NOW).toBeGreaterThanOrEqual(NOW);
      }),
    );
  });
});
