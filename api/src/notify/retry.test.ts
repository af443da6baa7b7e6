import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { retryDelayMs } from './retry.ts';

test('the limit of the wait doubles from 1 s to 5 min', () => {
  expect([0, 1, 2, 8, 9, 1000].map((attempt) => retryDelayMs(attempt, 1))).toEqual([
    1000, 2000, 4000, 256_000, 300_000, 300_000,
  ]);
});

test('no wait is shorter than 1 s or than Retry-After, or longer than its limit', () => {
  const inputs = fc.tuple(fc.nat(2000), fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(3600));
  fc.assert(
    fc.property(inputs, ([attempt, random, retryAfter]) => {
      const wait = retryDelayMs(attempt, random, retryAfter);
      expect(wait).toBeGreaterThanOrEqual(Math.max(1000, retryAfter * 1000));
      expect(wait).toBeLessThanOrEqual(Math.max(300_000, retryAfter * 1000));
    }),
  );
});
