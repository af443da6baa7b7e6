import { describe, expect, it } from 'vitest';
import { SAMPLE_ALERT } from '../../testing/sample-alert.ts';
import { alertsTable } from './alerts-table.ts';

const cells = (...alerts: Parameters<typeof alertsTable>[0]) => {
  const { columns, rows } = alertsTable(alerts);
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
};

describe('the export of alerts', () => {
  it('puts each value under its name', () => {
    const [row] = cells({ ...SAMPLE_ALERT, acknowledged_by: 'Mira', acknowledged_at: '2026-11-22T21:00:00.000Z' });
    expect(row).toEqual({
      alert_id: SAMPLE_ALERT.alert_id,
      time: '2026-11-22T20:50:12.000Z',
      level: 'warning',
      status: 'active',
      host: 'build-hel-02',
      metric_name: 'cpu_usage',
      current_value: 91.4,
      threshold_value: 80,
      message: 'CPU 91 %, 11 over for 5 min',
      resolved_at: null,
      acknowledged_at: '2026-11-22T21:00:00.000Z',
      acknowledged_by: 'Mira',
      silenced_until: null,
    });
  });

  it('leaves a value that is not known empty, and keeps a nought', () => {
    const rows = cells({ ...SAMPLE_ALERT, current_value: null }, { ...SAMPLE_ALERT, current_value: 0 });
    expect(rows.map((row) => row['current_value'])).toEqual([null, 0]);
  });
});
