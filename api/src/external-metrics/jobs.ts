import type { Job } from '../jobs/scheduler.ts';
import { reportIntervals, type ReportIntervalsDeps } from './report-intervals.ts';

/** Bounds how long after the end of its interval a report is stored. */
const EVERY_SECONDS = 5;

/** Makes reports of the metrics that other agents sent. */
export const externalMetricsJob = (deps: ReportIntervalsDeps): Job => ({
  name: 'external-metrics',
  everySeconds: EVERY_SECONDS,
  run: async (now) => {
    const sources = await reportIntervals(deps, now);
    return sources === 0 ? null : { sources };
  },
});
