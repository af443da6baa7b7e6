import type { Job } from '../jobs/scheduler.ts';
import type { Installation } from './store.ts';

/** Stores one size an hour; a start in between finds it stored. */
export const databaseSizeJob = (installation: Pick<Installation, 'recordSize'>): Job => ({
  name: 'database-size',
  everySeconds: 3600,
  run: async (now) => {
    await installation.recordSize(now);
    return null;
  },
});
