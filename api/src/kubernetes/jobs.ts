import type { ClusterUpkeep } from './store.ts';
import type { Job } from '../jobs/scheduler.ts';

/** Buckets are five minutes long and read from the samples until they are rolled up. */
export const kubernetesJobs = (upkeep: ClusterUpkeep): Job[] => [
  {
    name: 'kubernetes-rollup',
    everySeconds: 300,
    run: async (now) => {
      const rows = await upkeep.rollup(now);
      return rows > 0 ? { rows } : null;
    },
  },
];
