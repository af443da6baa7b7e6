import { assert, asyncProperty, integer } from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clockJob } from './jobs.ts';
import { DatabaseClock } from './database-clock.ts';

const HOUR_MS = 3_600_000;

/** The answer of PostgreSQL takes as long as a test says. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const TRUE_MS = 1_000_000_000;
const offset = integer({ min: -HOUR_MS, max: HOUR_MS });

it('follows PostgreSQL however wrong the clock of the machine is, also when that is set anew', async () => {
  await assert(
    asyncProperty(offset, offset, async (first, second) => {
      const machine = { offsetMs: 0, now: () => TRUE_MS + machine.offsetMs };
      const clock = new DatabaseClock(machine);
      for (machine.offsetMs of [first, second]) {
        await clock.sync(() => Promise.resolve(TRUE_MS));
        expect(clock.now()).toBe(TRUE_MS);
      }
    }),
  );
});

it('corrects no difference that the delay of the answer explains', async () => {
  const machine = { now: () => TRUE_MS };
  const clock = new DatabaseClock(machine);
  const after = (delayMs: number, ageMs: number) => () => {
    vi.advanceTimersByTime(delayMs);
    return Promise.resolve(TRUE_MS - ageMs);
  };
  await clock.sync(after(800, 700));
  expect(clock.now()).toBe(TRUE_MS);
  await clock.sync(after(800, 900));
  expect(clock.now()).toBe(TRUE_MS - 100);
});

it.each([
  [1000, false],
  [300_000, true],
  [-300_000, true],
])('reports a clock that is %i ms off: %s', async (offMs, isFar) => {
  const clock = new DatabaseClock({ now: () => 1_000_000 });
  expect(await clock.sync(() => Promise.resolve(1_000_000 - offMs))).toBe(isFar);
});

it('warns once when the clock of the machine begins to be off, and again after it was right', async () => {
  const machine = { time: 1_000_000, now: () => machine.time };
  const warnings: object[] = [];
  const log = { warn: (fields: object) => void warnings.push(fields) };
  const job = clockJob(new DatabaseClock(machine), () => Promise.resolve(1_000_000), log);
  for (const time of [1_000_000, 1_300_000, 1_300_000, 1_000_000, 700_000]) {
    machine.time = time;
    await job.run(time);
  }
  expect(warnings).toEqual([{ seconds: -300 }, { seconds: 300 }]);
});
