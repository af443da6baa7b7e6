import { errorText } from '@plimsoll/contract/rules/error-text';
import type { Job } from '../jobs/scheduler.ts';
import type { FilesystemHistory, Rollups, SetAside } from './store.ts';
import { deleteSeries } from './remote/delete-series.ts';
import { shipSamples, type SeriesDeps } from './remote/ship-samples.ts';
import { recheckHours, verifyHours } from './remote/verify-hours.ts';
import { updateDiskTrends } from './update-disk-trends.ts';

/**
 * Values without a rollup are read from the samples, so for fresh figures this bounds the cost, not the age. A spool
 * that drains after an outage writes into buckets that were rolled up: its history shows after this long.
 */
const ROLLUP_SECONDS = 30;
/** Each level and the fleets may take this long at once, so that catching up takes at most half of the time. */
const MOST_MS = 10_000;
export const rollupJob = (rollups: Rollups): Job => ({
  name: 'rollup',
  everySeconds: ROLLUP_SECONDS,
  run: async (now) => {
    const rows = await rollups.rollUp(now, MOST_MS);
    return rows ? { rows } : null;
  },
});

/** Several runs per stored point, so that a server that reports late in its half hour is not left out. */
const TRENDS_SECONDS = 300;
/** Finds the growth of the filesystems, whatever their lines are. */
export const diskTrendJob = (history: FilesystemHistory): Job => ({
  name: 'disk-trends',
  everySeconds: TRENDS_SECONDS,
  run: async (now) => {
    const servers = await updateDiskTrends(history, now);
    return servers === 0 ? null : { servers };
  },
});

const EVERY_SECONDS = 60;

/** Logs each bucket that a rollup set aside since the run before, and counts all of them for the metrics. */
export const setAsideJob = (deps: {
  setAside: Pick<SetAside, 'since' | 'count'>;
  log: { warn(fields: object, message: string): void };
  observe: (buckets: ReadonlyMap<string, number>) => void;
}): Job => {
  let reportedTo: number | null = null;
  return {
    name: 'set-aside',
    everySeconds: EVERY_SECONDS,
    run: async (now) => {
      const failed = await deps.setAside.since(reportedTo ?? now - EVERY_SECONDS * 1000);
      for (const { at, failedAt, retryAt, ...bucket } of failed) {
        const times = { bucketAt: at, failedAt, retryAt };
        const inWords = Object.entries(times).map(([name, time]) => [name, new Date(time).toISOString()]);
        deps.log.warn({ ...bucket, ...Object.fromEntries(inWords) }, 'rollup of a bucket failed, it is retried later');
      }
      deps.observe(await deps.setAside.count());
      reportedTo = now;
      return null;
    },
  };
};

const SHIP_SECONDS = 30;
const VERIFY_SECONDS = 60;
/** A week of hours is compared again within 28 hours; PostgreSQL has each for a week. */
const RECHECK_SECONDS = 600;
const DELETE_SECONDS = 300;
/** A run ends after this long, so that a replica that stops is not waited for. */
const MOST_SERIES_MS = 20_000;

/** Keeps the remote time-series store complete. A failure is logged, and stored for the health page. */
export const seriesStoreJobs = (deps: SeriesDeps): Job[] => [
  {
    name: 'series-ship',
    everySeconds: SHIP_SECONDS,
    run: async (now) => {
      try {
        const shipped = await shipSamples(deps, MOST_SERIES_MS);
        if (shipped !== null) await deps.outbox.recordSuccess(now);
        return shipped?.samples ? shipped : null;
      } catch (error) {
        await deps.outbox.recordFailure(now, errorText(error));
        throw error;
      }
    },
  },
  {
    name: 'series-verify',
    everySeconds: VERIFY_SECONDS,
    run: async () => {
      const verified = await verifyHours(deps, MOST_SERIES_MS);
      return verified && verified.hours + verified.missing > 0 ? verified : null;
    },
  },
  {
    name: 'series-recheck',
    everySeconds: RECHECK_SECONDS,
    run: async () => {
      const found = await recheckHours(deps, MOST_SERIES_MS);
      return found?.missing ? found : null;
    },
  },
  {
    name: 'series-delete',
    everySeconds: DELETE_SECONDS,
    run: async () => {
      const done = await deleteSeries(deps);
      return done.deleted > 0 ? done : null;
    },
  },
];
