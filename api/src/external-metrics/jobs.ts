import type { Job } from '../jobs/scheduler.ts';
import { reportIntervals, type ReportIntervalsDeps } from './report-intervals.ts';

/** Bounds how long after the end of its interval a report is stored. */
const EVERY_SECONDS = 5;
/** The same while no other agent sends, as in most installations. */
const QUIET_SECONDS = 15;
/** Other agents send at least once in this time. */
const SENDING_MS = 10 * 60_000;

/** Makes reports of the metrics that other agents sent. */
export const externalMetricsJob = (deps: ReportIntervalsDeps): Job => {
  let madeAt = -Infinity;
  return {
    name: 'external-metrics',
    everySeconds: EVERY_SECONDS,
    waitSeconds: () => (deps.clock.now() - madeAt < SENDING_MS ? EVERY_SECONDS : QUIET_SECONDS),
    run: async (now) => {
      const sources = await reportIntervals(deps, now);
      if (sources > 0) madeAt = now;
      return sources === 0 ? null : { sources };
    },
  };
};
