import { describe, expect, it } from 'vitest';
import { finestBucketSeconds, levelFor } from './series-level.ts';

const DAY = 86_400_000;
const NOW = 1_800_000_000_000;

describe('level of detail', () => {
  it.each([
    [60, 'raw'],
    [90, 'raw'],
    [300, '5m'],
    [900, '5m'],
    [1000, 'raw'],
    [3600, '1h'],
    [86_400, '1h'],
  ])('answers buckets of %i s of the last day from %s', (bucketSeconds, name) => {
    expect(levelFor(NOW - DAY, bucketSeconds, NOW).name).toBe(name);
  });

  it.each([
    [6, 60, 'raw'],
    [7, 60, 'raw'],
    [8, 60, '5m'],
    [8, 900, '5m'],
    [89, 3600, '1h'],
    [90, 900, '5m'],
    [91, 900, '1h'],
    [364, 86_400, '1h'],
    [900, 900, '1h'],
  ])('falls back, %i days ago at %i s, to %s', (days, bucketSeconds, name) => {
    expect(levelFor(NOW - days * DAY, bucketSeconds, NOW).name).toBe(name);
  });

  it('says how short a bucket may be', () => {
    expect([1, 8, 91, 400].map((days) => finestBucketSeconds(NOW - days * DAY, NOW))).toEqual([1, 300, 3600, 3600]);
  });
});
