import type { ClusterUpkeep } from '../storage/kubernetes-ports.ts';
import type { Job } from './scheduler.ts';

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
