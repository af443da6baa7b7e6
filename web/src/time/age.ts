const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

const whole = (seconds: number) => Math.max(0, Math.floor(seconds));

/** "8 s", "7 min", "3 h", "12 d". */
export function ageText(seconds: number): string {
  const age = whole(seconds);
  if (!Number.isFinite(age)) return 'Unknown';
  if (age < MINUTE) return `${age} s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < 2 * DAY) return `${Math.floor(age / HOUR)} h`;
  return `${Math.floor(age / DAY)} d`;
}

/** "8s", "7m", "3h", "12d": alert rows and feeds. */
export function shortAge(seconds: number): string {
  const age = whole(seconds);
  if (!Number.isFinite(age)) return 'Unknown';
  if (age < MINUTE) return `${age}s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
  if (age < DAY) return `${Math.floor(age / HOUR)}h`;
  return `${Math.floor(age / DAY)}d`;
}

/** Epoch milliseconds of an ISO time or of epoch seconds; null when it is neither. */
export function momentMs(time: string | number | null | undefined): number | null {
  const ms = typeof time === 'number' ? time * 1000 : typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isFinite(ms) ? ms : null;
}

/** "6d 4h", "4h 12m" or "12m"; null is null. */
export function uptimeText(seconds: number | null): string | null {
  if (seconds === null || !Number.isFinite(seconds) || seconds < 0) return null;
  const days = Math.floor(seconds / DAY);
  const hours = Math.floor((seconds % DAY) / HOUR);
  const minutes = Math.floor((seconds % HOUR) / MINUTE);
  if (days > 0) return `${days}d ${hours}h`;
  if (hours > 0) return `${hours}h ${minutes}m`;
  return `${minutes}m`;
}
