import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { CollectorCheck } from '@plimsoll/contract/wire/check-probes';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CheckSchedule } from './check-schedule.ts';

const checkOf = (id: string, rev = 1, seconds = 60): CollectorCheck => ({
  check_id: id,
  check_rev: rev,
  interval_seconds: seconds,
  probe: { kind: 'tls', timeout_ms: 1000, ip_version: 'any', host: 'example.com', port: 443 },
});

test('a check runs at once, then in its interval, and never twice at the same time', () => {
  const schedule = new CheckSchedule();
  schedule.replace([checkOf('a')], 0);
  expect(schedule.take(0)?.check_id).toBe('a');
  expect(schedule.take(60_000)).toBeNull();
  schedule.ended('a');
  expect(schedule.take(59_999)).toBeNull();
  expect(schedule.take(60_000)?.check_id).toBe('a');
});

test('a check that stays keeps its turn, a changed one is due at once but not within 20 s of its last start', () => {
  const schedule = new CheckSchedule();
  schedule.replace([checkOf('a')], 0);
  schedule.take(0);
  schedule.ended('a');
  schedule.replace([checkOf('a')], 10_000);
  expect(schedule.wait(10_000)).toBe(50_000);
  schedule.replace([checkOf('a', 2)], 10_000);
  expect(schedule.wait(10_000)).toBe(10_000);
});

test('missed turns are not made up for', () => {
  const schedule = new CheckSchedule();
  schedule.replace([checkOf('a')], 0);
  schedule.take(0);
  schedule.ended('a');
  expect(schedule.take(3_600_000)?.check_id).toBe('a');
  schedule.ended('a');
  expect(schedule.wait(3_600_000)).toBe(60_000);
});

const changes = fc.array(
  fc.record({
    wait: fc.integer({ min: 0, max: 5000 }),
    list: fc.option(
      fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 5 })), { maxLength: 6 }),
    ),
    ends: fc.boolean(),
  }),
  { maxLength: 60 },
);
test('whatever lists the API sends, starts keep their distance and a check its 20 seconds', () => {
  fc.assert(
    fc.property(changes, (steps) => {
      const schedule = new CheckSchedule();
      const starts: { id: string; at: number }[] = [];
      let now = 0;
      for (const { wait, list, ends } of steps) {
        now += wait;
        if (list !== null)
          schedule.replace([...new Map(list.map(([id, rev]) => [id, checkOf(id, rev, 20)])).values()], now);
        for (let one = schedule.take(now); one !== null; one = schedule.take(now)) {
          starts.push({ id: one.check_id, at: now });
          if (ends) schedule.ended(one.check_id);
        }
      }
      const gaps = starts.slice(1).map(({ at }, index) => at - (starts[index]?.at ?? 0));
      const own = [...Map.groupBy(starts, ({ id }) => id).values()].flatMap((of) =>
        of.slice(1).map(({ at }, index) => at - (of[index]?.at ?? 0)),
      );
      expect(Math.min(Infinity, ...gaps)).toBeGreaterThanOrEqual(CHECK_LIMITS.startGapMs);
      expect(Math.min(Infinity, ...own)).toBeGreaterThanOrEqual(20_000);
    }),
  );
});
