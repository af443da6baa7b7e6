import { expect, test } from 'vitest';
import { RecentMinutes } from './recent-minutes.ts';

const MINUTE = 60_000;
const START = 30_000_000;
const at = (minute: number): number => (START + minute) * MINUTE + 20_000;
const result = (minute: number, ok: boolean | null, placeKey = 1) => ({ placeKey, at: at(minute), ok, totalMs: 7 });

test('a minute is bad when one place says so, in any order, and empty when no place has a vote', () => {
  const recent = new RecentMinutes();
  recent.advance(at(3));
  recent.add(5, result(2, false, 2));
  recent.add(5, result(2, true, 1));
  recent.add(5, result(1, true));
  recent.add(5, result(3, null));
  expect(recent.minutesOf(5, START + 3, 4)).toEqual([null, true, false, null]);
  expect(recent.minutesOf(6, START + 3, 2)).toEqual([null, null]);
});

test('minutes leave the ring, and a result that is older than it changes nothing', () => {
  const recent = new RecentMinutes();
  recent.advance(at(0));
  recent.add(5, result(0, false));
  recent.advance(at(127));
  expect(recent.minutesOf(5, START + 127, 128).filter((one) => one !== null)).toEqual([]);
  recent.add(5, result(0, true));
  recent.advance(at(128));
  expect(recent.minutesOf(5, START + 128, 90).every((one) => one === null)).toBe(true);
  recent.advance(at(5000));
  recent.add(5, result(5000, true));
  expect(recent.minutesOf(5, START + 5000, 90).filter((one) => one === true)).toHaveLength(1);
});

test('a late minute of a place fills its gap and does not replace the newer result', () => {
  const recent = new RecentMinutes();
  recent.advance(at(30));
  recent.add(5, result(30, true));
  recent.add(5, result(10, false));
  expect(recent.minutesOf(5, START + 30, 21)[0]).toBe(false);
  expect(recent.latestOf([5], at(0))).toEqual([{ checkKey: 5, ...result(30, true) }]);
  expect(recent.latestOf([5], at(31))).toEqual([]);
});
