import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Scheduler } from './scheduler.ts';
import type { Job } from './scheduler.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const clock = { now: () => Date.now() };
const setup = (jobs: Job[]) => {
  const log = { debug: vi.fn<(fields: object) => void>(), error: vi.fn<(fields: object) => void>() };
  const observe = vi.fn<(job: string, outcome: string) => void>();
  return { log, observe, scheduler: new Scheduler({ jobs, clock, log, observe }) };
};
const counting = (everySeconds: number) => {
  const run = vi.fn<() => Promise<null>>().mockResolvedValue(null);
  return { run, job: { name: 'count', everySeconds, run } };
};

it('runs each job at start and then at its interval', async () => {
  const { run, job } = counting(60);
  const { scheduler } = setup([job]);
  await scheduler.start();
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(120_001);
  expect(run).toHaveBeenCalledTimes(4);
  await scheduler.stop();
});

it('goes on after a failure, and says so', async () => {
  const run = vi.fn<() => Promise<null>>().mockRejectedValueOnce(new Error('no disk')).mockResolvedValue(null);
  const { scheduler, log, observe } = setup([{ name: 'prune', everySeconds: 1, run }]);
  await scheduler.start();
  expect(log.error.mock.calls[0]?.[0]).toMatchObject({ job: 'prune' });
  await vi.advanceTimersByTimeAsync(1000);
  expect(observe.mock.calls.map(([, outcome]) => outcome)).toEqual(['failed', 'ok']);
  await scheduler.stop();
});

it('keeps no job waiting for one that fails each time, not even by throwing at once', async () => {
  const { run, job } = counting(60);
  const rejects = { name: 'rejects', everySeconds: 60, run: () => Promise.reject(new Error('no disk')) };
  const throws = {
    name: 'throws',
    everySeconds: 60,
    run: () => {
      throw new Error('no such table');
    },
  };
  const { scheduler, observe, log } = setup([rejects, throws, job]);
  await scheduler.start();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(run).toHaveBeenCalledTimes(3);
  const outcomes = Map.groupBy(observe.mock.calls, ([name]) => name);
  expect([...outcomes].map(([name, calls]) => [name, calls.map(([, outcome]) => outcome)])).toEqual([
    ['rejects', ['failed', 'failed', 'failed']],
    ['throws', ['failed', 'failed', 'failed']],
    ['count', ['ok', 'ok', 'ok']],
  ]);
  expect(log.error).toHaveBeenCalledTimes(6);
  await scheduler.stop();
});

it('tells each run the time it begins at, and says what it did only when it did something', async () => {
  const run = vi
    .fn<(now: number) => Promise<object | null>>()
    .mockResolvedValueOnce({ rows: 4 })
    .mockResolvedValue(null);
  const { scheduler, log } = setup([{ name: 'rollup', everySeconds: 10, run }]);
  const begun = Date.now();
  await scheduler.start();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(run.mock.calls.map(([now]) => now - begun)).toEqual([0, 10_000, 20_000]);
  expect(log.debug.mock.calls.map(([fields]) => fields)).toMatchObject([{ job: 'rollup', rows: 4 }]);
  await scheduler.stop();
});

it('counts the interval from the end of a run that took longer', async () => {
  const run = vi.fn<() => Promise<null>>(() => new Promise((resolve) => void setTimeout(() => resolve(null), 90_000)));
  const { scheduler } = setup([{ name: 'slow', everySeconds: 60, run }]);
  const started = scheduler.start();
  await vi.advanceTimersByTimeAsync(90_000);
  await started;
  await vi.advanceTimersByTimeAsync(59_999);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(90_000);
  await scheduler.stop();
});

it('never runs a job twice at once', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const run = vi.fn<() => Promise<null>>().mockReturnValue(promise);
  const { scheduler } = setup([{ name: 'slow', everySeconds: 1, run }]);
  const started = scheduler.start();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(run).toHaveBeenCalledTimes(1);
  resolve(null);
  await started;
  await vi.advanceTimersByTimeAsync(1000);
  expect(run).toHaveBeenCalledTimes(2);
  await scheduler.stop();
});

it('waits at stop for the run under way, and begins no other', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const { run, job } = counting(1);
  const { scheduler } = setup([{ name: 'slow', everySeconds: 1, run: () => promise }, job]);
  const started = scheduler.start();
  const ended: string[] = [];
  const stopped = scheduler.stop().then(() => ended.push('stopped'));
  await vi.advanceTimersByTimeAsync(5000);
  expect(ended).toEqual([]);
  resolve(null);
  await Promise.all([started, stopped]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(run).not.toHaveBeenCalled();
});

/** Jobs that are due at the same moments: the first run of each ends at once, the later ones take `ms`. */
async function begunTogether(ms: readonly number[]): Promise<{ begun: number[]; most: number }> {
  const begun: number[] = [];
  let [running, most] = [0, 0];
  const jobs = ms.map((one, index): Job => {
    let runs = 0;
    const run = async () => {
      runs += 1;
      if (runs !== 2) return null;
      begun[index] = Date.now();
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => void setTimeout(resolve, one));
      running -= 1;
      return null;
    };
    return { name: String(index), everySeconds: 60, run };
  });
  const { scheduler } = setup(jobs);
  await scheduler.start();
  const due = Date.now() + 60_000;
  await vi.advanceTimersByTimeAsync(90_000);
  await scheduler.stop();
  return { begun: begun.map((at) => at - due), most };
}

it('lets a quick job end before the next begins', async () => {
  expect(await begunTogether([100, 100, 100])).toEqual({ begun: [0, 100, 200], most: 1 });
});

it('keeps no job waiting longer for a slow one than a quarter of a second', async () => {
  expect(await begunTogether([20_000, 100, 100])).toEqual({ begun: [0, 250, 350], most: 2 });
});
