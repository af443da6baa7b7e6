import { MAINTENANCE_LIMITS } from '@plimsoll/contract/rules/checks/maintenance-limits';
import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { periodsOf } from './periods.ts';
import type { Maintenances } from './store.ts';
import type { Maintenance } from './types.ts';

/**
 * Plans the periods of a maintenance that are ahead. One that began before the last change of the maintenance is not
 * planned: what was measured in it counts.
 */
export function planPeriods(maintenances: Maintenances, maintenance: Maintenance, now: number): Promise<number> {
  const running = now - maintenance.durationSeconds * 1000;
  const range = { after: Math.max(running, maintenance.updatedAt), to: now + MAINTENANCE_LIMITS.aheadDays * DAY_MS };
  return maintenances.plan(maintenance, periodsOf(maintenance, range, MAINTENANCE_LIMITS.ahead), now);
}

/** Plans the periods of every maintenance of the installation. Safe on several replicas. */
export async function planAll(maintenances: Maintenances, now: number): Promise<number> {
  let planned = 0;
  for (const maintenance of await maintenances.listAll()) planned += await planPeriods(maintenances, maintenance, now);
  return planned;
}
