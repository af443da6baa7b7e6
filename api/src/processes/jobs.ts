import type { Job } from '../jobs/scheduler.ts';
import type { ProcessMinutes } from './store.ts';

const PACK_SECONDS = 60;
/** Packs the minute lists of closed hours. */
export const packProcessesJob = (minutes: Pick<ProcessMinutes, 'pack'>): Job => ({
  name: 'pack-processes',
  everySeconds: PACK_SECONDS,
  run: async (now) => {
    const blocks = await minutes.pack(now);
    return blocks ? { blocks } : null;
  },
});
