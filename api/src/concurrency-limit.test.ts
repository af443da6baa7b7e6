import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConcurrencyLimit, SenderLimits } from './concurrency-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function job(): { work: () => Promise<string>; finish: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, finish: () => resolve('done') };
}

test('one more than fits waits and gets the place that comes free', async () => {
  const concurrencyLimit = new ConcurrencyLimit({ inFlight: 1, bytes: 100, waitMs: 200 });
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
    const concurrencyLimit = new ConcurrencyLimit({ inFlight: 1, bytes: 100, waitMs: 200 }, () => random);
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
  const concurrencyLimit = new ConcurrencyLimit({ inFlight: 1, bytes: 100, waitMs: 200 });
  await expect(concurrencyLimit.run(() => Promise.reject(new Error('x')))).rejects.toThrow('x');
  expect(concurrencyLimit.inFlight).toBe(0);
});

test('holds no more bytes at once than it may, and lets the next in the order of arrival', async () => {
  const limit = new ConcurrencyLimit({ inFlight: 10, bytes: 100, waitMs: 200 });
  const jobs = [60, 40, 50, 10].map((bytes) => ({ ...job(), bytes }));
  const begun: number[] = [];
  const running = jobs.map(({ work, bytes }) =>
    limit.run(() => {
      begun.push(bytes);
      return work();
    }, bytes),
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([60, 40]);
  jobs[1]?.finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([60, 40]);
  jobs[0]?.finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toEqual([60, 40, 50, 10]);
  for (const { finish } of jobs) finish();
  await Promise.all(running);
  expect(limit.inFlight).toBe(0);
});

test('a large one that is sent away makes room for smaller ones behind it', async () => {
  const limit = new ConcurrencyLimit({ inFlight: 10, bytes: 100, waitMs: 200 });
  const [first, second] = [job(), job()];
  const running = limit.run(first.work, 60);
  const large = limit.run(job().work, 90).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(100);
  const small = limit.run(second.work, 10);
  await vi.advanceTimersByTimeAsync(100);
  expect(await large).toMatchObject({ code: 'overloaded' });
  second.finish();
  expect(await small).toBe('done');
  first.finish();
  await running;
});

test('one that is larger than all may be together runs alone', async () => {
  const limit = new ConcurrencyLimit({ inFlight: 10, bytes: 100, waitMs: 200 });
  expect(await limit.run(() => Promise.resolve('done'), 500)).toBe('done');
  expect(await limit.run(() => Promise.resolve('done'), 500)).toBe('done');
});

describe('SenderLimits', () => {
  test('lets a sender wait for its own places only', async () => {
    const limits = new SenderLimits({ inFlight: 1, bytes: 100, waitMs: 200 });
    const started: string[] = [];
    const [first, second, other] = [job(), job(), job()];
    const run = (sender: string, name: string, { work }: ReturnType<typeof job>) =>
      limits.run(sender, () => {
        started.push(name);
        return work();
      });
    const running = [run('a', 'first', first), run('a', 'second', second), run('b', 'other', other)];
    expect(started).toEqual(['first', 'other']);
    for (const { finish } of [first, second, other]) finish();
    await Promise.all(running);
    expect(started).toEqual(['first', 'other', 'second']);
  });

  test('keeps nothing of a sender that is done', async () => {
    const limits = new SenderLimits({ inFlight: 1, bytes: 100, waitMs: 200 });
    await limits.run('a', () => Promise.resolve());
    await limits.run('b', () => Promise.reject(new Error('x'))).catch(() => {});
    expect(limits.senders).toBe(0);
  });
});
