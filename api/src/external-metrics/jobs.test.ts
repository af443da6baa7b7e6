import { expect, it } from 'vitest';
import { externalMetricsJob } from './jobs.ts';
import type { ReportIntervalsDeps } from './report-intervals.ts';

it('looks every 15 s, and every 5 s while other agents send', async () => {
  let [now, ended] = [0, false];
  const externalReadings = {
    hasEnded: () => Promise.resolve(ended),
    exclusively: (work: () => Promise<unknown>) => work(),
    due: () => Promise.resolve([{ source: { name: 'exporter' }, readings: [] }]),
    settle: () => Promise.resolve(),
  };
  const deps = { externalReadings, clock: { now: () => now }, reportIntervalSeconds: 60 };
  const job = externalMetricsJob(deps as unknown as ReportIntervalsDeps);
  const waits: (number | undefined)[] = [];
  for (const [at, isEnded] of [
    [0, false],
    [15_000, true],
    [20_000, false],
    [614_999, false],
    [615_000, false],
  ] as const) {
    [now, ended] = [at, isEnded];
    await job.run(at);
    waits.push(job.waitSeconds?.());
  }
  expect(waits).toEqual([15, 5, 5, 5, 15]);
});
