import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import type { StorageLogger } from './connection.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Maintenance } from './store.ts';
import type { Job } from '../jobs/scheduler.ts';

/** Before anything else: a sample of today needs its partition. Made days ahead, so an hour more or less is nothing. */
const partitionsJob = (maintenance: Maintenance): Job => ({
  name: 'partitions',
  everySeconds: HOUR_SECONDS,
  run: async (now) => {
    const made = await maintenance.makePartitions(now);
    return made?.length ? { made } : null;
  },
});

/** Often and little at a time, instead of much once a day. */
const pruneJob = (maintenance: Maintenance): Job => ({
  name: 'prune',
  everySeconds: HOUR_SECONDS,
  run: async (now) => {
    const removed = await maintenance.prune(now);
    return removed && Object.keys(removed).length > 0 ? { removed } : null;
  },
});

/** The process that runs the jobs. */
interface Run {
  version: string;
  /** Returns how the last runs of each job ended. */
  jobs: () => readonly object[];
}

/** Leaves a trace each minute that this API runs: silence of all hosts at once is then known to be its own. */
const presenceJob = (maintenance: Maintenance, { version, jobs }: Run): Job => {
  let run: string | null = null;
  return {
    name: 'presence',
    everySeconds: 60,
    run: async (now) => {
      run ??= await maintenance.startRun(now, version);
      await maintenance.recordRun(run, now, jobs());
      return null;
    },
  };
};

/** In the order of the first run. */
export const storageJobs = (maintenance: Maintenance, run: Run): Job[] => [
  partitionsJob(maintenance),
  presenceJob(maintenance, run),
  pruneJob(maintenance),
];

/** Follows PostgreSQL's clock, and warns when the clock of this machine begins to be far off. */
export function clockJob(clock: DatabaseClock, readTime: () => Promise<number>, log: Pick<StorageLogger, 'warn'>): Job {
  let wasFar = false;
  return {
    name: 'clock',
    everySeconds: 15,
    run: async () => {
      const isFar = await clock.sync(readTime);
      if (isFar && !wasFar)
        log.warn(
          { seconds: Math.round(clock.offsetMs / 1000) },
          'the clock of this machine differs from PostgreSQL, whose clock is used. Synchronise both with NTP',
        );
      wasFar = isFar;
      return null;
    },
  };
}
