import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { PartDay } from './types.ts';

/** Times are epoch milliseconds. */

/** Sum of the outages of a check on a UTC day, outside of planned maintenance. */
export interface CheckDay {
  day: number;
  downMs: number;
  unknownMs: number;
  /** Planned, and in neither of the others. */
  maintenanceMs: number;
}

/**
 * Returns every day from `from` on which the check existed, today included. Good is the time outside of its outages and of planned maintenance: a
 * check without a verdict has an outage of the kind "unknown".
 */
export function checkDays(
  createdAt: number,
  outages: readonly CheckDay[],
  { from, now }: { from: number; now: number },
): PartDay[] {
  const byDay = new Map(outages.map((each) => [each.day, each]));
  const days: PartDay[] = [];
  for (let day = Math.max(from, Math.floor(createdAt / DAY_MS) * DAY_MS); day < now; day += DAY_MS) {
    const lifeSeconds = Math.round((Math.min(now, day + DAY_MS) - Math.max(createdAt, day)) / 1000);
    if (lifeSeconds <= 0) continue;
    const { downMs = 0, unknownMs = 0, maintenanceMs = 0 } = byDay.get(day) ?? {};
    const countedSeconds = Math.max(0, lifeSeconds - Math.round(maintenanceMs / 1000));
    const downSeconds = Math.min(countedSeconds, Math.round(downMs / 1000));
    const unknownSeconds = Math.min(countedSeconds - downSeconds, Math.round(unknownMs / 1000));
    days.push({ day, goodSeconds: countedSeconds - downSeconds - unknownSeconds, downSeconds, unknownSeconds });
  }
  return days;
}
