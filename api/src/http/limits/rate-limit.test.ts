import { expect, test } from 'vitest';
import { RateLimit } from './rate-limit.ts';

test('a burst passes, the next waits for one token', () => {
  const limit = new RateLimit({ perSecond: 2, burst: 3 });
  expect([1, 2, 3].map(() => limit.take('a', 0))).toEqual([null, null, null]);
  expect(limit.take('a', 0)).toBe(0.5);
  expect(limit.take('a', 499)).toBeCloseTo(0.001);
  expect(limit.take('a', 500)).toBeNull();
  expect(limit.take('b', 500)).toBeNull();
});

test('a clock that goes back gives nothing away', () => {
  const limit = new RateLimit({ perSecond: 1, burst: 1 });
  expect(limit.take('a', 10_000)).toBeNull();
  expect(limit.take('a', 0)).toBe(1);
});

test('memory is bounded: the key not seen for longest is forgotten', () => {
  const limit = new RateLimit({ perSecond: 1, burst: 1, maxKeys: 2 });
  for (const key of ['a', 'b', 'c']) limit.take(key, 0);
  expect(limit.take('a', 0)).toBeNull();
  expect(limit.take('c', 0)).toBe(1);
});

test('options that would let everything or nothing through are refused', () => {
  expect(() => new RateLimit({ perSecond: 0, burst: 1 })).toThrow(RangeError);
  expect(() => new RateLimit({ perSecond: 1, burst: 0 })).toThrow(RangeError);
});
