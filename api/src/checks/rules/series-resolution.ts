import type { RollupLevel } from '../types.ts';

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
/** Points of a chart, at most. */
const POINTS = 240;
/** Results of longer ranges are read from their 5-minute buckets: 50 places would be too many rows. */
const RAW_HOURS = 6;
const WEEK_HOURS = 168;

export interface Resolution {
  /** `results`: as they were measured. */
  source: 'results' | RollupLevel;
  /** Length of a point, a whole number of the buckets that it is made of. */
  stepMs: number;
}

/** Returns what a chart of so many hours is made of. */
export function resolutionOf(hours: number): Resolution {
  const source = hours <= RAW_HOURS ? 'results' : hours <= WEEK_HOURS ? '5m' : '1h';
  const unitMs = source === 'results' ? MINUTE_MS : source === '5m' ? 5 * MINUTE_MS : HOUR_MS;
  return { source, stepMs: Math.max(1, Math.ceil((hours * HOUR_MS) / POINTS / unitMs)) * unitMs };
}
