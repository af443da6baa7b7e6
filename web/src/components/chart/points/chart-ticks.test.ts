import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeTicks } from './chart-ticks.ts';

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
        fc.integer({ min: 60, max: 90 * 86_400 }),
        fc.integer({ min: 2, max: 12 }),
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
