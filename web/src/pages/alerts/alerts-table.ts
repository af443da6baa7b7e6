import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import type { ExportTable } from '../../components/export/export-file.ts';

/** Returns one row per alert, with the names of the API. */
export const alertsTable = (alerts: readonly Alert[]): ExportTable => ({
  columns: [
    'alert_id',
    'time',
    'level',
    'status',
    'host',
    'metric_name',
    'current_value',
    'threshold_value',
    'message',
    'resolved_at',
    'acknowledged_at',
    'acknowledged_by',
    'silenced_until',
  ],
  rows: alerts.map((alert) => [
    alert.alert_id,
    new Date(alert.timestamp * 1000).toISOString(),
    alert.level,
    alert.status,
    alert.tags.hostname,
    alert.metric_name,
    alert.current_value,
    alert.threshold_value,
    alert.message,
    alert.resolved_at,
    alert.acknowledged_at,
    alert.acknowledged_by,
    alert.silenced_until,
  ]),
});
