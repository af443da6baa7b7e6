import type { AlertLevel } from '@plimsoll/contract/rules/limits';

/** A change waits this long for others of its incident, so that one message carries them all. */
export const GROUP_WAIT_MS = 30_000;
/** A claim that is not settled by then belongs to a process that is gone. Longer than the longest try. */
export const LEASE_MS = 60_000;
/**
 * A claim is sent within this time or not at all. A process that hung meanwhile would otherwise send what another one has
 * sent. Half the lease leaves more time for the try than the longest takes.
 */
export const SENT_WITHIN_MS = LEASE_MS / 2;
/** A silent server is offline after 3 intervals, and the job that judges it runs within one more. */
export const JUDGED_AFTER_INTERVALS = 4.5;
/** An alert of a server whose report is overdue is looked at again after this time. */
export const LATE_HOLD_MS = 5000;
/** Levels that are sent again at the repeat interval of the channel. */
export const REPEATED_LEVELS: readonly AlertLevel[] = ['critical', 'error'];
export const GIVE_UP_MS = 24 * 3600 * 1000;
const FIRST_DELAY_MS = 1000;
const LONGEST_DELAY_MS = 300_000;

/**
 * Returns milliseconds until the next try: full jitter below a limit that doubles from 1 s to 5 min, and never less than
 * the provider demands. `random` is from 0 to 1.
 */
export function retryDelayMs(attempt: number, random: number, retryAfterSeconds = 0): number {
  const limit = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 20));
  return Math.max(FIRST_DELAY_MS, random * limit, Math.min(retryAfterSeconds * 1000, GIVE_UP_MS));
}
