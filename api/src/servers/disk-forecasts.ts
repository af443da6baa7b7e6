import { TREND_STEP_SECONDS } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import { appliesTo } from '../alerts/rules/rules.ts';
import type { ServerRules } from '../alerts/rules/effective-rules.ts';
import { forecastOf } from '../series/disk-forecast.ts';
import type { DiskForecast, FilesystemTrend } from '../series/types.ts';

/** Forecast of one filesystem against the line in force for it. */
export interface MountForecast {
  mount: string;
  /** Time of the newest stored use. */
  at: number;
  linePercent: number;
  forecast: DiskForecast;
}

export type ForecastRules = Pick<ServerRules, 'lines' | 'thresholds'> & { hidden?: ServerRules['hidden'] };

/** A trend says nothing about now when this many points of it are missing. */
export const STALE_TREND_MS = 4 * TREND_STEP_SECONDS * 1000;

/** Forecasts of one server without its hidden filesystems, the one that fills first at the front. */
export const diskForecasts = (trends: readonly FilesystemTrend[], rules: ForecastRules, now: number): MountForecast[] =>
  trends
    .filter(({ mount }) => rules.hidden?.filesystem.has(mount) !== true)
    .map(({ mount, at, usedBytes, capacityBytes, trend }): MountForecast => {
      const linePercent = diskLineOf(rules, mount);
      if (now - at > STALE_TREND_MS)
        return { mount, at, linePercent, forecast: { kind: 'none', reason: 'no_recent_report' } };
      return { mount, at, linePercent, forecast: forecastOf(trend, { usedBytes, capacityBytes, linePercent }, now) };
    })
    .toSorted(byForecast);

/** The lowest line of the rule that applies to the mount, else the line of the server. */
export function diskLineOf({ lines, thresholds }: ForecastRules, mount: string): number {
  const rule = thresholds.find((each) => each.metric === 'disk_usage' && appliesTo(each, mount));
  return rule?.lines[0]?.threshold ?? lines.disk.warning;
}

/** The most useful reason first. */
const REASONS = [
  'over_line',
  'no_recent_report',
  'no_steady_trend',
  'too_little_history',
  'too_far_ahead',
  'not_growing',
] as const;

const rankOf = ({ forecast }: MountForecast): [number, number] =>
  forecast.kind === 'reaches' ? [-1, forecast.reachesAt] : [REASONS.indexOf(forecast.reason), 0];

function byForecast(a: MountForecast, b: MountForecast): number {
  const [[rankA, timeA], [rankB, timeB]] = [rankOf(a), rankOf(b)];
  return rankA - rankB || timeA - timeB || (a.mount < b.mount ? -1 : 1);
}
