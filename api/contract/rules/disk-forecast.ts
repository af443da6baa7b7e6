import type { ForecastOfUse, Reading } from './alert-metric.ts';

/** Vocabulary of the forecast of a filesystem, for both sides of the wire. */

/** Stored history of a filesystem, and the time between two points of it. */
export const TREND_HISTORY_DAYS = 14;
export const TREND_STEP_SECONDS = 1800;

export const FORECAST_CONFIDENCES = ['high', 'medium', 'low'] as const;
export type ForecastConfidence = (typeof FORECAST_CONFIDENCES)[number];

/** Reasons why a filesystem has no forecast. */
export const NO_FORECAST_REASONS = [
  'over_line',
  'no_recent_report',
  'too_little_history',
  'not_growing',
  'no_steady_trend',
  'too_far_ahead',
] as const;
export type NoForecastReason = (typeof NO_FORECAST_REASONS)[number];

/** Below this a forecast in hours is easier to read. */
const HOURS_BELOW_DAYS = 2;
const timeLeft = (days: number): string =>
  days < HOURS_BELOW_DAYS ? `${String(Math.round(days * 24))} h` : `${days.toFixed(1)} days`;

/**
 * Returns the reading of a filesystem's forecast: one that stopped growing is well, one without a forecast unknown. One
 * over its line has nothing left to forecast: the alert of its use says so.
 */
export function forecastReading(mount: string, forecast: ForecastOfUse): Reading {
  if (forecast === 'unknown') return { subject: mount, value: null };
  if (forecast === 'isCalm') return { subject: mount, value: null, isHarmless: true };
  const { days, linePercent } = forecast;
  const line = `its line of ${String(linePercent)} %`;
  if (days === null) return { subject: mount, value: null, isHarmless: true, ending: `${mount} reached ${line}` };
  return { subject: mount, value: days, detail: `${mount} reaches ${line} in ${timeLeft(days)}` };
}
