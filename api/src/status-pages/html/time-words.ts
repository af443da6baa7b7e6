import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const two = (value: number): string => String(value).padStart(2, '0');

/** "27 Oct", with the year if it is another one. All times are UTC. */
export function dayWords(iso: string, now: string): string {
  const [date, today] = [new Date(iso), new Date(now)];
  const year = date.getUTCFullYear();
  const day = `${String(date.getUTCDate())} ${MONTHS[date.getUTCMonth()] ?? ''}`;
  return year === today.getUTCFullYear() ? day : `${day} ${String(year)}`;
}

const clock = (iso: string): string => {
  const date = new Date(iso);
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
};

/** "20:41" today, else "27 Oct 20:41". */
export const timeWords = (iso: string, now: string): string =>
  iso.slice(0, 10) === now.slice(0, 10) ? clock(iso) : `${dayWords(iso, now)} ${clock(iso)}`;

/** "Today 20:30 to 22:00", "29 Nov 23:00 to 30 Nov 01:00". */
export function periodWords(from: string, to: string, now: string): string {
  const isOneDay = from.slice(0, 10) === to.slice(0, 10);
  const isToday = from.slice(0, 10) === now.slice(0, 10);
  const begin = isToday ? `Today ${clock(from)}` : timeWords(from, now);
  return `${begin} to ${isOneDay ? clock(to) : `${dayWords(to, now)} ${clock(to)}`} UTC`;
}

/** "34 min", "1 h 12 min", "3 d 2 h". */
export function lengthWords(seconds: number): string {
  const minutes = Math.round(seconds / MINUTE_SECONDS);
  if (seconds < MINUTE_SECONDS) return 'less than a minute';
  if (seconds < HOUR_SECONDS - MINUTE_SECONDS / 2) return `${String(minutes)} min`;
  if (seconds < DAY_SECONDS) {
    const rest = minutes % MINUTE_SECONDS;
    return `${String(Math.floor(minutes / MINUTE_SECONDS))} h${rest === 0 ? '' : ` ${String(rest)} min`}`;
  }
  const hours = Math.round(seconds / HOUR_SECONDS);
  const rest = hours % 24;
  return `${String(Math.floor(hours / 24))} d${rest === 0 ? '' : ` ${String(rest)} h`}`;
}
