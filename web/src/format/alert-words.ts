import { METRIC_SCALES, type AlertUnit, type MetricScale } from '@plimsoll/contract/rules/alert-metric-scales';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { numberText } from './figures.ts';

/** By the name on the wire: an API that is newer than the page has names that the page has not. */
const METRICS: ReadonlyMap<string, MetricScale> = new Map(Object.entries(METRIC_SCALES));
/** Counts stand alone, because their message names what it counts. `places`: of a value that is not whole. */
const FIGURES: Readonly<Record<NonNullable<AlertUnit>, { short: string; places: 0 | 1 }>> = {
  '%': { short: '%', places: 1 },
  days: { short: 'd', places: 1 },
  'per core': { short: '', places: 1 },
  'errors/s': { short: '/s', places: 1 },
  s: { short: 's', places: 0 },
  pods: { short: '', places: 0 },
  restarts: { short: '', places: 0 },
  'OOM kills': { short: '', places: 0 },
  jobs: { short: '', places: 0 },
  updates: { short: '', places: 0 },
  '°C': { short: '°C', places: 0 },
  ms: { short: 'ms', places: 0 },
};
const STATE = { short: '', places: 0 } as const;

/** Returns true for a metric whose alert fires at or below its line, such as the days until a disk is full. */
export const isWorseWhenLower = (metric: string): boolean => METRICS.get(metric)?.isWorseWhenLower === true;

/** Returns whether the value of an alert is at its line or worse. */
export function isPastLine(alert: Pick<Alert, 'metric_name' | 'current_value' | 'threshold_value'>): boolean {
  const { metric_name: metric, current_value: value, threshold_value: line } = alert;
  if (value === null || line === null) return false;
  return isWorseWhenLower(metric) ? value <= line : value >= line;
}

const MOST_PLACES = 3;
/** Returns the least places from `least` on that do not write a value as nought: a rule may watch 0.01 errors a second. */
function placesOf(value: number, least: number): number {
  let places = least;
  while (places < MOST_PLACES && Number(value.toFixed(places)) === 0) places += 1;
  return places;
}

/** Current value and threshold as written, with the unit; the unknown is null. */
export function alertFigure(alert: Pick<Alert, 'metric_name' | 'current_value' | 'threshold_value'>) {
  const unit = METRICS.get(alert.metric_name)?.unit ?? null;
  const { short, places } = unit === null ? STATE : FIGURES[unit];
  const written = (value: number | null) =>
    numberText(value, value === null || Number.isInteger(value) ? 0 : placesOf(value, places));
  return {
    value: written(alert.current_value),
    threshold: written(alert.threshold_value),
    unit: short,
    percent: unit === '%',
  };
}

/** Returns true if an alert has no figure that could be missing: its metric is a state, such as offline. */
export const isState = (alert: Pick<Alert, 'metric_name' | 'current_value' | 'threshold_value'>): boolean =>
  METRICS.get(alert.metric_name)?.unit === null || (alert.current_value === null && alert.threshold_value === null);

/** Keeps a number and its unit in one line. */
export const unbroken = (text: string): string => text.replaceAll(/(\d) (%|(?:s|min|h|d)\b)/g, '$1\u00A0$2');

/** "14 more caused by it": how many alerts this one explains; null: none. "Below" is the word for headroom. */
export const belowWords = ({ incident }: Pick<Alert, 'incident'>): string | null =>
  incident === null || incident.below === 0 ? null : `${numberText(incident.below)} more caused by it`;
