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
