import type { Job } from '../jobs/scheduler.ts';
import type { Containers } from './store.ts';

/** Several runs per stored point, so that a server that reports late in its step is not left out. */
const EVERY_SECONDS = 300;
/** Stores the CPU and memory of all containers. */
export const containerHistoryJob = (containers: Containers): Job => ({
  name: 'container-history',
  everySeconds: EVERY_SECONDS,
  run: async (now) => {
    const servers = await containers.record(now);
    return servers === 0 ? null : { servers };
  },
});
