import { DAY_MS } from '@plimsoll/contract/rules/durations';
import type { NoForecastReason } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import type { DiskForecast } from '@plimsoll/contract/wire/servers';
import { ageText } from '../time/age.ts';
import { day, dayAndTime } from '../time/zone.ts';
import { escapeInvisible } from './escape-invisible.ts';
import { bytesQuantity } from './figures.ts';

/** Follows "N/A, ". */
const REASONS: Record<NoForecastReason, string> = {
  over_line: 'over its line',
  no_recent_report: 'no recent report',
  too_little_history: 'too little history',
  not_growing: 'not growing',
  no_steady_trend: 'no steady trend',
  too_far_ahead: 'too far ahead',
};
const EXPLAINED: Record<NoForecastReason, string> = {
  over_line: 'Its use is over the line already.',
  no_recent_report: 'The server has not reported for two hours.',
  too_little_history: 'A forecast needs 4 h of history.',
  not_growing: 'Its use does not grow.',
  no_steady_trend: 'Its use changes too irregularly for a forecast.',
  too_far_ahead: 'It grows too slowly to reach the line within ten times its history.',
};
const CLEAR: ReadonlySet<NoForecastReason> = new Set(['not_growing', 'too_far_ahead']);
const FIRST_HISTORY = 'The first history is stored within half an hour.';

/** A forecast in this many milliseconds is about an hour of a day, not only a day. */
const NEAR_MS = 48 * 3_600_000;
const HOURS_OF_HISTORY = 72;

export interface ForecastWords {
  /** "in 6 d"; null without a forecast. */
  text: string | null;
  reason: string | null;
  /** The forecast is that nothing fills up: no figure is missing. */
  isClear: boolean;
  /** Whole sentences for the tooltip. */
  detail: string;
}

/** Below it a tenth of a day matters, and the alert about the same disk names it. */
const TENTHS_BELOW_DAYS = 4;

/** Returns "in 6 d", "in 2.6 d" or "in 5 h", the time left until `reachesAt` (ISO). */
export function timeLeft(reachesAt: string, now: number): string {
  const left = Date.parse(reachesAt) - now;
  if (left < DAY_MS) return `in ${ageText(left / 1000)}`;
  const tenths = Math.round((left / DAY_MS) * 10) / 10;
  return `in ${String(tenths < TENTHS_BELOW_DAYS ? tenths : Math.round(left / DAY_MS))} d`;
}

/** Returns the sentence about the growth; none if the API does not send it, because that is not nought. */
function growthWords({ growth_bytes_per_day: growth }: DiskForecast): string[] {
  if (growth === null) return [];
  const { value, unit } = bytesQuantity(growth);
  return [`It grows by ${value} ${unit} a day.`];
}
function historyWords({ based_on_hours: hours }: DiskForecast): string {
  if (hours === null) return '';
  const history = hours < HOURS_OF_HISTORY ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`;
  return `, from ${history} of history`;
}

/** Returns the words of a forecast; null is a server without history. */
export function forecastWords(forecast: DiskForecast | null, now: number): ForecastWords {
  if (forecast === null)
    return { text: null, reason: REASONS.too_little_history, isClear: false, detail: FIRST_HISTORY };
  const { mount, line, reason, reaches_at: reachesAt, confidence } = forecast;
  const place = escapeInvisible(mount);
  if (reachesAt === null) {
    const why = reason ?? 'no_steady_trend';
    return { text: null, reason: REASONS[why], isClear: CLEAR.has(why), detail: `${place}: ${EXPLAINED[why]}` };
  }
  const at = Date.parse(reachesAt);
  return {
    text: timeLeft(reachesAt, now),
    reason: null,
    isClear: false,
    detail: [
      `${place} reaches its line of ${line} % about ${at - now < NEAR_MS ? dayAndTime(at) : day(at)}.`,
      ...growthWords(forecast),
      `Confidence: ${confidence ?? 'low'}${historyWords(forecast)}.`,
      `Last use: ${dayAndTime(Date.parse(forecast.as_of))}.`,
    ].join(' '),
  };
}

/** Orders forecasts, soonest first; servers without one last. */
export const byForecast = (a: DiskForecast | null, b: DiskForecast | null): number =>
  (a?.reaches_at ?? '\uffff').localeCompare(b?.reaches_at ?? '\uffff');
