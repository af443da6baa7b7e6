import { expect, it } from 'vitest';
import { fleetStepFor } from './fleet-steps.ts';
import { levelFor } from './series-level.ts';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;

it.each([
  [2, 60, 60],
  [3, 60, null],
  [7, 300, 300],
  [90, 1800, 1800],
  [90, 3600, 3600],
  [365, 86_400, 86_400],
  // A range of a year is widened to whole days.
  [365.9, 86_400, 86_400],
  [366, 86_400, null],
  [1, 120, 120],
  [3, 120, null],
  [300, 604_800, 604_800],
  [366, 604_800, 604_800],
  [373, 604_800, null],
  [1, 90, null],
])('%d days ago buckets of %i s are ready in steps of %s', (days, bucketSeconds, seconds) => {
  const at = (from: number) =>
    fleetStepFor(levelFor(from, bucketSeconds, NOW), from, bucketSeconds, NOW)?.seconds ?? null;
  expect(at(NOW - days * DAY)).toBe(seconds);
});
