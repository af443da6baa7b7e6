import { clockTime, dayAndTime, shortDay } from '../../../time/zone.ts';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const STEPS = [
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
  60 * DAY,
  90 * DAY,
  180 * DAY,
];

/** From here on the axis names days, not times. */
const NAMES_DAYS_FROM_SECONDS = 2 * DAY;
/** A day and the bucket its ends are rounded to still names times only. */
const TIMES_ONLY_SECONDS = 26 * HOUR;

/** A moment as the cursor names it: with its day when the chart shows more than one. */
export const momentName = (at: number, span: number): string =>
  span <= TIMES_ONLY_SECONDS ? clockTime(at * 1000) : dayAndTime(at * 1000);

/** A moment as the time axis names it. */
export const tickName = (at: number, span: number): string =>
  span < NAMES_DAYS_FROM_SECONDS ? momentName(at, span) : shortDay(at * 1000);

/**
 * Moments (epoch seconds) to name on a time axis: round in local time, at most `most`.
 * `offsetSeconds` is the zone's distance from UTC.
 */
export function timeTicks(from: number, to: number, most: number, offsetSeconds: number): number[] {
  const span = to - from;
  const step = STEPS.find((each) => span / each <= Math.max(1, most)) ?? 365 * DAY;
  const first = Math.ceil((from + offsetSeconds) / step) * step - offsetSeconds;
  const count = Math.floor((to - first) / step) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * step);
}
