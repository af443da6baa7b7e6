import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function job(): { work: () => Promise<string>; finish: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, finish: () => resolve('done') };
}

test('one more than fits waits and gets the place that comes free', async () => {
  const concurrencyLimit = new ConcurrencyLimit({ inFlight: 1, waitMs: 200 });
  const [first, second] = [job(), job()];
  const running = concurrencyLimit.run(first.work);
  const waiting = concurrencyLimit.run(second.work);
  await vi.advanceTimersByTimeAsync(199);
  first.finish();
  second.finish();
  expect(await Promise.all([running, waiting])).toEqual(['done', 'done']);
  expect(concurrencyLimit.inFlight).toBe(0);
});

test('who waits too long is told when to come back, 5 to 30 s later', async () => {
  for (const [random, seconds] of [
    [0, 5],
    [0.999, 30],
  ] as const) {
    const concurrencyLimit = new ConcurrencyLimit({ inFlight: 1, waitMs: 200 }, () => random);
    const blocker = job();
    const running = concurrencyLimit.run(blocker.work);
    const refused = concurrencyLimit.run(job().work).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(200);
    expect(await refused).toMatchObject({ code: 'overloaded', retryAfterSeconds: seconds });
    blocker.finish();
    await running;
    expect(concurrencyLimit.inFlight).toBe(0);
  }
});

test('a failing one gives its place back', async () => {
  const concurrencyLimit = new ConcurrencyLimit({ inFlight: 1, waitMs: 200 });
  await expect(concurrencyLimit.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(concurrencyLimit.inFlight).toBe(0);
});
