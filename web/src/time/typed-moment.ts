import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { momentOf, momentText } from './moment-input.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const;
/** Words that may stand before a time: "what ran at 03:12". */
const LEAD = /^(?:what ran|processes)?\s*(?:at)?\s*/;
const CLOCK = /^(?:(today|yesterday)\s+)?(\d{1,2}):(\d\d)\??$/;
const ISO = /^(\d{4}-\d\d-\d\d)[t ]\s*(\d{1,2}):(\d\d)\??$/;
const DAY_OF_MONTH = /^(\d{1,2}) ([a-z]{3})[a-z]*\.? (\d{1,2}):(\d\d)\??$/;

const two = (number: string | number): string => String(number).padStart(2, '0');
const dayOf = (at: number): string => momentText(at).slice(0, 'yyyy-mm-dd'.length);
const utcDate = (ms: number): string | null =>
  Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length) : null;
/** A date has no zone: a day of 25 hours, on which clocks go back, has one day before it as any other. */
const dayBefore = (date: string): string => utcDate(Date.parse(`${date}T00:00:00Z`) - DAY_MS) ?? date;
/** "2026-02-31" would be read as a day in March. */
const isDate = (date: string): boolean => utcDate(Date.parse(`${date}T00:00:00Z`)) === date;
const atTime = (date: string, hour: string, minute: string): number | null =>
  !isDate(date) || Number(hour) > 23 || Number(minute) > 59 ? null : momentOf(`${date}T${two(hour)}:${minute}`);

/** Returns the moment on the date of this or the last year that is not in the future. */
function onDate(day: string, month: string, hour: string, minute: string, now: number): number | null {
  const index = MONTHS.indexOf(month as (typeof MONTHS)[number]);
  if (index < 0) return null;
  const year = Number(dayOf(now).slice(0, 'yyyy'.length));
  const of = (chosen: number) => atTime(`${chosen}-${two(index + 1)}-${two(day)}`, hour, minute);
  const at = of(year);
  return at === null || at > now ? of(year - 1) : at;
}

/**
 * Returns the past moment that a typed text names, epoch seconds in the chosen zone: "03:12", "what ran at 3:12",
 * "yesterday 03:12", "19 Nov 03:12", "2026-11-19 03:12". Null if it names none. A time alone is the last one of that name.
 */
export function typedMoment(text: string, nowMs: number): number | null {
  const words = text.trim().toLowerCase().replace(LEAD, '');
  const now = nowMs / 1000;
  const [, day, hour = '', minute = ''] = CLOCK.exec(words) ?? [];
  if (minute !== '') {
    const today = atTime(dayOf(now), hour, minute);
    const isBefore = day === 'yesterday' || (day === undefined && today !== null && today > now);
    const at = isBefore ? atTime(dayBefore(dayOf(now)), hour, minute) : today;
    return at === null || at > now ? null : at;
  }
  const iso = ISO.exec(words);
  const dated = DAY_OF_MONTH.exec(words);
  const [, date = '', isoHour = '', isoMinute = ''] = iso ?? [];
  const [, dayOfMonth = '', month = '', datedHour = '', datedMinute = ''] = dated ?? [];
  const at =
    iso === null
      ? dated === null
        ? null
        : onDate(dayOfMonth, month, datedHour, datedMinute, now)
      : atTime(date, isoHour, isoMinute);
  return at === null || at > now ? null : at;
}
