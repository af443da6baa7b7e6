import { ALERT_METRICS, ALERT_RULE_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import { describe, expect, it } from 'vitest';
import { alertFigure, byLevel, isPastLine, WORSE_WHEN_LOWER } from './alert-words.ts';

const figure = (metric_name: string, current_value: number | null, threshold_value: number | null) =>
  alertFigure({ metric_name, current_value, threshold_value });

describe('alertFigure', () => {
  it('writes per cents with one place and their unit', () => {
    expect(figure('cpu_usage', 91.42, 80)).toEqual({ value: '91.4', threshold: '80', unit: '%', percent: true });
  });

  it('writes the days of a forecast and rates with their unit', () => {
    expect(figure('disk_forecast', 2.64, 4)).toEqual({ value: '2.6', threshold: '4', unit: 'd', percent: false });
    expect(figure('network_errors', 12, 10)).toMatchObject({ value: '12', unit: '/s' });
  });

  it('writes counts whole', () => {
    expect(figure('pod_restarts', 14, 5)).toMatchObject({ value: '14', threshold: '5', unit: '' });
  });

  it('keeps the unknown unknown', () => {
    expect(figure('offline', null, null)).toMatchObject({ value: null, threshold: null });
  });
});

it('sorts the worst level first, the newest first within a level', () => {
  const alerts = [
    { level: 'warning', timestamp: 30 },
    { level: 'critical', timestamp: 10 },
    { level: 'info', timestamp: 40 },
    { level: 'critical', timestamp: 20 },
    { level: 'error', timestamp: 5 },
  ] as const;
  expect(alerts.toSorted(byLevel).map(({ level, timestamp }) => `${level} ${timestamp}`)).toEqual([
    'critical 20',
    'critical 10',
    'error 5',
    'warning 30',
    'info 40',
  ]);
});

describe('isPastLine', () => {
  it.each([
    ['cpu_usage', 80, 80, true],
    ['cpu_usage', 79.9, 80, false],
    ['disk_forecast', 4, 4, true],
    ['disk_forecast', 1, 4, true],
    ['disk_forecast', 9, 4, false],
    ['cpu_usage', null, 80, false],
    ['offline', 7, null, false],
  ])('of %s with %s against %s is %s', (metric_name, current_value, threshold_value, past) => {
    expect(isPastLine({ metric_name, current_value, threshold_value })).toBe(past);
  });

  it('knows every metric that is worse when lower', () => {
    const lower = ALERT_RULE_METRICS.filter((metric) => ALERT_METRICS[metric].isWorseWhenLower === true);
    expect([...WORSE_WHEN_LOWER]).toEqual(lower);
  });
});
