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
