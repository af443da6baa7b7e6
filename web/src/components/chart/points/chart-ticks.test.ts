import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenZone } from '../../../time/zone.ts';
import { momentName, tickName, timeTicks } from './chart-ticks.ts';

describe('timeTicks', () => {
  it('names round moments in local time', () => {
    expect(timeTicks(0, 86_400, 8, 0)).toEqual([0, 3, 6, 9, 12, 15, 18, 21, 24].map((hour) => hour * 3600));
    // Half past the hour in UTC is the full hour in a zone 5 h 30 min ahead.
    expect(timeTicks(1, 7200, 3, 19_800)[0]).toBe(1800);
  });

  it('stays inside the range and within the count', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2e9 }),
        fc.integer({ min: 60, max: 366 * 86_400 }),
        fc.integer({ min: 1, max: 12 }),
        (from, span, most) => {
          const ticks = timeTicks(from, from + span, most, 3600);
          expect(ticks.length).toBeLessThanOrEqual(most + 1);
          for (const tick of ticks) {
            expect(tick).toBeGreaterThanOrEqual(from);
            expect(tick).toBeLessThanOrEqual(from + span);
          }
        },
      ),
    );
  });
});

describe('the name of a moment', () => {
  const HOUR = 3600;
  const DAY = 86_400;
  const AT = Date.UTC(2026, 10, 19, 21, 8) / 1000;
  beforeAll(() => chosenZone.set('UTC'));
  afterAll(() => chosenZone.set(null));

  it('has its day once the chart shows more than a day and the buckets at its ends', () => {
    expect(momentName(AT, DAY)).toBe('21:08');
    expect(momentName(AT, 26 * HOUR)).toBe('21:08');
    expect(momentName(AT, 26 * HOUR + 1)).toBe('19 Nov 21:08');
  });

  it('on the axis is the day alone from two days on, where its time says nothing', () => {
    expect(tickName(AT, DAY)).toBe('21:08');
    expect(tickName(AT, 2 * DAY - 1)).toBe('19 Nov 21:08');
    expect(tickName(AT, 2 * DAY)).toBe('19 Nov');
  });

  it('of a year has room on a phone: a chart with room for three has no twelve', () => {
    const year = 365 * DAY;
    expect([1, 2, 3, 4, 6, 8].map((most) => timeTicks(AT, AT + year, most, 0).length <= most + 1)).not.toContain(false);
    expect(timeTicks(AT, AT + year, 3, 0).length).toBeGreaterThan(0);
  });
});
