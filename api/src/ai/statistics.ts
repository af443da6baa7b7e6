import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';

/** Statistics of a series. `at` is epoch seconds; a null value is a gap and takes no part. */
export interface Point {
  at: number;
  value: number | null;
}

export interface Statistics {
  min: number;
  max: number;
  mean: number;
  /** Nearest rank. */
  p95: number;
  first: number;
  last: number;
  /** Change an hour: the median of the slopes of all pairs (Theil–Sen), which a single spike does not move. */
  trend_per_hour: number;
  /** Points that hold a value, and all. */
  known: number;
  points: number;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
const numeric = (a: number, b: number): number => a - b;

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the value of nearest rank, `share` 0–1. `values` must not be empty. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted(numeric);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

/** Pairs are quadratic; beyond this many points each stands for several. */
const MOST_SLOPE_POINTS = 120;

/** Returns the median slope an hour; 0 for fewer than two points. */
export function trendPerHour(points: readonly { at: number; value: number }[]): number {
  const step = Math.ceil(points.length / MOST_SLOPE_POINTS);
  const few = points.filter((_, index) => index % step === 0);
  const slopes = few.flatMap((a, i) =>
    few.slice(i + 1).flatMap((b) => (b.at === a.at ? [] : [((b.value - a.value) / (b.at - a.at)) * HOUR_SECONDS])),
  );
  return slopes.length === 0 ? 0 : quantile(slopes, 0.5);
}

/** Returns null when no point holds a value. */
export function statisticsOf(points: readonly Point[]): Statistics | null {
  const known = points.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return null;
  const values = known.map(({ value }) => value);
  return {
    min: rounded(Math.min(...values)),
    max: rounded(Math.max(...values)),
    mean: rounded(mean(values)),
    p95: rounded(quantile(values, 0.95)),
    first: rounded(first.value),
    last: rounded(last.value),
    trend_per_hour: rounded(trendPerHour(known)),
    known: known.length,
    points: points.length,
  };
}

/** The lowest and the highest sample of a range: the means of buckets hide both. */
export interface Extremes {
  lowest: number | null;
  highest: number | null;
}

/** Returns null for what no bucket holds. */
export function extremesOf(bands: readonly ({ min: number | null; max: number | null } | undefined)[]): Extremes {
  const lows = bands.flatMap((band) => band?.min ?? []);
  const highs = bands.flatMap((band) => band?.max ?? []);
  return {
    lowest: lows.length === 0 ? null : rounded(Math.min(...lows)),
    highest: highs.length === 0 ? null : rounded(Math.max(...highs)),
  };
}

/** Comparison with the same time of the days before. */
export interface Anomaly {
  /** Mean of now, and the median of the means of the days before. */
  mean: number;
  usual: number;
  days: number;
  /** True when now lies outside what the days before did, by far and by more than noise. */
  unusual: boolean;
}

/** A difference below this many points is noise, however quiet the days before were. */
const LEAST_DIFFERENCE = 5;
/** Three standard deviations of a normal distribution, by the median absolute deviation (1.4826 · MAD). */
const FAR = 3 * 1.4826;
/** Fewer days say nothing about what is usual. */
const FEWEST_DAYS = 2;

/** Returns null when now, or at least two of the days before, hold no value. */
export function anomalyOf(now: readonly Point[], daysBefore: readonly (readonly Point[])[]): Anomaly | null {
  const meanOf = (points: readonly Point[]): number | null => statisticsOf(points)?.mean ?? null;
  const today = meanOf(now);
  const days = daysBefore.map(meanOf).filter((value) => value !== null);
  if (today === null || days.length < FEWEST_DAYS) return null;
  const usual = quantile(days, 0.5);
  const spread = quantile(
    days.map((value) => Math.abs(value - usual)),
    0.5,
  );
  const difference = Math.abs(today - usual);
  return {
    mean: today,
    usual: rounded(usual),
    days: days.length,
    unusual: difference >= LEAST_DIFFERENCE && difference > FAR * spread,
  };
}

/** Returns the last moment of a range at which a series stands out most from its level, and by how much. */
export function outstandingIn(
  points: readonly Point[],
  range: { from: number; to: number },
): { at: number; value: number } | null {
  const known = points.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]));
  const inside = known.filter(({ at }) => at >= range.from && at <= range.to);
  if (inside.length === 0) return null;
  const level = quantile(
    known.map(({ value }) => value),
    0.5,
  );
  const distance = ({ value }: { value: number }): number => Math.abs(value - level);
  const most = Math.max(...inside.map(distance));
  const last = inside.findLast((point) => distance(point) >= 0.8 * most);
  return last === undefined ? null : { at: last.at, value: most };
}
