import { DAY_MS, HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { FilesystemUse, ForecastOfUse, ReadingContext } from '@plimsoll/contract/rules/alert-metric';
import { forecastOf } from '../../series/disk-forecast.ts';
import type { DiskTrend } from '../../series/types.ts';
import { diskLineOf, STALE_TREND_MS, type ForecastRules } from '../../servers/disk-forecasts.ts';
import type { KnownAlertState } from '../types.ts';

/** The growth of memory is computed each hour; of a large fleet it takes two. */
export const STALE_MEMORY_MS = 4 * HOUR_MS;

/** Returns what rules read besides the report: forecasts against the lines in force for the server. */
export const readingContext = (
  { diskTrends, memoryTrend }: Pick<KnownAlertState, 'diskTrends' | 'memoryTrend'>,
  rules: ForecastRules,
  now: number,
): ReadingContext => ({
  forecast: (use) => {
    const stored = diskTrends.find(({ mount }) => mount === use.mount);
    const isFresh = stored !== undefined && now - stored.at <= STALE_TREND_MS;
    return forecastOfUse(isFresh ? stored.trend : null, use, diskLineOf(rules, use.mount), now);
  },
  memoryForecast: (use) => {
    const isFresh = memoryTrend !== null && now - memoryTrend.at <= STALE_MEMORY_MS;
    return forecastOfUse(isFresh ? memoryTrend.trend : null, use, rules.lines.memory.warning, now);
  },
});

function forecastOfUse(
  trend: DiskTrend | null,
  { usedBytes, capacityBytes }: Omit<FilesystemUse, 'mount'>,
  linePercent: number,
  now: number,
): ForecastOfUse {
  const forecast = forecastOf(trend, { usedBytes, capacityBytes, linePercent }, now);
  // A few hours of growth may be a backup or an installation: they announce nothing to anybody.
  if (forecast.kind === 'reaches')
    return forecast.confidence === 'low' ? 'unknown' : { days: (forecast.reachesAt - now) / DAY_MS, linePercent };
  if (forecast.reason === 'over_line') return { days: null, linePercent };
  return forecast.reason === 'too_little_history' ? 'unknown' : 'isCalm';
}
