import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { bucketsFor, fillBuckets, leaveOutEarlySum, recentBuckets, widenedForSums } from './buckets.ts';

const HOUR = 3_600_000;
const to = 1_790_000_010_000;

test.each([
  [1, 60],
  [6, 60],
  [12, 120],
  [24, 300],
  [168, 1800],
  [2160, 21_600],
  [8760, 86_400],
])('%d hours are cut into buckets of %d s', (hours, bucketSeconds) => {
  expect(bucketsFor(to - hours * HOUR, to).bucketSeconds).toBe(bucketSeconds);
});

test('never more buckets than asked for, all on whole steps, the range inside', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 * 24 * HOUR }), fc.integer({ min: 10, max: 1000 }), (length, most) => {
      const { from, to: end, bucketSeconds } = bucketsFor(to - length, to, most);
      expect((end - from) / 1000 / bucketSeconds).toBeLessThanOrEqual(most);
      expect(from % (bucketSeconds * 1000)).toBe(0);
      expect(from).toBeLessThanOrEqual(to - length);
      expect(end).toBeGreaterThanOrEqual(to);
    }),
    // Exactly as many steps as requested buckets, and wider than any step.
    {
      examples: [
        [100 * 60_000, 100],
        [99 * 60_000, 100],
        [400 * 24 * HOUR - 5000, 10],
      ],
    },
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
  // On the edge a bucket begins, and it is the open one.
  expect(recentBuckets(1_790_001_000_000, 24, 48).to).toBe(1_790_002_800_000);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8760 }), fc.integer({ min: 10, max: 100 }), (hours, most) => {
      const { from, to: end, bucketSeconds } = recentBuckets(to, hours, most);
      expect((end - from) / 1000 / bucketSeconds).toBeLessThanOrEqual(most);
      expect(from % (bucketSeconds * 1000)).toBe(0);
      expect(end - to).toBeGreaterThan(0);
      expect(end - to).toBeLessThanOrEqual(bucketSeconds * 1000);
      expect(end - from).toBeGreaterThanOrEqual(hours * HOUR);
    }),
  );
});

const MINUTE = 60_000;
/** Stands for a bucket without its sums. */
const LEFT_OUT = -1;
const summed = (counts: number[], width: number, age: number) =>
  leaveOutEarlySum(
    counts.map((count, index) => ({ at: to + index * width, count })),
    to + (counts.length - 1) * width + age,
    MINUTE / 1000,
    ({ at }) => ({ at, count: LEFT_OUT }),
  ).map(({ count }) => count);

test.each([
  ['half of the servers have reported', [4, 4, 2], MINUTE, 30_000, [4, 4, LEFT_OUT]],
  ['all have', [4, 4, 4], MINUTE, 30_000, [4, 4, 4]],
  ['none has', [4, 4, 0], MINUTE, 1, [4, 4, LEFT_OUT]],
  ['a wide bucket is younger than an interval', [20, 3], 5 * MINUTE, 59_999, [20, LEFT_OUT]],
  ['a wide bucket in which each has reported', [20, 4], 5 * MINUTE, MINUTE, [20, 4]],
  ['an earlier bucket that has fewer is history', [4, 2, 4], MINUTE, 1, [4, 2, 4]],
  ['the first report of all', [1], MINUTE, 5000, [1]],
  ['the first after nothing', [0, 1], MINUTE, 5000, [0, 1]],
])('sums of the bucket just begun: %s', (_, counts, width, age, shown) => {
  expect(summed(counts, width, age)).toEqual(shown);
});

describe('widenedForSums', () => {
  const HOUR_MS = 3_600_000;
  test('leaves a day alone and makes longer ranges of whole hours', () => {
    const day = { bucketSeconds: 300, from: 0, to: 24 * HOUR_MS };
    expect(widenedForSums(day, 10)).toBe(day);
    expect(widenedForSums({ bucketSeconds: 900, from: HOUR_MS / 2, to: 72.5 * HOUR_MS }, 10)).toEqual({
      bucketSeconds: 3600,
      from: 0,
      to: 73 * HOUR_MS,
    });
    const month = { bucketSeconds: 7200, from: 0, to: 720 * HOUR_MS };
    expect(widenedForSums(month, 10)).toBe(month);
  });

  test.each([
    // Hours, servers, and the width that the range has for one server.
    [1, 5000, 60, 60],
    [1, 10_000, 60, 300],
    [6, 500, 60, 60],
    [6, 5000, 60, 300],
    [12, 600, 120, 300],
    [24, 1000, 300, 300],
    [24, 5000, 300, 3600],
    // Nothing is stored in wider rows.
    [720, 5000, 7200, 7200],
    [26, 100_000, 300, 3600],
  ])('over %d h of %d servers, buckets of %d s become %d s', (hours, servers, bucketSeconds, widened) => {
    const asked = { bucketSeconds, from: 0, to: hours * HOUR_MS };
    expect(widenedForSums(asked, servers).bucketSeconds).toBe(widened);
  });

  test('never narrows, and holds the range in whole buckets', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 400 * 24 * HOUR_MS }),
        fc.integer({ min: 10, max: 1000 }),
        fc.integer({ min: 0, max: 100_000 }),
        (length, most, servers) => {
          const asked = bucketsFor(to - length, to, most);
          const { bucketSeconds, from, to: end } = widenedForSums(asked, servers);
          expect(bucketSeconds).toBeGreaterThanOrEqual(asked.bucketSeconds);
          expect([from % (bucketSeconds * 1000), end % (bucketSeconds * 1000)]).toEqual([0, 0]);
          expect([from <= asked.from, end >= asked.to]).toEqual([true, true]);
        },
      ),
    );
  });
});
