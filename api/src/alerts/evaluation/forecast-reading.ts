import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { FilesystemUse, ForecastOfUse, ReadingContext } from '@plimsoll/contract/rules/alert-metric';
import { forecastOf } from '../../series/disk-forecast.ts';
import type { FilesystemTrend } from '../../series/types.ts';
import { diskLineOf, STALE_TREND_MS, type ForecastRules } from '../../servers/disk-forecasts.ts';

/** Returns what rules read besides the report: the forecast of a filesystem against the line in force for it. */
export const readingContext = (
  trends: readonly FilesystemTrend[],
  rules: ForecastRules,
  now: number,
): ReadingContext => ({
  forecast: (use) =>
    forecastOfUse(
      trends.find(({ mount }) => mount === use.mount),
      use,
      diskLineOf(rules, use.mount),
      now,
    ),
});

function forecastOfUse(
  stored: FilesystemTrend | undefined,
  { usedBytes, capacityBytes }: FilesystemUse,
  linePercent: number,
  now: number,
): ForecastOfUse {
  const isFresh = stored !== undefined && now - stored.at <= STALE_TREND_MS;
  const forecast = forecastOf(isFresh ? stored.trend : null, { usedBytes, capacityBytes, linePercent }, now);
  // A few hours of growth may be a backup or an installation: they announce nothing to anybody.
  if (forecast.kind === 'reaches')
    return forecast.confidence === 'low' ? 'unknown' : { days: (forecast.reachesAt - now) / DAY_MS, linePercent };
  if (forecast.reason === 'over_line') return { days: null, linePercent };
  return forecast.reason === 'too_little_history' ? 'unknown' : 'isCalm';
}
