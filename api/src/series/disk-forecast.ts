import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { diskTrend } from './disk-trend.ts';
import type { DiskForecast, DiskTrend, FilesystemPoint } from './types.ts';

/** A trend says nothing about a future longer than this multiple of the history it was found in. */
const MOST_AHEAD = 10;

export interface FilesystemState {
  usedBytes: number;
  /** used + available, as in df: the reserved blocks of root are not counted. */
  capacityBytes: number;
  /** The load line, per cent of the capacity. */
  linePercent: number;
}

/** Returns when a filesystem reaches its line; times are epoch milliseconds. */
export function forecastOf(trend: DiskTrend | null, state: FilesystemState, now: number): DiskForecast {
  const { usedBytes, capacityBytes, linePercent } = state;
  const lineBytes = (capacityBytes * linePercent) / 100;
  if (capacityBytes > 0 && usedBytes >= lineBytes) return { kind: 'none', reason: 'over_line' };
  if (trend === null) return { kind: 'none', reason: 'too_little_history' };
  if (trend.kind === 'none') return trend;
  const level = trend.levelBytes + (trend.bytesPerDay * (now - trend.levelAt)) / DAY_MS;
  const reachesAt = now + (Math.max(0, lineBytes - level) / trend.bytesPerDay) * DAY_MS;
  if (reachesAt - now > MOST_AHEAD * trend.spanMs) return { kind: 'none', reason: 'too_far_ahead' };
  const { bytesPerDay, confidence, spanMs } = trend;
  return { kind: 'reaches', reachesAt, bytesPerDay, confidence, basedOnMs: spanMs };
}

/**
 * Returns the forecast from stored points (oldest first, bytes at epoch milliseconds) and the line in per cent. It is
 * `diskTrend` and `forecastOf` in one step.
 */
export const forecastFromHistory = (
  points: readonly FilesystemPoint[],
  state: FilesystemState,
  now: number,
): DiskForecast => forecastOf(diskTrend(points, state.capacityBytes, now), state, now);
