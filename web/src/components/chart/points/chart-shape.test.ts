import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chartLine, bandPath, highest, lonePath, nearestPoint, niceMax, plotOf, valueTicks } from './chart-shape.ts';
import type { ChartPoint, Plot } from './chart-shape.ts';

/** A linear scale, as the chart library hands it out. */
const linear = (domain: [number, number], range: [number, number]) => {
  const slope = (range[1] - range[0]) / (domain[1] - domain[0]);
  return Object.assign((value: number) => range[0] + (value - domain[0]) * slope, {
    domain: () => domain,
    invert: (px: number) => domain[0] + (px - range[0]) / slope,
  });
};
const plot: Plot = plotOf(linear([0, 100], [34, 234]), linear([0, 100], [64, 14]), {
  left: 34,
  top: 14,
  width: 200,
  height: 50,
});
const points = (...values: (number | null)[]): ChartPoint[] =>
  values.map((avg, index) => ({
    at: index * 10,
    avg,
    min: avg === null ? null : avg - 5,
    max: avg === null ? null : avg + 5,
  }));

describe('scales', () => {
  it('maps and maps back', () => {
    expect(plot).toMatchObject({ from: 0, to: 100, yMax: 100 });
    expect(plot.x(50)).toBe(100);
    expect([100, -9, 900].map(plot.timeAt)).toEqual([50, 0, 100]);
    expect([0, 100, 140, -5].map(plot.y)).toEqual([50, 0, 0, 50]);
  });
});

describe('lonePath', () => {
  it('draws a point without neighbours as a dot', () => {
    expect(lonePath(plot, points(50))).toBe('M0 25h0');
    expect(lonePath(plot, points(50, null, 20, 20))).toBe('M0 25h0');
  });

  it('is empty without values', () => expect(lonePath(plot, points(null, null))).toBe(''));
});

describe('bandPath', () => {
  it('closes each stretch around its lowest and highest', () => {
    expect(bandPath(plot, points(50, 50, null, 20))).toBe('M0 22.5L20 22.5L20 27.5L0 27.5Z');
  });

  it('is empty for a series without bands', () => expect(bandPath(plot, [{ at: 0, avg: 1 }])).toBe(''));
});

describe('nearestPoint', () => {
  it('finds the nearest on either side', () => {
    const all = points(1, 2, 3);
    expect([-5, 4, 6, 14, 99].map((at) => nearestPoint(all, at)?.avg)).toEqual([1, 1, 2, 2, 3]);
    expect(nearestPoint([], 5)).toBeNull();
  });
});

describe('value axis', () => {
  it('rounds up to a plain number', () => {
    expect([0, 0.3, 7, 12, 26, 3400, 100].map(niceMax)).toEqual([1, 0.4, 10, 20, 40, 4000, 100]);
  });

  it('leaves out numbers a line already names', () => {
    expect(valueTicks(100, 5, [80, 95])).toEqual([0, 20, 40, 60]);
    expect(valueTicks(4000, 2)).toEqual([0, 2000, 4000]);
  });

  it('takes the highest of bands and averages', () => {
    expect(highest([points(10, 90), points(null)])).toBe(95);
    expect(highest([[{ at: 0, avg: 3 }]])).toBe(3);
    expect(highest([points(null)])).toBeNull();
  });
});

it('keeps a gap a gap and values on the scale', () => {
  const points = [12, null, 140, -3, 0].map((avg, index) => ({ at: index * 60, avg }));
  expect(chartLine(points, 100)).toEqual({ moments: [0, 60, 120, 180, 240], values: [12, null, 100, 0, 0] });
});

it('takes the later of two points that are as near: what was known by then', () => {
  const two = [
    { at: 0, avg: 1 },
    { at: 10, avg: 2 },
  ];
  expect(nearestPoint(two, 5)?.avg).toBe(2);
  expect(nearestPoint(two, 4.9)?.avg).toBe(1);
});

it('finds the point that a search through all of them finds', () => {
  const times = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(times, fc.integer({ min: -50, max: 1050 }), (given, at) => {
      const points = given.toSorted((a, b) => a - b).map((each) => ({ at: each, avg: each }));
      const least = Math.min(...given.map((each) => Math.abs(each - at)));
      expect(Math.abs((nearestPoint(points, at)?.at ?? Number.NaN) - at)).toBe(least);
    }),
  );
});
