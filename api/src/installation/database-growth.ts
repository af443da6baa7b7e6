import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { DatabaseSize } from './types.ts';

export type Growth =
  | { bytesPerDay: number; measuredFrom: number; reason: null }
  | { bytesPerDay: null; measuredFrom: null; reason: string };

/**
 * Returns the growth between the first and the last stored size, oldest first. Less than a day proves nothing: once a
 * day the oldest partitions are removed.
 */
export function databaseGrowth(history: readonly DatabaseSize[]): Growth {
  const [first, last] = [history[0], history.at(-1)];
  const spanMs = (last?.at ?? 0) - (first?.at ?? 0);
  if (first === undefined || last === undefined || spanMs < DAY_MS)
    return { bytesPerDay: null, measuredFrom: null, reason: 'The growth needs the sizes of one day.' };
  return { bytesPerDay: ((last.bytes - first.bytes) / spanMs) * DAY_MS, measuredFrom: first.at, reason: null };
}

/** Returns the days until the growth has used up the free space, or why they are unknown. */
export function daysUntilFull(
  growth: Growth,
  free: { bytes: number | null; reason: string | null },
): { days: number | null; reason: string | null } {
  if (free.bytes === null) return { days: null, reason: free.reason };
  if (growth.bytesPerDay === null) return { days: null, reason: growth.reason };
  if (growth.bytesPerDay <= 0) return { days: null, reason: 'The database does not grow.' };
  return { days: free.bytes / growth.bytesPerDay, reason: null };
}
