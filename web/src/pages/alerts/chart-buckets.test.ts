import { describe, expect, it } from 'vitest';
import { bucketCount, bucketSeconds } from './chart-buckets.ts';

describe('buckets of the alert chart', () => {
  it.each([
    [1, 300],
    [6, 900],
    [12, 1800],
    [24, 3600],
    [168, 3600],
  ])('%d h is cut into %d s', (hours, seconds) => expect(bucketSeconds(hours * 3600)).toBe(seconds));

  it.each([
    [1, 13],
    [6, 25],
    [12, 25],
    [24, 25],
    [2160, 1000],
  ])('%d h asks for %d', (hours, count) => expect(bucketCount({ kind: 'relative', hours })).toBe(count));
});
