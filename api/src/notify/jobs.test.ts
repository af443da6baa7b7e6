import { expect, test } from 'vitest';
import { sendJob } from './jobs.ts';
import type { SenderDeps } from './send-due.ts';

/** An outbox that counts how often it is looked at; `dueAt` is when its only message is due. */
function quietOutbox(dueAt: number | null) {
  const [looks, repeats, causes]: [number[], number[], number[]] = [[], [], []];
  let now = 0;
  const outbox = {
    repeat: () => Promise.resolve(void repeats.push(now)).then(() => 0),
    tellCauses: () => Promise.resolve(void causes.push(now)),
    nextDueAt: () => Promise.resolve(void looks.push(now)).then(() => dueAt),
    claim: () => Promise.resolve(null),
  };
  const job = sendJob({ outbox, clock: { now: () => now } } as unknown as SenderDeps);
  const runEverySecond = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      now = second * 1000;
      await job.run(now);
    }
  };
  /** Runs as the scheduler does: again after the wait that the job names. */
  const runFor = async (seconds: number): Promise<number[]> => {
    const runs: number[] = [];
    for (now = 0; now < seconds * 1000; now += (job.waitSeconds?.() ?? 1) * 1000) {
      runs.push(now);
      await job.run(now);
    }
    return runs;
  };
  return { looks, repeats, causes, runEverySecond, runFor, job, setClock: (ms: number) => (now = ms) };
}

test('an empty outbox is looked at every five seconds, not every second', async () => {
  const { looks, repeats, causes, runEverySecond } = quietOutbox(null);
  await runEverySecond(20);
  expect(looks).toEqual([0, 5000, 10_000, 15_000]);
  expect(repeats).toEqual([0, 15_000]);
  expect(causes).toEqual(repeats);
});

test('the job runs only when there may be something to do', async () => {
  expect(await quietOutbox(null).runFor(20)).toEqual([0, 5000, 10_000, 15_000]);
  expect(await quietOutbox(7000).runFor(10)).toEqual([0, 5000, 7000, 8000, 9000]);
});

test('a clock that was set back neither stops the looks nor the repeats', async () => {
  const { job, looks, repeats, setClock } = quietOutbox(null);
  setClock(100_000);
  await job.run(100_000);
  setClock(10_000);
  expect(job.waitSeconds?.()).toBe(5);
  await job.run(10_000);
  expect([looks, repeats]).toEqual([
    [100_000, 10_000],
    [100_000, 10_000],
  ]);
});

test('a message is sent in the second in which it is due', async () => {
  const { looks, runEverySecond } = quietOutbox(7000);
  await runEverySecond(9);
  // Twice where a message is due: before and after it is sent.
  expect([...new Set(looks)]).toEqual([0, 5000, 7000, 8000]);
});
