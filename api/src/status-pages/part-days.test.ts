import { expect, it } from 'vitest';
import { parseDays } from './parse-days.ts';
import { availabilityOf, partDays } from './part-days.ts';

const DAY = 86_400;
const at = (index: number) => Date.UTC(2026, 10, 20 + index);
const day = (index: number, down = 0, unknown = 0) => ({
  day: at(index),
  goodSeconds: DAY - down - unknown,
  downSeconds: down,
  unknownSeconds: unknown,
});

it('lists only the days that were not good throughout, each with the longest outage of its servers', () => {
  const shown = partDays([
    [day(0), day(1, 1200), day(2, 60), day(3, 0, 3600)],
    [day(1, 600), day(2), day(3, 0, 7200)],
  ]);
  expect(shown.since).toBe('2026-11-20');
  expect(shown.days).toEqual([
    { date: '2026-11-21', state: 'down', down_seconds: 1200, unknown_seconds: 0 },
    { date: '2026-11-22', state: 'short', down_seconds: 60, unknown_seconds: 0 },
    { date: '2026-11-23', state: null, down_seconds: 0, unknown_seconds: 7200 },
  ]);
  expect(shown.unknown_seconds).toBe(7200);
});

it('leaves unknown time out of the availability, and never rounds up to 100', () => {
  expect(partDays([[day(0, 0, DAY)]])).toMatchObject({ availability: null, days: [{ state: 'unknown' }] });
  expect(partDays([[day(0, 0, 43_200)]]).availability).toBe(100);
  expect(availabilityOf({ goodSeconds: 7_775_999, downSeconds: 1 })).toBe(99.99);
  expect(partDays([])).toEqual({ since: null, availability: null, unknown_seconds: 0, days: [] });
});

it('parses the days that PostgreSQL sends as one text', () => {
  expect(parseDays(null)).toEqual([]);
  expect(parseDays(`${String(at(0) / 86_400_000)} 86340 60 0,${String(at(1) / 86_400_000)} 0 0 86400`)).toEqual([
    day(0, 60),
    day(1, 0, DAY),
  ]);
});
