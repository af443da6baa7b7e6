import type { ForecastOfUse, Reading } from '../alert-metric.ts';

/** Vocabulary of the forecasts of filesystems and memory, for both sides of the wire. */

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
const tenths = (days: number): number => Math.round(days * 10) / 10;
const timeLeft = (days: number): string =>
  days < HOURS_BELOW_DAYS ? `${String(Math.round(days * 24))} h` : `${String(tenths(days))} days`;

/**
 * Returns the reading of a forecast: what stopped growing is well, what has no forecast unknown. What is over its line has
 * nothing left to forecast: the alert of its use says so. `name`: the subject in a sentence.
 */
export function forecastReading(subject: string, forecast: ForecastOfUse, name = subject): Reading {
  if (forecast === 'unknown') return { subject, value: null };
  if (forecast === 'isCalm') return { subject, value: null, isHarmless: true };
  const { days, linePercent } = forecast;
  const line = `its line of ${String(linePercent)} %`;
  if (days === null) return { subject, value: null, isHarmless: true, ending: `${name} reached ${line}` };
  // Rounded once, so that the figure beside the sentence is the one in it.
  return { subject, value: tenths(days), detail: `${name} reaches ${line} in ${timeLeft(days)}` };
}
