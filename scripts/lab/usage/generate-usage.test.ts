import { expect, test } from 'vitest';
import { generateUsage, type Workload } from './generate-usage.ts';

const SLOTS = 8064;
const WEEK = 2016;
const workloads = generateUsage(7, 200);
const FIGURES = ['cpuCores', 'memoryBytes', 'cpuPeak', 'memoryPeak'] as const;

const most = (values: Float64Array): number => values.reduce((one, other) => Math.max(one, other), -Infinity);
const least = (values: Float64Array): number => values.reduce((one, other) => Math.min(one, other), Infinity);
const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test('the same seed gives the same numbers, and a larger count begins with them', () => {
  const few = generateUsage(7, 20);
  expect(few).toEqual(generateUsage(7, 20));
  expect(few).toEqual(workloads.slice(0, 20));
});

test('another seed gives other numbers', () => {
  const others = generateUsage(8, 20);
  for (const [index, other] of others.entries()) expect(other.cpuPeak).not.toEqual(workloads[index]!.cpuPeak);
});

test('no two workloads of a seed are the same', () => {
  expect(new Set(workloads.map(({ name }) => name)).size).toBe(200);
  expect(new Set(workloads.map(({ memoryBytes }) => mean(memoryBytes))).size).toBe(200);
});

test.each([7, 0, -1, 4_000_000_000])('with seed %i, all values are in range and no peak is below its mean', (seed) => {
  for (const workload of seed === 7 ? workloads : generateUsage(seed, 40)) {
    for (const figure of FIGURES) {
      const values = workload[figure];
      expect(values).toHaveLength(SLOTS);
      expect(values.every(Number.isFinite)).toBe(true);
      const [low, high] = figure.startsWith('cpu') ? ([0.001, 16] as const) : ([5e6, 32e9] as const);
      expect(least(values)).toBeGreaterThanOrEqual(low);
      expect(most(values)).toBeLessThanOrEqual(high);
    }
    expect(workload.cpuPeak.every((peak, slot) => peak >= workload.cpuCores[slot]!)).toBe(true);
    expect(workload.memoryPeak.every((peak, slot) => peak >= workload.memoryBytes[slot]!)).toBe(true);
  }
});

test('every archetype occurs among 200', () => {
  const kinds = 'cache database growing hourly idle inference jvm leak nightly queue rare-peak released web'.split(' ');
  expect([...new Set(workloads.map(({ kind }) => kind))].toSorted()).toEqual(kinds);
});

/** By which factor the last week is above or below the weeks before it. */
const change = (workload: Workload, figure: (typeof FIGURES)[number], of: (values: Float64Array) => number): number => {
  const values = workload[figure];
  return Math.abs(Math.log(of(values.subarray(3 * WEEK)) / of(values.subarray(0, 3 * WEEK))));
};

test('the last week differs from those before it for some workloads, and not for most', () => {
  const differs = workloads.filter((workload) =>
    (['cpuCores', 'memoryBytes'] as const).some((figure) => change(workload, figure, mean) > Math.log(1.4)),
  );
  expect(differs.length).toBeGreaterThanOrEqual(4);
  expect(differs.length).toBeLessThan(50);
  expect(differs.some(({ kind }) => kind === 'released')).toBe(true);
  // A rare peak that only the last week has is above everything that the weeks before it had.
  const peaks = workloads.filter(
    (workload) =>
      most(workload.cpuCores.subarray(3 * WEEK)) > 1.3 * most(workload.cpuCores.subarray(0, 3 * WEEK)) &&
      workload.kind === 'rare-peak',
  );
  expect(peaks.length).toBeGreaterThanOrEqual(1);
});

test('neighbouring five minutes are alike, also without a rhythm of the day', () => {
  for (const { cpuCores } of workloads.filter(({ kind }) => kind === 'inference')) {
    const middle = mean(cpuCores);
    const apart = cpuCores.map((value) => value - middle);
    const alike = mean(apart.subarray(1).map((value, slot) => value * apart[slot]!)) / mean(apart.map((v) => v ** 2));
    expect(alike).toBeGreaterThan(0.5);
  }
});
