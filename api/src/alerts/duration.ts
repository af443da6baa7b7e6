import { MINUTE_MS } from '@plimsoll/contract/rules/durations';

/** Drops the seconds: "for 7 min" means at least 7. */
export const wholeMinutes = (ms: number): number => Math.floor(ms / MINUTE_MS) * MINUTE_MS;

/** Returns a length of time in its two largest units: `45 s`, `12 min`, `3 h 5 min`, `2 d 4 h`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${String(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${String(minutes)} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${String(hours)} h` : `${String(hours)} h ${String(minutes % 60)} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${String(days)} d` : `${String(days)} d ${String(hours % 24)} h`;
}
