import { describe, expect, test } from 'vitest';
import type { ForecastOfUse, ReadingContext } from './alert-metric.ts';
import type { Report } from '../wire/report.ts';
import { METRIC_SCALES } from './alert-metric-scales.ts';
import { ALERT_METRICS } from './alert-metrics.ts';
import { ALERT_RULE_METRICS, targetsOf } from './alert-rule-limits.ts';
import { HOST_ALERT_METRICS } from './host-alert-metrics.ts';
import { ALERT_LEVELS } from './limits.ts';

const report = (parts: Partial<Report>): Report => ({
  seq: 1,
  ts: 0,
  up: 0,
  kind: 'host',
  window_seconds: 60,
  ...parts,
});
const NO_CONTEXT: ReadingContext = { forecast: () => 'unknown' };
const read = (metric: keyof typeof HOST_ALERT_METRICS, parts: Partial<Report>) =>
  HOST_ALERT_METRICS[metric].read(report(parts), NO_CONTEXT);
const memory = (used: number, swap: number) => ({
  total_bytes: 100,
  available_bytes: 100 - used,
  used_bytes: used,
  swap_total_bytes: 50,
  swap_used_bytes: swap,
});

describe('each entry', () => {
  test.each(ALERT_RULE_METRICS)('%s is consistent', (metric) => {
    const { lines, threshold, unit, hysteresisPoints, subject, scope, isWorseWhenLower } = ALERT_METRICS[metric];
    const sign = isWorseWhenLower === true ? -1 : 1;
    expect((threshold === null) === (unit === null)).toBe(true);
    expect(lines.length).toBeGreaterThan(0);
    const isAllowed = (value: number | null) =>
      threshold === null
        ? value === null
        : value !== null && value >= threshold.min && value <= threshold.max && value > hysteresisPoints;
    expect(lines.filter((line) => !isAllowed(line.threshold))).toEqual([]);
    for (const [index, line] of lines.entries()) {
      const below = lines[index - 1];
      if (below === undefined) continue;
      expect(sign * (line.threshold ?? 0)).toBeGreaterThan(sign * (below.threshold ?? 0));
      expect(ALERT_LEVELS.indexOf(line.level)).toBeLessThan(ALERT_LEVELS.indexOf(below.level));
    }
    expect(ALERT_METRICS[metric]).toMatchObject(METRIC_SCALES[metric]);
    expect(targetsOf(metric)[0]).toBe('all');
    expect(targetsOf(metric).includes('workload')).toBe(scope === 'cluster' && subject === 'workload');
  });
  test('ids of default rules are unique', () => {
    const ids = ALERT_RULE_METRICS.map((metric) => ALERT_METRICS[metric].ruleId);
    expect(new Set(ids).size).toBe(ids.length);
  });
  test('a report without the part says nothing', () => {
    const values = Object.values(HOST_ALERT_METRICS).flatMap(({ read: one }) => one(report({}), NO_CONTEXT) ?? []);
    expect(values.filter(({ value }) => value !== null)).toEqual([]);
  });
});

test('swap counts only while memory is short', () => {
  expect(read('swap_usage', { memory: memory(79, 50) })).toEqual([{ subject: '', value: 100, isHarmless: true }]);
  expect(read('swap_usage', { memory: memory(80, 50) })).toEqual([{ subject: '', value: 100 }]);
  expect(read('swap_usage', { memory: { ...memory(90, 0), swap_total_bytes: 0 } })).toEqual([
    { subject: '', value: null },
  ]);
});

test('inodes are read of filesystems that have a total', () => {
  const fs = (mount: string, used: number | null, total: number | null) => ({
    mount,
    device: 'd',
    type: 'ext4',
    size_bytes: 1,
    used_bytes: 0,
    available_bytes: 1,
    inodes_total: total,
    inodes_used: used,
  });
  const filesystems = [fs('/', 95, 100), fs('/btrfs', 0, 0), fs('/mac', null, null)];
  expect(read('inode_usage', { filesystems })).toEqual([{ subject: '/', value: 95 }]);
});

test.each<[ForecastOfUse, object]>([
  [
    { days: 3.26, linePercent: 80 },
    { value: 3.26, detail: '/ reaches its line of 80 % in 3.3 days' },
  ],
  [
    { days: 0.5, linePercent: 80 },
    { value: 0.5, detail: '/ reaches its line of 80 % in 12 h' },
  ],
  [
    { days: 0, linePercent: 90 },
    { value: 0, detail: '/ is at or above its line of 90 %' },
  ],
  ['isCalm', { value: null, isHarmless: true }],
  ['unknown', { value: null }],
])('the forecast %j of a filesystem is read as the days until its line', (forecast, reading) => {
  const seen: object[] = [];
  const context: ReadingContext = {
    forecast: (use) => {
      seen.push(use);
      return forecast;
    },
  };
  const filesystem = { mount: '/', device: 'd', type: 'ext4', size_bytes: 110, used_bytes: 40, available_bytes: 60 };
  const filesystems = [{ ...filesystem, inodes_total: null, inodes_used: null }];
  expect(HOST_ALERT_METRICS.disk_forecast.read(report({ filesystems }), context)).toEqual([
    { subject: '/', ...reading },
  ]);
  expect(seen).toEqual([{ mount: '/', usedBytes: 40, capacityBytes: 100 }]);
});

test('load is divided by the cores', () => {
  const system = { cpu_cores: 4 } as NonNullable<Report['system']>;
  const load = { one: 10, five: 0, fifteen: 0 };
  expect(read('load_per_core', { load, system })).toEqual([{ subject: '', value: 2.5 }]);
  expect(read('load_per_core', { load })).toEqual([{ subject: '', value: null }]);
});

test('network errors are those of both directions, per interface', () => {
  const one = (name: string, received: number | null, sent: number | null) => ({
    name,
    receive_bytes_per_second: 0,
    transmit_bytes_per_second: 0,
    receive_errors_per_second: received,
    transmit_errors_per_second: sent,
    receive_drops_per_second: 99,
    transmit_drops_per_second: 99,
    up: true,
  });
  expect(read('network_errors', { interfaces: [one('eth0', 2, 3), one('eth1', null, null)] })).toEqual([
    { subject: 'eth0', value: 5 },
    { subject: 'eth1', value: null },
  ]);
});

test('a temperature is measured by the limit of its sensor', () => {
  const sensor = { chip: 'coretemp', label: 'Core 0', celsius: 97, critical_celsius: 100 };
  const unlimited = { ...sensor, label: 'Board', critical_celsius: null };
  expect(read('temperature', { temperatures: [sensor, unlimited] })).toEqual([
    { subject: 'coretemp Core 0', value: 97, detail: 'coretemp Core 0 is at 97 °C, its critical limit is 100 °C' },
  ]);
});

test('a failed unit of systemd is a reading, a job of launchd with an old exit status is not', () => {
  const unit = { name: 'nginx.service', state: 'failed', sub_state: 'failed', restarts: 0 };
  const units = [unit, { ...unit, name: 'com.vendor.job', sub_state: null }, { ...unit, name: 'ok', state: 'active' }];
  expect(read('systemd_unit_failed', { units })?.map(({ subject, value }) => [subject, value])).toEqual([
    ['nginx.service', 1],
  ]);
  expect(read('systemd_unit_failed', { units: [] })).toEqual([]);
});

test('the collector is late by the age of its oldest unsent report', () => {
  const agent = { spool_oldest_age_seconds: 1200 } as NonNullable<Report['agent']>;
  expect(read('collector_late', { agent })).toMatchObject([{ value: 1200, detail: expect.stringContaining('20 min') }]);
  expect(read('collector_late', { agent: { ...agent, spool_oldest_age_seconds: null } })).toMatchObject([{ value: 0 }]);
});
