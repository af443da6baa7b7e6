import { DAY_SECONDS, HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { quantile, statisticsOf, trendPerHour, type Point } from '../ai/statistics.ts';

/** Finds how a series changed before a moment: from which level to which, since when, in a step or gradually. */

const HOURS = 12;
/** An alert fires late, and the point of the moment may be written after it. */
const AFTER_SECONDS = 300;
const FEWEST_POINTS = 6;
/** A step takes at most this long. */
const STEP_SECONDS = 900;

export interface Known {
  at: number;
  value: number;
}
export interface Shift {
  /** First moment of the new level. */
  onset: number;
  was: number;
  is: number;
  /** Crept there, and did not step. */
  gradual: boolean;
  /** Last point looked at. */
  last: number;
}

/** Known points up to the moment, of the last `hours`. */
const before = (points: readonly Point[], at: number, hours = HOURS): Known[] =>
  points.flatMap(({ at: time, value }) =>
    value !== null && time <= at + AFTER_SECONDS && time > at - hours * HOUR_SECONDS ? [{ at: time, value }] : [],
  );

const meanOf = (points: readonly Known[]): number =>
  points.reduce((sum, { value }) => sum + value, 0) / Math.max(1, points.length);

/** Returns null for a series too short to have changed. */
export function shiftOf(points: readonly Point[], at: number, hours = HOURS): Shift | null {
  const known = before(points, at, hours);
  const last = known.at(-1);
  if (known.length < FEWEST_POINTS || last === undefined) return null;
  let start = 0;
  let split = bestSplit(known);
  let height = heightAt(known, 0, split);
  // A step late in the day is small beside the wave of the day: the new level is split again while a step in it is as
  // high as the first.
  for (;;) {
    const rest = known.slice(split);
    if (rest.length < FEWEST_POINTS) break;
    const again = split + bestSplit(rest);
    const next = heightAt(known, split, again);
    if (Math.abs(next) < 0.7 * Math.abs(height)) break;
    [start, split, height] = [split, again, next];
  }
  const [level, is] = [meanOf(known.slice(start, split)), meanOf(known.slice(split))];
  const rise = Math.max(Math.abs(last.value - level), Math.abs(is - level));
  const gradual = !isStepped(known.slice(start), rise);
  return {
    onset: known[split]?.at ?? last.at,
    was: gradual ? level : levelBefore(known.slice(start, split)),
    is,
    last: last.value,
    gradual,
  };
}

/** A step is most of the change, and far more than the series moves all the time. */
function isStepped(points: readonly Known[], rise: number): boolean {
  const moves = points.slice(1).map(({ value }, index) => Math.abs(value - (points[index]?.value ?? value)));
  const usual = moves.length === 0 ? 0 : quantile(moves, 0.5);
  const largest = largestStep(points);
  return largest >= 0.6 * rise && largest >= 5 * usual;
}

/** The level just before a step: what came earlier, such as the night, may have had another. */
function levelBefore(points: readonly Known[]): number {
  if (points.length < FEWEST_POINTS) return meanOf(points);
  const split = bestSplit(points);
  const [early, late] = [points.slice(0, split), points.slice(split)];
  const isTwoLevels = errorOfLevel(early) + errorOfLevel(late) < 0.3 * errorOfLevel(points);
  return isTwoLevels ? meanOf(late) : meanOf(points);
}

function heightAt(points: readonly Known[], from: number, split: number): number {
  return meanOf(points.slice(split)) - meanOf(points.slice(from, split));
}

/** Index at which two means fit best (least squares). Both sides hold two points at least. */
function bestSplit(points: readonly Known[]): number {
  const total = points.reduce((sum, { value }) => sum + value, 0);
  let [left, best, gain] = [0, 2, -Infinity];
  for (let index = 1; index <= points.length - 2; index += 1) {
    left += points[index - 1]?.value ?? 0;
    if (index < 2) continue;
    const right = total - left;
    const explained = left ** 2 / index + right ** 2 / (points.length - index);
    if (explained > gain) [best, gain] = [index, explained];
  }
  return best;
}

function largestStep(points: readonly Known[]): number {
  let [from, largest] = [0, 0];
  for (const { at, value } of points) {
    while ((points[from]?.at ?? at) < at - STEP_SECONDS) from += 1;
    for (const earlier of points.slice(from)) {
      if (earlier.at >= at) break;
      largest = Math.max(largest, Math.abs(value - earlier.value));
    }
  }
  return largest;
}

/** Returns when a growth began: a level before, and a line after it, fit best. */
export function beginningOf(points: readonly Point[], at: number, hours = HOURS): number | null {
  const known = before(points, at, hours);
  if (known.length < FEWEST_POINTS) return null;
  let [best, smallest] = [0, Infinity];
  for (let index = 0; index < known.length - 3; index += 1) {
    const error = errorOfLevel(known.slice(0, index)) + errorOfLine(known.slice(index));
    // Noise alone moves the best split by a little; the earliest of the good ones is where it began.
    if (error < 0.98 * smallest) [best, smallest] = [index, error];
  }
  return known[best]?.at ?? null;
}
function errorOfLevel(points: readonly Known[]): number {
  const mean = meanOf(points);
  return points.reduce((sum, { value }) => sum + (value - mean) ** 2, 0);
}
function errorOfLine(points: readonly Known[]): number {
  const [time, level] = [points.reduce((sum, { at }) => sum + at, 0) / points.length, meanOf(points)];
  const spread = points.reduce((sum, { at }) => sum + (at - time) ** 2, 0);
  const slope =
    spread === 0 ? 0 : points.reduce((sum, { at, value }) => sum + (at - time) * (value - level), 0) / spread;
  return points.reduce((sum, { at, value }) => sum + (value - level - slope * (at - time)) ** 2, 0);
}

/** Growth over the last `hours`, by the trend of all points: a single spike does not move it. */
export function growthOf(
  points: readonly Point[],
  at: number,
  hours = HOURS,
): { from: Known; to: Known; perHour: number } | null {
  const known = before(points, at, hours);
  const [from] = known;
  const to = known.at(-1);
  if (from === undefined || to === undefined || known.length < FEWEST_POINTS) return null;
  return { from, to, perHour: trendPerHour(known) };
}

/** Most points of the last 12 h are above the one before: a wave is not. */
export function isRising(points: readonly Point[], at: number): boolean {
  const known = before(points, at);
  const up = known.filter(({ value }, index) => value >= (known[index - 1]?.value ?? Infinity) - 0.5);
  return up.length >= 0.8 * (known.length - 1);
}

/** Returns the median of the same time of the days before; null where fewer than two days are stored. */
export function usualAt(week: readonly Point[], at: number): number | null {
  const days = [1, 2, 3, 4, 5, 6, 7].flatMap((day) => {
    const near = week.filter(
      ({ at: time, value }) => value !== null && Math.abs(time - (at - day * DAY_SECONDS)) <= HOUR_SECONDS,
    );
    const nearest = near.toSorted(
      (a, b) => Math.abs(a.at - (at - day * DAY_SECONDS)) - Math.abs(b.at - (at - day * DAY_SECONDS)),
    )[0];
    return nearest?.value == null ? [] : [nearest.value];
  });
  return days.length < 2 ? null : quantile(days, 0.5);
}

/** Compares with the usual level of the hour where that is higher: the wave of every day is no rise. */
export function riseOf(points: readonly Point[], week: readonly Point[], at: number): Shift | null {
  const shift = shiftOf(points, at);
  const usual = usualAt(week, at);
  return shift === null || usual === null || usual <= shift.was ? shift : { ...shift, was: usual };
}

/** Change of the daily mean from the first days of the week to the last one, as a factor; null where days are missing. */
export function weeklyFactor(week: readonly Point[], at: number): number | null {
  const mean = (from: number, to: number): number | null =>
    statisticsOf(week.filter(({ at: time }) => time > at - from * DAY_SECONDS && time <= at - to * DAY_SECONDS))
      ?.mean ?? null;
  const [early, late] = [mean(7, 5), mean(1, 0)];
  return early === null || late === null || early <= 0 ? null : late / early;
}
