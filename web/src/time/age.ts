import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';

const whole = (seconds: number) => Math.max(0, Math.floor(seconds));

/** "8 s", "7 min", "3 h", "12 d". */
export function ageText(seconds: number): string {
  const age = whole(seconds);
  if (!Number.isFinite(age)) return 'Unknown';
  if (age < MINUTE_SECONDS) return `${age} s`;
  if (age < HOUR_SECONDS) return `${Math.floor(age / MINUTE_SECONDS)} min`;
  if (age < 2 * DAY_SECONDS) return `${Math.floor(age / HOUR_SECONDS)} h`;
  return `${Math.floor(age / DAY_SECONDS)} d`;
}

/** "8s", "7m", "3h", "12d": alert rows and feeds. */
export function shortAge(seconds: number): string {
  const age = whole(seconds);
  if (!Number.isFinite(age)) return 'Unknown';
  if (age < MINUTE_SECONDS) return `${age}s`;
  if (age < HOUR_SECONDS) return `${Math.floor(age / MINUTE_SECONDS)}m`;
  if (age < DAY_SECONDS) return `${Math.floor(age / HOUR_SECONDS)}h`;
  return `${Math.floor(age / DAY_SECONDS)}d`;
}

/** Epoch milliseconds of an ISO time or of epoch seconds; null when it is neither. */
export function momentMs(time: string | number | null | undefined): number | null {
  const ms = typeof time === 'number' ? time * 1000 : typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}

/** "6d 4h", "4h 12m" or "12m"; null is null. */
export function uptimeText(seconds: number | null): string | null {
  if (seconds === null || !Number.isFinite(seconds) || seconds < 0) return null;
  const days = Math.floor(seconds / DAY_SECONDS);
  const hours = Math.floor((seconds % DAY_SECONDS) / HOUR_SECONDS);
  const minutes = Math.floor((seconds % HOUR_SECONDS) / MINUTE_SECONDS);
  if (days > 0) return `${days}d ${hours}h`;
  if (hours > 0) return `${hours}h ${minutes}m`;
  return `${minutes}m`;
}
