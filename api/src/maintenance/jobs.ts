import type { Job } from '../jobs/scheduler.ts';
import { planAll } from './plan-periods.ts';
import type { Maintenances } from './store.ts';

/** Periods are planned weeks ahead, and a maintenance plans its first ones itself. */
const EVERY_SECONDS = 600;

export const maintenanceJob = (maintenances: Maintenances): Job => ({
  name: 'plan-maintenance',
  everySeconds: EVERY_SECONDS,
  run: async (now) => {
    const planned = await planAll(maintenances, now);
    return planned === 0 ? null : { planned };
  },
});
