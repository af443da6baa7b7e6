import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { SERIES_BUCKETS } from '@plimsoll/contract/rules/limits';
import { rangeBounds } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';

const FEWEST_BUCKETS = 10;

/** Width of a bucket in seconds: 300 up to 1 h, 900 up to 6 h, 1800 up to 12 h, else 3600. */
export function bucketSeconds(rangeSeconds: number): number {
  if (rangeSeconds <= HOUR_SECONDS) return 300;
  if (rangeSeconds <= 6 * HOUR_SECONDS) return 900;
  return rangeSeconds <= 12 * HOUR_SECONDS ? 1800 : 3600;
}

/** Returns the number of buckets that gives the range this bucket width: rounding outwards adds one. */
export function bucketCount(range: TimeRange): number {
  const { from, to } = rangeBounds(range, 0);
  const count = Math.ceil((to - from) / bucketSeconds(to - from)) + 1;
  return Math.min(SERIES_BUCKETS.max, Math.max(FEWEST_BUCKETS, count));
}
