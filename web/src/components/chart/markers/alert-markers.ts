import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { momentMs } from '../../../time/age.ts';
import type { BandName } from '../points/series-shape.ts';
import type { ChartMarker } from './cluster-markers.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';

const TONE = { critical: 'over', error: 'over', warning: 'near', info: 'info' } as const;

/** Alerts as marks under a chart: from when they fired until they resolved, or until now. */
export const alertMarkers = (alerts: readonly Alert[], nowMs: number): ChartMarker[] =>
  alerts.map((alert) => ({
    id: alert.alert_id,
    from: alert.timestamp,
    to: (momentMs(alert.resolved_at) ?? nowMs) / 1000,
    tone: alert.status === 'resolved' && alert.level === 'info' ? ('quiet' as const) : TONE[alert.level],
    words: `${escapeInvisible(alert.tags.hostname)}: ${escapeInvisible(alert.message)}`,
  }));

const CHART = new Map<string, BandName>([
  ['cpu_usage', 'cpu'],
  ['memory_usage', 'memory'],
  ['disk_usage', 'disk'],
  ['io_wait', 'io_wait'],
  ['iops', 'iops'],
]);

/** The alerts of a chart's own metric; the first chart also carries those of what has no chart. */
export const alertsOfChart = (alerts: readonly Alert[], name: BandName): Alert[] =>
  alerts.filter(({ metric_name: metric }) => (CHART.get(metric) ?? 'cpu') === name);
