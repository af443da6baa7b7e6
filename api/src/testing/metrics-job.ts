import { externalMetricsJob } from '../external-metrics/jobs.ts';
import type { TestApp } from './app.ts';

type JobDeps = Parameters<typeof externalMetricsJob>[0];

/** Returns the job that makes reports of the metrics of other agents, on the app's storage and clock. */
export function metricsJobOf(
  app: Pick<TestApp, 'deps'>,
  given: Partial<JobDeps> = {},
): ReturnType<typeof externalMetricsJob> {
  const { storage, alertRules, hiddenMounts, changes, metrics, clock, log, config } = app.deps;
  const { externalReadings, agents, reports, alertStates } = storage;
  const stores = { storage, externalReadings, agents, reports, alertStates, alertRules, hiddenMounts };
  const { reportIntervalSeconds, planLimits } = config;
  return externalMetricsJob({ ...stores, changes, metrics, clock, log, reportIntervalSeconds, planLimits, ...given });
}
