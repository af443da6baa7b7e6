import type { Job } from '../jobs/scheduler.ts';
import { planClusters } from './make-plans.ts';
import { measureServers } from './measure-servers.ts';
import type { CapacityPlans, ServerUsages } from './store.ts';

/** Each run writes a row for every container of every workload, so it is not run after each report. */
const FOLD_SECONDS = 600;
/** A run takes some of the servers, so that those of a large fleet are spread over the hour. */
const MEASURE_SECONDS = 300;

/** The growth of memory, and which servers nobody needs. */
export const serverUsageJob = (usages: ServerUsages): Job => ({
  name: 'capacity-servers',
  everySeconds: MEASURE_SECONDS,
  run: async (now) => {
    const servers = await measureServers(usages, now);
    return servers === 0 ? null : { servers };
  },
});

/** Plans of new clusters appear within a minute; every other is made anew each five. */
export function capacityJobs(plans: CapacityPlans): Job[] {
  // The start of the API waits for the first run of each job, and a plan of a large cluster takes seconds.
  let isStart = true;
  const run = async (now: number): Promise<object | null> => {
    if (isStart) {
      isStart = false;
      return null;
    }
    const clusters = await planClusters(plans, now);
    return clusters === null ? null : { clusters };
  };
  return [
    { name: 'capacity-plan', everySeconds: 60, run },
    {
      name: 'capacity-usage',
      everySeconds: FOLD_SECONDS,
      run: async (now) => {
        const readings = await plans.foldReadings(now);
        return readings > 0 ? { readings } : null;
      },
    },
  ];
}
