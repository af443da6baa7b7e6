import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { Job } from '../jobs/scheduler.ts';
import { recordDays } from './record-days.ts';
import type { ServerDays } from './store.ts';

/** A new page shows its history after this long at most. */
const EVERY_SECONDS = 60;
/** Yesterday ends with buckets that are complete after midnight. */
const NEW_DAYS = 2;
/** A collector keeps what it could not send for up to 7 days, so the days before today may still change. */
const LATE_DAYS = 8;

/** Keeps the days of the servers on status pages; once an hour also those that late reports may have changed. */
export function statusDaysJob(days: ServerDays): Job {
  let hour: number | null = null;
  return {
    name: 'status-days',
    everySeconds: EVERY_SECONDS,
    run: async (now) => {
      const current = Math.floor(now / HOUR_MS);
      const changed = await recordDays(days, now, current === hour ? NEW_DAYS : LATE_DAYS);
      if (changed !== null) hour = current;
      return changed ? { days: changed } : null;
    },
  };
}
