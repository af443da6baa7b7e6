import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';

/** Moving through the stored past. Times are epoch seconds; null is now. */

/** Lengths of the track, in hours: a day, a week, a month, a quarter, and the longest that one call gives. */
export const TRACK_HOURS = [24, 168, 720, 2160, 8760] as const;

/** Returns the shortest track of at least `hours` that holds the moment. */
export const trackHours = (hours: number, at: number | null, now: number): number =>
  TRACK_HOURS.find((each) => each >= hours && (at === null || at >= now - each * HOUR_SECONDS)) ?? TRACK_HOURS[4];

/** Seconds between two stored states at that moment: reports, then the rollups that outlive them. */
export function storedStep(at: number, now: number): number {
  const days = (now - at) / DAY_SECONDS;
  if (days < RETENTION_DAYS.raw) return MINUTE_SECONDS;
  return days < RETENTION_DAYS.fiveMinutes ? 5 * MINUTE_SECONDS : HOUR_SECONDS;
}

/** Returns the stored state at or before the moment; null from the newest one on. Never before `from`. */
export function snapMoment(at: number, from: number, now: number): number | null {
  const step = storedStep(Math.max(at, from), now);
  if (at > now - step / 2) return null;
  const snapped = Math.floor(at / step) * step;
  return snapped < from ? Math.ceil(from / step) * step : snapped;
}

interface Track {
  from: number;
  now: number;
  /** Alerts and events, by which Shift with an arrow key jumps. */
  marks: readonly number[];
}

/** Keys that move by many steps of a minute; a coarser step moves as many of its own. */
const PAGE_STEPS = 60;

function stepOf(key: string, step: number): number | null {
  if (key === 'ArrowLeft' || key === 'ArrowDown') return -step;
  if (key === 'ArrowRight' || key === 'ArrowUp') return step;
  if (key === 'PageDown') return -step * PAGE_STEPS;
  return key === 'PageUp' ? step * PAGE_STEPS : null;
}

function markFrom(here: number, isBack: boolean, { now, from, marks }: Track): number | null | undefined {
  const stored = marks.map((mark) => snapAfter(mark, from, now)).filter((mark) => mark !== null);
  const next = isBack ? stored.findLast((mark) => mark < here) : stored.find((mark) => mark > here);
  return next ?? (isBack ? undefined : null);
}

/** Returns the first stored state that a mark is part of: what happened in a minute is known at its end. */
export function snapAfter(mark: number, from: number, now: number): number | null {
  const step = storedStep(mark, now);
  return snapMoment(Math.ceil(mark / step) * step, from, now);
}

/** Returns the moment that a key leads to, null for now; undefined if the key does not move. */
export function movedMoment(
  { key, shiftKey }: { key: string; shiftKey: boolean },
  at: number | null,
  track: Track,
): number | null | undefined {
  const { from, now } = track;
  const here = at ?? now;
  if (key === 'Home') return snapMoment(from, from, now);
  if (key === 'End') return null;
  if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) return markFrom(here, key === 'ArrowLeft', track);
  const by = stepOf(key, storedStep(here, now));
  if (by === null) return undefined;
  return snapMoment(Math.max(from, here + by), from, now);
}
