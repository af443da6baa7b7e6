import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { CheckDetail } from '@plimsoll/contract/wire/checks/checks';

type Day = CheckDetail['days'][number];
export type DayKind = 'up' | 'down' | 'unknown' | 'none';

/**
 * Returns what a bar says of a day of UTC: unknown, if that holds for half of the time that the day had so far. `since` is
 * the start of the check and `now` the end of today's bar, epoch milliseconds.
 */
export function dayKind(day: Day, since: number, now: number): DayKind {
  if (!day.is_known) return 'none';
  if (day.down_seconds > 0) return 'down';
  const start = Date.parse(day.date);
  const lasted = Math.min(now, start + DAY_MS) - Math.max(since, start);
  return day.unknown_seconds * 1000 >= Math.max(0, lasted) / 2 && day.unknown_seconds > 0 ? 'unknown' : 'up';
}
