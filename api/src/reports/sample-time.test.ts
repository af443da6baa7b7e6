import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { sampleTime } from './sample-time.ts';

const receivedAt = 1_790_000_000_000;
const arrival = { receivedAt, bootId: 'b', upNow: 10_000, skewSeconds: null };

test('within one boot a wrong wall clock does no harm', () => {
  expect(sampleTime({ ts: 0, up: 9_940, bootId: undefined }, arrival)).toBe(receivedAt - 60_000);
  expect(sampleTime({ ts: 9e11, up: 9_940, bootId: 'b' }, arrival)).toBe(receivedAt - 60_000);
});

test('an item of an earlier boot is placed by its wall clock and the known skew', () => {
  const taken = { ts: receivedAt / 1000 - 600, up: 500_000, bootId: 'a' };
  expect(sampleTime(taken, arrival)).toBe(receivedAt - 600_000);
  expect(sampleTime(taken, { ...arrival, skewSeconds: 120 })).toBe(receivedAt - 480_000);
});

test('an uptime ahead of the sender is of another boot even when it does not say so', () => {
  expect(sampleTime({ ts: receivedAt / 1000 - 30, up: 20_000, bootId: undefined }, arrival)).toBe(receivedAt - 30_000);
});

test.each([
  ['a second ahead, rounded by its clock, is of this boot and taken now', 10_001, receivedAt],
  ['more than that is of another boot', 10_001.001, receivedAt - 30_000],
])('an uptime %s', (_name, up, at) => {
  expect(sampleTime({ ts: receivedAt / 1000 - 30, up, bootId: undefined }, arrival)).toBe(at);
});

test('where the system tells no boot the wall clock has to do', () => {
  const unknown = { ...arrival, bootId: 'unknown' };
  expect(sampleTime({ ts: receivedAt / 1000 - 5, up: 1, bootId: undefined }, unknown)).toBe(receivedAt - 5_000);
});

test.each([
  ['year 300000', 9.4e12],
  ['two days ago', receivedAt / 1000 - 2 * 86_400],
  ['ten minutes ahead', receivedAt / 1000 + 600],
])('%s is refused', (_name, ts) => {
  expect(sampleTime({ ts, up: 1, bootId: 'old' }, arrival)).toBeNull();
});

test.each([
  ['26 h ago', -26 * 3_600_000],
  ['5 min ahead', 300_000],
])('%s is the last that is taken', (_name, ms) => {
  const at = (more: number) => sampleTime({ ts: (receivedAt + ms + more) / 1000, up: 1, bootId: 'old' }, arrival);
  expect(at(0)).toBe(receivedAt + ms);
  expect(at(Math.sign(ms))).toBeNull();
});

test('whatever comes in, the answer lies within the bounds or is null', () => {
  fc.assert(
    fc.property(fc.double(), fc.double({ min: 0 }), fc.constantFrom('a', 'b', undefined), (ts, up, bootId) => {
      const at = sampleTime({ ts, up, bootId }, arrival);
      if (at === null) return;
      expect(Number.isInteger(at)).toBe(true);
      expect(at).toBeGreaterThanOrEqual(receivedAt - 26 * 3_600_000);
      expect(at).toBeLessThanOrEqual(receivedAt + 300_000);
    }),
  );
});
