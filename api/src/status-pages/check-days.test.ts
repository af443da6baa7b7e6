import { DAY_MS } from '@plimsoll/contract/rules/durations';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDays } from './check-days.ts';

const TODAY = Date.UTC(2026, 10, 27);

test('no day before the check existed is shown, and none of its time is lost', () => {
  const outage = fc.record({ downMs: fc.nat(DAY_MS), unknownMs: fc.nat(DAY_MS), maintenanceMs: fc.constant(0) });
  fc.assert(
    fc.property(
      fc.integer({ min: -120 * DAY_MS, max: DAY_MS - 1 }),
      fc.nat(DAY_MS - 1),
      fc.array(outage, { maxLength: 90 }),
      (created, sinceMidnight, given) => {
        const [createdAt, now, from] = [TODAY + created, TODAY + sinceMidnight, TODAY - 89 * DAY_MS];
        const outages = given.map((each, index) => ({ ...each, day: from + index * DAY_MS }));
        const days = checkDays(createdAt, outages, { from, now });
        const sums = days.map((day) => day.goodSeconds + day.downSeconds + day.unknownSeconds);
        const life = Math.max(0, now - Math.max(createdAt, from)) / 1000;
        expect(Math.abs(sums.reduce((sum, each) => sum + each, 0) - life)).toBeLessThanOrEqual(1);
        for (const { day, goodSeconds, unknownSeconds } of days) {
          expect(day + DAY_MS).toBeGreaterThan(createdAt);
          expect(Math.min(goodSeconds, unknownSeconds)).toBeGreaterThanOrEqual(0);
        }
      },
    ),
  );
});

test('a day without outages is good as far as it has passed', () => {
  const days = checkDays(TODAY - DAY_MS / 2, [], { from: TODAY - 89 * DAY_MS, now: TODAY + 60_000 });
  expect(days).toEqual([
    { day: TODAY - DAY_MS, goodSeconds: 43_200, downSeconds: 0, unknownSeconds: 0 },
    { day: TODAY, goodSeconds: 60, downSeconds: 0, unknownSeconds: 0 },
  ]);
});

test('planned maintenance is neither good nor down', () => {
  const outages = [{ day: TODAY - DAY_MS, downMs: 3_600_000, unknownMs: 0, maintenanceMs: 7_200_000 }];
  const [day] = checkDays(TODAY - DAY_MS, outages, { from: TODAY - DAY_MS, now: TODAY });
  expect(day).toEqual({ day: TODAY - DAY_MS, goodSeconds: 75_600, downSeconds: 3600, unknownSeconds: 0 });
});
