import type { Job } from '../jobs/scheduler.ts';
import type { ProcessMinutes, ProcessQuarters } from './store.ts';

const PACK_SECONDS = 60;
/** Packs the lists of closed windows: of each minute by the hour, of each quarter of an hour by six hours. */
export const packProcessesJob = (stores: {
  processMinutes: Pick<ProcessMinutes, 'pack'>;
  processQuarters: Pick<ProcessQuarters, 'pack'>;
}): Job => ({
  name: 'pack-processes',
  everySeconds: PACK_SECONDS,
  run: async (now) => {
    const blocks = await stores.processMinutes.pack(now);
    const quarterBlocks = await stores.processQuarters.pack(now);
    return blocks || quarterBlocks ? { blocks, quarterBlocks } : null;
  },
});
