import { expect, test } from 'vitest';
import { sendJob } from './jobs.ts';
import type { SenderDeps } from './send-due.ts';

/** An outbox that counts how often it is looked at; `dueAt` is when its only message is due. */
function quietOutbox(dueAt: number | null) {
  const looks: number[] = [];
  let questions = 0;
  let now = 0;
  const outbox = {
    repeat: () => Promise.resolve(void looks.push(now)).then(() => 0),
    nextDueAt: () => {
      questions += 1;
      return Promise.resolve(dueAt);
    },
    claim: () => Promise.resolve(null),
  };
  const job = sendJob({ outbox, clock: { now: () => now } } as unknown as SenderDeps);
  const runEverySecond = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      now = second * 1000;
      await job.run(now);
    }
  };
  return { looks, runEverySecond, questions: () => questions };
}

test('an empty outbox is looked at every five seconds, not every second', async () => {
  const { looks, runEverySecond, questions } = quietOutbox(null);
  await runEverySecond(20);
  expect(looks).toEqual([0, 5000, 10_000, 15_000]);
  expect(questions()).toBe(4);
});

test('a message is sent in the second in which it is due', async () => {
  const { looks, runEverySecond } = quietOutbox(7000);
  await runEverySecond(9);
  expect(looks).toEqual([0, 5000, 7000, 8000]);
});
