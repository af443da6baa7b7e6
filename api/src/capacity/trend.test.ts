import { describe, expect, it } from 'vitest';
import { trendOf } from './trend.ts';
import type { CapacityDay } from './types.ts';

const DAY_MS = 86_400_000;
const TODAY = 20_500;
const NOW = TODAY * DAY_MS;
/** The same noise in each run, from -1 to 1. */
const noise = (day: number): number => Math.sin(day * 12.9898) * 0.5 + Math.sin(day * 78.233) * 0.5;

type Trace = (ago: number) => { requested: number | null; allocatable?: number };
const daysOf = (trace: Trace, count = 60, until = TODAY): CapacityDay[] =>
  Array.from({ length: count }, (_, index) => {
    const day = until - count + 1 + index;
    const { requested, allocatable = 100 } = trace(TODAY - day);
    return {
      day,
      pool: '',
      cpuRequested: requested,
      cpuAllocatable: allocatable,
      memoryRequested: null,
      memoryAllocatable: null,
    };
  });
const trend = (trace: Trace, count?: number) => trendOf(daysOf(trace, count), 'cpu', NOW);
const daysLeft = (trace: Trace, count?: number): number | null => {
  const { at } = trend(trace, count);
  return at === null ? null : (at - NOW) / DAY_MS;
};

describe('the twelve traces', () => {
  it.each<[string, Trace, number]>([
    ['steady growth', (ago) => ({ requested: 80 - ago * 0.5 + noise(ago) }), 40],
    [
      'steady growth with quiet weekends',
      (ago) => ({ requested: 80 - ago * 0.5 - ((TODAY - ago) % 7 < 2 ? 6 : 0) }),
      40,
    ],
    ['growth with gaps', (ago) => ({ requested: ago % 5 === 2 ? null : 80 - ago * 0.5 + noise(ago) }), 40],
    [
      'growth with Black Friday in it',
      (ago) => ({ requested: 80 - ago * 0.5 + (ago === 20 || ago === 21 ? 18 : 0) }),
      40,
    ],
    [
      'growth while one node is replaced',
      (ago) => ({ requested: 80 - ago * 0.5, allocatable: ago === 10 ? 75 : 100 }),
      40,
    ],
    ['slow growth', (ago) => ({ requested: 70 - ago * 0.2 + noise(ago) * 0.5 }), 150],
  ])('%s has a date within 20 %', (_, trace, truth) => {
    const found = trend(trace);
    const left = daysLeft(trace);
    expect(found.reason).toBeNull();
    expect(Math.abs((left ?? 0) - truth) / truth).toBeLessThanOrEqual(0.2);
    expect(found.earliest).toBeLessThanOrEqual(found.at ?? 0);
    expect(found.latest).toBeGreaterThanOrEqual(found.at ?? 0);
  });

  it.each<[string, Trace, string]>([
    ['a flat line', (ago) => ({ requested: 60 + noise(ago) }), 'vary more|do not grow|within a year'],
    ['a step', (ago) => ({ requested: ago > 30 ? 40 : 70 }), 'evenly|do not grow'],
    ['a sawtooth of nightly jobs', (ago) => ({ requested: 50 + (ago % 3) * 10 }), 'vary more|do not grow|evenly'],
    ['growth that ended', (ago) => ({ requested: ago > 25 ? 40 + (60 - ago) : 75 }), 'evenly'],
    [
      'an autoscaler that adds nodes',
      (ago) => ({ requested: 90 - ago, allocatable: 110 - Math.floor(ago / 10) * 10 }),
      'grows by itself',
    ],
    ['a fall', (ago) => ({ requested: 40 + ago * 0.5 }), 'do not grow'],
  ])('%s has none, with the reason', (_, trace, reason) => {
    const found = trend(trace);
    expect([found.at, found.earliest, found.latest]).toEqual([null, null, null]);
    expect(found.reason).toMatch(new RegExp(reason, 'u'));
  });

  it('says how few days there are', () => {
    expect(trend(() => ({ requested: 50 }), 1).reason).toBe('Its requests are known for 1 day; a date needs 7.');
  });

  it('moves a date by less than 10 % from one day to the next', () => {
    const trace: Trace = (ago) => ({ requested: 80 - ago * 0.5 + noise(ago) });
    const today = trendOf(daysOf(trace, 59, TODAY - 1), 'cpu', NOW).at ?? 0;
    const tomorrow = trendOf(daysOf(trace), 'cpu', NOW).at ?? 0;
    expect(Math.abs(tomorrow - today) / (today - NOW)).toBeLessThan(0.1);
  });
});

it('needs a week of history, and a resource that pods request', () => {
  expect(trend((ago) => ({ requested: 80 - ago }), 6).reason).toBe(
    'Its requests are known for 6 days; a date needs 7.',
  );
  expect(
    trendOf(
      daysOf(() => ({ requested: 1 })),
      'memory',
      NOW,
    ).reason,
  ).toContain('known for 0 days');
  expect(trendOf([], 'cpu', NOW)).toMatchObject({ at: null, growthPerDay: null, days: 0 });
});

it('gives today for a cluster that is full already, and no date beyond a year', () => {
  expect(daysLeft((ago) => ({ requested: 110 - ago * 0.5 }))).toBe(0);
  expect(trend((ago) => ({ requested: 50 - ago * 0.05 })).reason).toBe('At this growth it is not full within a year.');
});
