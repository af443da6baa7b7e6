import { expect, it } from 'vitest';
import { sharedLook } from './jobs.ts';

const INTERVAL_MS = 60_000;

function counted() {
  let looks = 0;
  const look = (now: number) => Promise.resolve({ seenAt: now, receivedAt: null, pausedUntil: (looks += 1) });
  return { watch: sharedLook({ look, judge: (work) => work() }), looks: () => looks };
}

it('looks once for two jobs of the same moment, and again at the next', async () => {
  const { watch, looks } = counted();
  const paused = async (now: number) => (await watch.look(now, INTERVAL_MS)).pausedUntil;
  expect([await paused(1000), await paused(1000), await paused(8499), await paused(8500)]).toEqual([1, 1, 1, 2]);
  // A clock that was set back.
  expect([await paused(0), looks()]).toEqual([3, 3]);
});

it('looks again after a look that failed', async () => {
  let fails = true;
  const look = (now: number) =>
    fails ? Promise.reject(new Error('away')) : Promise.resolve({ seenAt: now, receivedAt: null, pausedUntil: 0 });
  const watch = sharedLook({ look, judge: (work) => work() });
  await expect(watch.look(0, INTERVAL_MS)).rejects.toThrow('away');
  fails = false;
  expect(await watch.look(0, INTERVAL_MS)).toMatchObject({ seenAt: 0 });
});
