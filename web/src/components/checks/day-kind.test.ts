import { expect, it } from 'vitest';
import { dayKind } from './day-kind.ts';

const NOON = Date.parse('2026-11-28T12:00:00Z');
const DATE = '2026-11-28';
const HOUR = 3600;
const day = (down: number, unknown: number, isKnown = true) => ({
  date: DATE,
  down_seconds: down,
  unknown_seconds: unknown,
  maintenance_seconds: 0,
  outages: 0,
  is_known: isKnown,
});

it.each([
  ['an hour old and never called', day(0, HOUR), NOON - HOUR * 1000, 'unknown'],
  ['an hour old and called after a minute', day(0, 60), NOON - HOUR * 1000, 'up'],
  ['unknown for seven of twelve hours', day(0, 7 * HOUR), 0, 'unknown'],
  ['unknown for five of twelve hours', day(0, 5 * HOUR), 0, 'up'],
  ['down for a second', day(1, 11 * HOUR), 0, 'down'],
  ['without anything unknown', day(0, 0), NOON, 'up'],
  ['before the check', day(0, 0, false), NOON, 'none'],
])('a day %s', (_, given, since, kind) => {
  expect(dayKind(given, since, NOON)).toBe(kind);
});
