import { expect, it } from 'vitest';
import { areaPath, runsOf, slowStretches, topOf, yOf, xOf } from './phase-points.ts';

const point = (minute: number, total: number | null) => ({
  time: new Date(minute * 60_000).toISOString(),
  results: 1,
  good: 1,
  dns_ms: total === null ? null : 1,
  connect_ms: total === null ? null : 2,
  tls_ms: null,
  wait_ms: total === null ? null : total - 3,
  transfer_ms: null,
  total_ms: total,
  p95_ms: total,
  max_ms: total,
});
const PLOT = { from: 0, to: 600_000, width: 100, height: 50, top: 100 };

it('takes a round top above the highest sum', () => {
  const tops = [[], [point(0, 88)], [point(0, 212)], [point(0, 950)]].map((points) => topOf(points, null));
  expect(tops).toEqual([2, 100, 500, 2000]);
  expect(topOf([point(0, 88)], 800)).toBe(1000);
});

it('is empty where buckets are missing', () => {
  const runs = runsOf([point(0, 10), point(1, 10), point(2, null), point(3, 10), point(9, 10)], 60);
  expect(runs.map((run) => run.length)).toEqual([2, 1, 1]);
});

it('stacks the phases', () => {
  const run = [point(0, 100), point(10, 100)];
  expect(areaPath(run, 1, PLOT)).toBe('M0.0 48.5L100.0 48.5L100.0 49.5L0.0 49.5Z');
  expect([xOf(PLOT, -5), xOf(PLOT, 1e9), yOf(PLOT, 1e9)]).toEqual([0, 100, 0]);
});

it('is slow where the p95 reaches the line, in one stretch a run of buckets', () => {
  const points = [point(0, 90), point(1, 100), point(2, 300), point(3, 99), point(9, 100)];
  expect(slowStretches(points, 60, 100)).toEqual([
    [60_000, 180_000],
    [540_000, 600_000],
  ]);
  expect(slowStretches(points, 60, null)).toEqual([]);
});
