import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import { clockTime, dayAndTime, shortDay } from '../../../time/zone.ts';

const STEPS = [
  MINUTE_SECONDS,
  5 * MINUTE_SECONDS,
  10 * MINUTE_SECONDS,
  15 * MINUTE_SECONDS,
  30 * MINUTE_SECONDS,
  HOUR_SECONDS,
  2 * HOUR_SECONDS,
  3 * HOUR_SECONDS,
  6 * HOUR_SECONDS,
  12 * HOUR_SECONDS,
  DAY_SECONDS,
  2 * DAY_SECONDS,
  7 * DAY_SECONDS,
  14 * DAY_SECONDS,
  30 * DAY_SECONDS,
  60 * DAY_SECONDS,
  90 * DAY_SECONDS,
  180 * DAY_SECONDS,
];

/** From here on the axis names days, not times. */
const NAMES_DAYS_FROM_SECONDS = 2 * DAY_SECONDS;
/** A day and the bucket its ends are rounded to still names times only. */
const TIMES_ONLY_SECONDS = 26 * HOUR_SECONDS;

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
  const step = STEPS.find((each) => span / each <= Math.max(1, most)) ?? 365 * DAY_SECONDS;
  const first = Math.ceil((from + offsetSeconds) / step) * step - offsetSeconds;
  const count = Math.floor((to - first) / step) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, index) => first + index * step);
}
