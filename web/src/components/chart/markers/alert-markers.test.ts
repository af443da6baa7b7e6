import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { expect, it } from 'vitest';
import { alertMarkers, alertsOfChart } from './alert-markers.ts';

it('draws an alert from its start to its end, or to now', () => {
  const alert = {
    alert_id: 'a',
    timestamp: 100,
    level: 'warning',
    status: 'active',
    resolved_at: null,
    message: 'CPU above 80 %',
    tags: { hostname: 'web' },
  } as Alert;
  expect(alertMarkers([alert], 200_000)).toEqual([
    { id: 'a', from: 100, to: 200, tone: 'near', words: 'web: CPU above 80 %' },
  ]);
  const ended = { ...alert, status: 'resolved', resolved_at: '1970-01-01T00:02:30.000Z', level: 'critical' } as Alert;
  expect(alertMarkers([ended], 200_000)[0]).toMatchObject({ to: 150, tone: 'over' });
});

it('gives each chart the alerts of its metric, and the first one what has no chart', () => {
  const metrics = ['cpu_usage', 'memory_usage', 'disk_usage', 'io_wait', 'offline', 'anything'];
  const alerts = metrics.map((metric_name) => ({ metric_name }) as Alert);
  const names = (chart: 'cpu' | 'memory' | 'disk' | 'io_wait' | 'iops') =>
    alertsOfChart(alerts, chart).map(({ metric_name }) => metric_name);
  expect(names('cpu')).toEqual(['cpu_usage', 'offline', 'anything']);
  expect(names('memory')).toEqual(['memory_usage']);
  expect(names('disk')).toEqual(['disk_usage']);
  expect(names('io_wait')).toEqual(['io_wait']);
  expect(names('iops')).toEqual([]);
});
