import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IDLE, idlenessOf, memoryTrend, type MemoryPoint, type ServerUsage } from './server-usage.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 100 * DAY;
const GB = 2 ** 30;
const usage = (parts: Partial<ServerUsage> = {}): ServerUsage => ({
  serverKey: 1,
  computedAt: NOW - HOUR,
  hours: 336,
  cpuP95: 1,
  memoryMax: 10,
  cpuOlder: 1,
  cpuNewer: 1,
  memoryOlder: 9,
  memoryNewer: 9,
  connectionsMean: 1,
  connectionsMax: 4,
  ...parts,
});

describe('a server that nobody needs', () => {
  test('is idle, unless something stays connected to it', () => {
    expect(idlenessOf(usage(), true, NOW)).toEqual({ verdict: 'idle', reason: null });
    expect(idlenessOf(usage({ connectionsMean: 2 }), true, NOW)).toEqual({
      verdict: 'connected',
      reason: 'Programs stay connected to it or from it. Ask their owners first.',
    });
    expect(idlenessOf(usage({ connectionsMean: null }), true, NOW)).toEqual({
      verdict: 'connected',
      reason: 'Its connections are not known.',
    });
  });

  test.each<[Partial<ServerUsage>, string | null]>([
    [{ cpuP95: 5 }, null],
    [{ cpuP95: null }, null],
    [{ memoryMax: 20 }, null],
    [{ cpuNewer: 2.1 }, 'Its CPU usage grows.'],
    [{ memoryNewer: 11.1 }, 'Its memory usage grows.'],
  ])('is needed with %j', (parts, reason) => {
    expect(idlenessOf(usage(parts), true, NOW)).toEqual({ verdict: 'needed', reason });
  });

  test.each<[ServerUsage | null, boolean, string]>([
    [usage(), false, 'It does not report now.'],
    [null, true, 'Its use is not computed yet.'],
    [usage({ computedAt: NOW - IDLE.staleMs - 1 }), true, 'Its use is not computed yet.'],
    [usage({ hours: 318 }), true, 'Its use is known for 13 of 14 days; an answer needs two weeks.'],
    [usage({ hours: 5, memoryMax: 90 }), true, 'Its use is known for 5 hours; an answer needs two weeks.'],
    [usage({ memoryMax: null }), true, 'Its memory usage is not known.'],
  ])('is not judged without evidence: %#', (known, isActive, reason) => {
    expect(idlenessOf(known, isActive, NOW)).toEqual({ verdict: 'unknown', reason });
  });

  test('is never named with less than two weeks, or over a limit', () => {
    const share = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 336 }),
        share,
        share,
        share,
        share,
        (hours, cpuP95, memoryMax, cpuNewer, memoryNewer) => {
          const { verdict } = idlenessOf(usage({ hours, cpuP95, memoryMax, cpuNewer, memoryNewer }), true, NOW);
          const isAllowed =
            hours >= IDLE.leastHours &&
            (cpuP95 ?? 100) < IDLE.cpuPercent &&
            (memoryMax ?? 100) < IDLE.memoryPercent &&
            (cpuNewer ?? 100) <= 1 + IDLE.growth.cpu &&
            (memoryNewer ?? 100) <= 9 + IDLE.growth.memory;
          expect(verdict === 'idle').toBe(isAllowed);
        },
      ),
    );
  });
});

describe('the growth of memory', () => {
  const hours = (percentAt: (hour: number) => number): MemoryPoint[] =>
    Array.from({ length: 336 }, (_, hour) => [NOW - (336 - hour) * HOUR, percentAt(hour)]);

  test('is that of its hours', () => {
    const trend = memoryTrend(
      hours((hour) => 20 + hour / 12 + (hour % 3) * 0.1),
      100 * GB,
      NOW,
    );
    expect(trend).toMatchObject({ kind: 'growing', bytesPerDay: expect.closeTo(2 * GB, -8) as number });
  });
  test.each<[string, (hour: number) => number]>([
    ['a steady use', (hour) => 50 + (hour % 24) * 0.05],
    ['a step', (hour) => (hour < 200 ? 30 : 60)],
    ['a leak that ends with a restart each day', (hour) => 30 + (hour % 24)],
  ])('is not seen in %s', (_name, percentAt) => {
    expect(memoryTrend(hours(percentAt), 100 * GB, NOW).kind).toBe('none');
  });
  test('needs half a day', () => {
    expect(memoryTrend(hours((hour) => 20 + hour / 12).slice(-5), 100 * GB, NOW)).toEqual({
      kind: 'none',
      reason: 'too_little_history',
    });
  });
});
