import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { SERIES_BUCKETS } from '@plimsoll/contract/rules/limits';

/** Bucket widths in seconds that divide hours and days, so that buckets of two answers line up. */
const STEPS = [60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 604_800] as const;

export interface Buckets {
  bucketSeconds: number;
  /** Start of the first bucket and end of the last, milliseconds, on whole buckets of UTC. */
  from: number;
  to: number;
}

/** The narrowest step that cuts the range into at most `most` buckets; `from` and `to` widened to whole ones. */
export function bucketsFor(from: number, to: number, most: number = SERIES_BUCKETS.default): Buckets {
  const seconds = Math.max(1, (to - from) / 1000);
  // One bucket may be added at each end by rounding outwards.
  const bucketSeconds = STEPS.find((step) => seconds / step <= most - 1) ?? Math.ceil(seconds / (most - 1));
  const width = bucketSeconds * 1000;
  return { bucketSeconds, from: Math.floor(from / width) * width, to: Math.ceil(to / width) * width };
}

/** A day, and the buckets that rounding adds. */
const SUMMED_SECONDS = 26 * HOUR_SECONDS;
/** PostgreSQL sums so many rows in about a second. */
const MOST_SUMMED_ROWS = 400_000;
/** Seconds between the stored rows that make up a bucket: hourly and 5-minute rollups, or single reports. */
const rowSeconds = (bucketSeconds: number): number =>
  [HOUR_SECONDS, 300].find((seconds) => bucketSeconds % seconds === 0) ?? 60;

/**
 * Sums over some servers are not stored. Over more than a day their buckets are at least an hour long, so that the hourly
 * rollups make them. They are wider, up to an hour, where so many servers would have too many rows.
 */
export function widenedForSums(buckets: Buckets, servers: number): Buckets {
  const seconds = (buckets.to - buckets.from) / 1000;
  const least = seconds > SUMMED_SECONDS ? Math.max(buckets.bucketSeconds, HOUR_SECONDS) : buckets.bucketSeconds;
  const isQuick = (step: number): boolean => (servers * seconds) / rowSeconds(step) <= MOST_SUMMED_ROWS;
  const bucketSeconds =
    [least, ...STEPS.filter((step) => step > least && step <= HOUR_SECONDS)].find(
      (step, index, all) => isQuick(step) || index === all.length - 1,
    ) ?? least;
  if (bucketSeconds === buckets.bucketSeconds) return buckets;
  const width = bucketSeconds * 1000;
  return { bucketSeconds, from: Math.floor(buckets.from / width) * width, to: Math.ceil(buckets.to / width) * width };
}

/** The last `hours` in at most `most` whole buckets, the one still open among them: nothing is added at the ends. */
export function recentBuckets(now: number, hours: number, most: number): Buckets {
  const seconds = hours * 3600;
  const bucketSeconds = STEPS.find((step) => seconds / step <= most) ?? Math.ceil(seconds / most);
  const width = bucketSeconds * 1000;
  const to = (Math.floor(now / width) + 1) * width;
  return { bucketSeconds, from: to - Math.ceil(seconds / bucketSeconds) * width, to };
}

/** Every bucket of the range in order; those without a row are made by `empty`. */
export function fillBuckets<T extends { at: number }>(
  rows: readonly T[],
  buckets: Buckets,
  empty: (at: number) => T,
): T[] {
  const known = new Map(rows.map((row) => [row.at, row]));
  const filled: T[] = [];
  for (let at = buckets.from; at < buckets.to; at += buckets.bucketSeconds * 1000)
    filled.push(known.get(at) ?? empty(at));
  return filled;
}

/**
 * Buckets summed over servers, the one just begun without its sums while it holds fewer samples than the one before it:
 * servers whose report is still to come would show as a dip. A report interval after its beginning all have reported in it.
 */
export function leaveOutEarlySum<T extends { at: number; count: number }>(
  buckets: readonly T[],
  now: number,
  intervalSeconds: number,
  withoutSums: (bucket: T) => T,
): T[] {
  return buckets.map((bucket, index) => {
    const before = buckets[index - 1];
    const justBegun = now < bucket.at + intervalSeconds * 1000;
    return justBegun && before !== undefined && bucket.count < before.count ? withoutSums(bucket) : bucket;
  });
}
