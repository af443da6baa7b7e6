import { describe, expect, test } from 'vitest';
import { untilReady } from './until-ready.ts';

/** A start whose state is that of `states` at each second, the last one for ever. */
function startOf(states: string[], readyAt = Infinity, exited: Promise<number> = new Promise(() => {})) {
  let second = 0;
  return untilReady(
    { name: 'api', exited },
    {
      isReady: () => Promise.resolve(second >= readyAt),
      progress: () => states[Math.min(second, states.length - 1)] ?? '',
      now: () => second * 1000,
      pause: () => {
        second += 1;
        return Promise.resolve();
      },
    },
  ).then(
    () => second,
    (error: unknown) => `${String(second)} s: ${(error as Error).message}`,
  );
}

describe('the start waits', () => {
  test('as long as there is progress, however slow', async () => {
    const states = Array.from({ length: 1000 }, (_, second) => String(Math.floor(second / 100)));
    expect(await startOf(states, 1000)).toBe(1000);
  });

  test('two minutes after the last progress it gives up, and blames nobody', async () => {
    expect(await startOf(['a', 'b', 'c'])).toMatch(/^123 s: the start went no further for 120 s: neither/);
  });

  test('no longer when the API has ended', async () => {
    expect(await startOf(['a'], Infinity, Promise.resolve(3))).toMatch(/the API ended with exit code 3/);
  });
});
