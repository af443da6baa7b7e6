import { METRIC_SCALES } from '@plimsoll/contract/rules/alert-metric-scales';
import { ALERT_RULE_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertFigure, belowWords, isPastLine, isState, unbroken } from './alert-words.ts';

const figure = (metric_name: string, current_value: number | null, threshold_value: number | null) =>
  alertFigure({ metric_name, current_value, threshold_value });

describe('alertFigure', () => {
  it('never writes a value or a line that a rule can have as nought', () => {
    const metrics = ALERT_RULE_METRICS.flatMap((metric) => {
      const { threshold } = METRIC_SCALES[metric];
      return threshold === null ? [] : [{ metric, min: threshold.min }];
    });
    fc.assert(
      fc.property(fc.constantFrom(...metrics), fc.double({ min: 1, max: 9, noNaN: true }), ({ metric, min }, times) => {
        const { value, threshold } = figure(metric, min * times, min);
        expect([Number(value) > 0, Number(threshold) > 0]).toEqual([true, true]);
      }),
    );
  });

  it('writes per cents with one place and their unit', () => {
    expect(figure('cpu_usage', 91.42, 80)).toEqual({ value: '91.4', threshold: '80', unit: '%', percent: true });
  });

  it('writes the days of a forecast and rates with their unit', () => {
    expect(figure('disk_forecast', 2.64, 4)).toEqual({ value: '2.6', threshold: '4', unit: 'd', percent: false });
    expect(figure('network_errors', 12, 10)).toMatchObject({ value: '12', unit: '/s' });
  });

  it('has the unit of every metric that is not a count', () => {
    const shares = ALERT_RULE_METRICS.filter((metric) => METRIC_SCALES[metric].unit === '%');
    expect(shares.length).toBeGreaterThan(3);
    expect(shares.filter((metric) => figure(metric, 50, 80).unit !== '%')).toEqual([]);
  });

  it('writes a small rate with the places that tell it from nought', () => {
    expect(figure('network_errors', 0.034, 0.01)).toMatchObject({ value: '0.03', threshold: '0.01' });
    expect(figure('network_errors', 0.05, 0.5)).toMatchObject({ value: '0.1', threshold: '0.5' });
    expect(figure('network_errors', 0, 0.01)).toMatchObject({ value: '0' });
    expect(figure('check_slow', 0.4, 500)).toMatchObject({ value: '0.4', unit: 'ms' });
    expect(figure('cpu_usage', null, 80)).toMatchObject({ value: null, threshold: '80' });
  });

  it('writes counts whole', () => {
    expect(figure('pod_restarts', 14, 5)).toMatchObject({ value: '14', threshold: '5', unit: '' });
  });

  it('writes a load with one place, and a delay in seconds', () => {
    expect(figure('load_per_core', 2.34, 1.5)).toEqual({ value: '2.3', threshold: '1.5', unit: '', percent: false });
    expect(figure('collector_late', 1234.5, 900)).toMatchObject({ value: '1,235', threshold: '900', unit: 's' });
  });

  it('writes a metric that it does not have whole', () => {
    expect(figure('constructor', 2.6, 4)).toEqual({ value: '3', threshold: '4', unit: '', percent: false });
  });

  it('keeps the unknown unknown', () => {
    expect(figure('offline', null, null)).toMatchObject({ value: null, threshold: null });
  });
});

it.each([
  ['offline', null, null, true],
  ['offline', null, 80, true],
  ['cpu_usage', null, 80, false],
  ['cpu_usage', 91, 80, false],
  ['made_up', null, null, true],
  ['made_up', 3, null, false],
])('%s with the value %j and the line %j is a state: %j', (metric_name, current_value, threshold_value, state) => {
  expect(isState({ metric_name, current_value, threshold_value })).toBe(state);
});

it('counts what an alert causes, and says nothing of none', () => {
  const incident = { incident_id: '1', folded: false, below: 14 };
  expect(belowWords({ incident })).toBe('14 more caused by it');
  expect(belowWords({ incident: { ...incident, below: 0 } })).toBeNull();
  expect(belowWords({ incident: null })).toBeNull();
});

it('keeps numbers and their units in one line', () => {
  expect(unbroken('CPU back to 37 % after 1 h 14 min, at worst 97 %')).toBe(
    'CPU back to 37\u00A0% after 1\u00A0h 14\u00A0min, at worst 97\u00A0%',
  );
  expect(unbroken('3 of 8 pods, 2 hosts')).toBe('3 of 8 pods, 2 hosts');
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

  it('is at or below the line of every metric that is worse when lower, else at or above', () => {
    const past = ALERT_RULE_METRICS.filter((metric_name) =>
      isPastLine({ metric_name, current_value: 1, threshold_value: 2 }),
    );
    expect(past).toEqual(ALERT_RULE_METRICS.filter((metric) => METRIC_SCALES[metric].isWorseWhenLower === true));
  });
});
