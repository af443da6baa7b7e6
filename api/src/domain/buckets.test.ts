import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { bucketsFor, fillBuckets, recentBuckets } from './buckets.ts';

const HOUR = 3_600_000;
const to = 1_790_000_010_000;

test.each([
  [1, 60],
  [6, 60],
  [12, 120],
  [24, 300],
  [168, 1800],
  [2160, 21_600],
])('%d hours are cut into buckets of %d s', (hours, bucketSeconds) => {
  expect(bucketsFor(to - hours * HOUR, to).bucketSeconds).toBe(bucketSeconds);
});

test('never more buckets than asked for, all on whole steps, the range inside', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * 24 * HOUR }), fc.integer({ min: 10, max: 1000 }), (length, most) => {
      const { from, to: end, bucketSeconds } = bucketsFor(to - length, to, most);
      expect((end - from) / 1000 / bucketSeconds).toBeLessThanOrEqual(most + 1);
      expect(from % (bucketSeconds * 1000)).toBe(0);
      expect(from).toBeLessThanOrEqual(to - length);
      expect(end).toBeGreaterThanOrEqual(to);
    }),
  );
});

test('a bucket without a row is there, empty', () => {
  const buckets = { bucketSeconds: 60, from: 0, to: 180_000 };
  expect(fillBuckets([{ at: 60_000, n: 1 }], buckets, (at) => ({ at, n: 0 }))).toEqual([
    { at: 0, n: 0 },
    { at: 60_000, n: 1 },
    { at: 120_000, n: 0 },
  ]);
});

test('the last hours are cut into whole buckets, never more than asked for, the open one the last', () => {
  expect(recentBuckets(to, 24, 48)).toEqual({ bucketSeconds: 1800, from: 1_789_914_600_000, to: 1_790_001_000_000 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2160 }), fc.integer({ min: 10, max: 100 }), (hours, most) => {
      const { from, to: end, bucketSeconds } = recentBuckets(to, hours, most);
      expect((end - from) / 1000 / bucketSeconds).toBeLessThanOrEqual(most);
      expect(from % (bucketSeconds * 1000)).toBe(0);
      expect(end - to).toBeGreaterThan(0);
      expect(end - to).toBeLessThanOrEqual(bucketSeconds * 1000);
      expect(end - from).toBeGreaterThanOrEqual(hours * HOUR);
    }),
  );
});
