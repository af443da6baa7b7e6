import { METRIC_SCALES, type AlertUnit, type MetricScale } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { escapeInvisible } from './escape-invisible.ts';
import { numberText, plural } from './figures.ts';

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
};
const STATE = { short: '', places: 0 } as const;

/** Returns whether the value of an alert is at its line or worse. */
export function isPastLine(alert: Pick<Alert, 'metric_name' | 'current_value' | 'threshold_value'>): boolean {
  const { metric_name: metric, current_value: value, threshold_value: line } = alert;
  if (value === null || line === null) return false;
  return METRICS.get(metric)?.isWorseWhenLower === true ? value <= line : value >= line;
}

/** Current value and threshold as written, with the unit; the unknown is null. */
export function alertFigure(alert: Pick<Alert, 'metric_name' | 'current_value' | 'threshold_value'>) {
  const unit = METRICS.get(alert.metric_name)?.unit ?? null;
  const { short, places } = unit === null ? STATE : FIGURES[unit];
  const written = (value: number | null) => numberText(value, Number.isInteger(value) ? 0 : places);
  return {
    value: written(alert.current_value),
    threshold: written(alert.threshold_value),
    unit: short,
    percent: unit === '%',
  };
}

/** The worst level first, the newest first within a level. */
export const byLevel = (a: Pick<Alert, 'level' | 'timestamp'>, b: Pick<Alert, 'level' | 'timestamp'>): number =>
  ALERT_LEVELS.indexOf(a.level) - ALERT_LEVELS.indexOf(b.level) || b.timestamp - a.timestamp;

/** Keeps a number and its unit in one line. */
export const unbroken = (text: string): string => text.replaceAll(/(\d) (%|(?:s|min|h|d)\b)/g, '$1\u00A0$2');

type Caused = Pick<Alert, 'metric_name' | 'message' | 'status' | 'incident' | 'kubernetes' | 'tags'>;

/** "14 alerts below it": how many alerts this one explains; null: none. */
export const belowWords = ({ incident }: Pick<Alert, 'incident'>): string | null =>
  incident === null || incident.below === 0 ? null : `${plural(incident.below, 'alert')} below it`;

/** Returns what a row says first: "web-01 is down" for the cause of an incident, else the message. */
export function alertHeadline(alert: Caused): string {
  const { metric_name: metric, kubernetes, tags } = alert;
  const verb = alert.status === 'resolved' ? 'was' : 'is';
  if (belowWords(alert) !== null && metric === 'offline') return `${escapeInvisible(tags.hostname)} ${verb} down`;
  if (belowWords(alert) !== null && metric === 'node_not_ready')
    return `Node ${escapeInvisible(kubernetes?.name ?? tags.hostname)} ${verb} not ready`;
  return escapeInvisible(alert.message);
}
