import { expect, test } from 'vitest';
import { emptyBucket } from './chart-buckets.ts';
import { peakBuckets } from './peaks.ts';
import type { SeriesBucket } from './types.ts';

const MINUTES_5 = 300;
const band = (max: number | null) => ({ avg: max, min: max, max });
const bucket = (at: number, cpu: number | null, memory: number | null, tops?: SeriesBucket['tops']): SeriesBucket => ({
  ...emptyBucket('metrics', at),
  cpuPercent: band(cpu),
  memoryPercent: band(memory),
  ...(tops && { tops }),
});

test('the highest bucket of each figure, the first of equals, and nothing of what is not known', () => {
  const buckets = [
    bucket(0, 10, null),
    bucket(300_000, 97, null),
    bucket(600_000, 97, null),
    bucket(900_000, null, null),
  ];
  expect(peakBuckets(buckets, MINUTES_5, 7)).toEqual([{ field: 'cpu', serverKey: 7, from: 300_000, to: 600_000 }]);
});

test('a sum names the server that was highest in that bucket, and leaves a figure out without one', () => {
  const buckets = [
    bucket(0, 10, 50, { cpu: 1, memory: 2, disk: null }),
    bucket(300_000, 90, 40, { cpu: 3, memory: 2, disk: null }),
  ];
  expect(peakBuckets(buckets, MINUTES_5, null)).toEqual([
    { field: 'cpu', serverKey: 3, from: 300_000, to: 600_000 },
    { field: 'memory', serverKey: 2, from: 0, to: 300_000 },
  ]);
  expect(peakBuckets([bucket(0, 10, 50)], MINUTES_5, null)).toEqual([]);
});
