import { ALERT_LEVELS } from '@plimsoll/contract/rules/limits';
import type { Alert } from '@plimsoll/contract/wire/alerts';
import { escapeInvisible } from './escape-invisible.ts';
import { numberText, plural } from './figures.ts';

const PER_CENT = new Set(['cpu_usage', 'memory_usage', 'disk_usage', 'io_wait', 'swap_usage', 'inode_usage']);
/** Units beside a bare number; the message of a count names what it counts. */
const UNITS: Readonly<Record<string, string>> = { disk_forecast: 'd', network_errors: '/s' };
/** Metrics that are worse when lower: their alerts fire at or below the line. */
export const WORSE_WHEN_LOWER: ReadonlySet<string> = new Set(['disk_forecast']);

/** Returns whether the value of an alert is at its line or worse. */
export function isPastLine(alert: Pick<Alert, 'metric_name' | 'current_value' | 'threshold_value'>): boolean {
  const { metric_name: metric, current_value: value, threshold_value: line } = alert;
  if (value === null || line === null) return false;
  return WORSE_WHEN_LOWER.has(metric) ? value <= line : value >= line;
}

/** Current value and threshold as written, with the unit; the unknown is null. */
export function alertFigure(alert: Pick<Alert, 'metric_name' | 'current_value' | 'threshold_value'>) {
  const percent = PER_CENT.has(alert.metric_name);
  const given = percent ? '%' : UNITS[alert.metric_name];
  const places = given !== undefined && !Number.isInteger(alert.current_value) ? 1 : 0;
  return {
    value: numberText(alert.current_value, places),
    threshold: numberText(alert.threshold_value),
    unit: given ?? '',
    percent,
  };
}

/** The worst level first, the newest first within a level. */
export const byLevel = (a: Pick<Alert, 'level' | 'timestamp'>, b: Pick<Alert, 'level' | 'timestamp'>): number =>
  ALERT_LEVELS.indexOf(a.level) - ALERT_LEVELS.indexOf(b.level) || b.timestamp - a.timestamp;

type Caused = Pick<Alert, 'metric_name' | 'message' | 'incident' | 'kubernetes' | 'tags'>;

/** "14 alerts below it": how many alerts this one explains; null: none. */
export const belowWords = ({ incident }: Pick<Alert, 'incident'>): string | null =>
  incident === null || incident.below === 0 ? null : `${plural(incident.below, 'alert')} below it`;

/** Returns what a row says first: "web-01 is down" for the cause of an incident, else the message. */
export function alertHeadline(alert: Caused): string {
  const { metric_name: metric, kubernetes, tags } = alert;
  if (belowWords(alert) !== null && metric === 'offline') return `${escapeInvisible(tags.hostname)} is down`;
  if (belowWords(alert) !== null && metric === 'node_not_ready')
    return `Node ${escapeInvisible(kubernetes?.name ?? tags.hostname)} is not ready`;
  return escapeInvisible(alert.message);
}
