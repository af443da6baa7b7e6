import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { SpreadLimit } from './spread-limit.ts';

const NOW = 1_700_000_000_000;
const RATE = { perSecond: 20, burst: 200 };

/** Returns null for an admitted caller, else the seconds to wait. */
function waitOf(limit: SpreadLimit, key: string, now: number): number | null {
  try {
    limit.require(key, now);
    return null;
  } catch (error) {
    return (error as { retryAfterSeconds: number }).retryAfterSeconds;
  }
}

test('3,000 machines that start at once are admitted in the time that the rate needs, with two calls each at most', () => {
  const limit = new SpreadLimit(RATE);
  limit.prove('token', NOW);
  let calls = 0;
  let latest = 0;
  // Waits are sent in whole seconds.
  const queue = Array.from({ length: 3000 }, () => 0);
  while (queue.length > 0) {
    queue.sort((a, b) => a - b);
    const seconds = queue.shift() ?? 0;
    calls += 1;
    latest = Math.max(latest, seconds);
    const wait = waitOf(limit, 'token', NOW + seconds * 1000);
    if (wait !== null) queue.push(seconds + Math.max(1, Math.ceil(wait)));
  }
  expect(latest).toBe((3000 - RATE.burst) / RATE.perSecond);
  expect(calls).toBeLessThanOrEqual(6000);
});

test('refused callers get times of their own, never more than ten minutes away', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 20 }), (perSecond, burst) => {
      const limit = new SpreadLimit({ perSecond, burst });
      limit.prove('k', NOW);
      for (let n = 0; n < burst; n += 1) expect(waitOf(limit, 'k', NOW)).toBeNull();
      const waits = Array.from({ length: 100 }, () => waitOf(limit, 'k', NOW) ?? 0);
      expect(new Set(waits).size).toBe(100);
      expect(waits).toEqual(waits.toSorted((a, b) => a - b));
      expect(Math.max(...waits)).toBeLessThanOrEqual(600);
    }),
  );
  const slow = new SpreadLimit({ perSecond: 1, burst: 1 });
  slow.prove('k', NOW);
  const many = Array.from({ length: 5000 }, () => waitOf(slow, 'k', NOW) ?? 0);
  expect(Math.max(...many)).toBeLessThanOrEqual(600);
});

test('a key that nobody proved has no bucket, and the oldest are forgotten', () => {
  const limit = new SpreadLimit({ perSecond: 1, burst: 1 });
  for (let n = 0; n < 5; n += 1) expect(waitOf(limit, 'unknown', NOW)).toBeNull();
  expect(limit.isProven('unknown')).toBe(false);
  for (let n = 0; n <= 10_000; n += 1) limit.prove(String(n), NOW);
  expect([limit.isProven('0'), limit.isProven('1')]).toEqual([false, true]);
});
