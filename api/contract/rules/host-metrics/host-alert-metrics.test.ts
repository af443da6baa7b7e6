import { describe, expect, test } from 'vitest';
import type { ForecastOfUse, ReadingContext } from '../alert-metric.ts';
import type { Report } from '../../wire/report.ts';
import { METRIC_SCALES } from '../alert-metric-scales.ts';
import { ALERT_METRICS } from '../alert-metrics.ts';
import { ALERT_RULE_METRICS, targetsOf } from '../alert-rule-limits.ts';
import { HOST_ALERT_METRICS } from './host-alert-metrics.ts';
import { ALERT_LEVELS } from '../limits.ts';

const report = (parts: Partial<Report>): Report => ({
  seq: 1,
  ts: 0,
  up: 0,
  kind: 'host',
  window_seconds: 60,
  ...parts,
});
const NO_CONTEXT: ReadingContext = { forecast: () => 'unknown', memoryForecast: () => 'unknown' };
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

const array = {
  name: 'md0',
  level: 'raid1',
  state: 'clean',
  size_bytes: null,
  disks_required: 2,
  disks_active: 2,
  spares: 0,
  failed_disks: null,
  action: null,
  action_percent: null,
  action_seconds_left: null,
  mismatches: null,
};
const pool = {
  name: 'tank',
  type: 'zfs',
  state: 'online',
  size_bytes: 1000,
  used_bytes: 850,
  devices: null,
  devices_missing: null,
  errors: null,
  errors_at: null,
};
const sourceOk = (name: string) => ({
  agent: {
    version: '1',
    spool_bytes: null,
    spool_oldest_age_seconds: null,
    retries: 0,
    last_error: null,
    clock_skew_seconds: null,
    sources: { [name]: { ok: true, duration_ms: 0, error: null } },
  },
});

describe('hardware', () => {
  test('an array without redundancy fires, a rebuilt one does not', () => {
    const raid = [
      array,
      { ...array, name: 'md1', state: 'degraded', disks_active: 1, failed_disks: 'sdb3' },
      { ...array, name: 'md2', state: 'inactive', level: 'unknown', disks_required: null, disks_active: null },
    ];
    expect(read('raid_degraded', { raid })).toEqual([
      { subject: 'md1', value: 1, detail: 'md1 (raid1) is degraded with 1 of 2 disks. Failed: sdb3' },
      { subject: 'md2', value: 1, detail: 'md2 is not running. Its disks may be missing' },
    ]);
  });
  test('the last array that was taken apart is well, and one that nobody read is unknown', () => {
    expect(read('raid_degraded', sourceOk('raid'))).toEqual([]);
    expect(read('raid_degraded', sourceOk('cpu'))).toBeNull();
  });
  test('a pool fires by its state and by the errors of its devices', () => {
    const pools = [
      pool,
      { ...pool, name: 'old', state: 'degraded' },
      {
        ...pool,
        name: 'data',
        type: 'btrfs',
        state: 'degraded',
        devices: 2,
        devices_missing: 1,
        errors: 4,
        errors_at: 'sda: 4 read',
      },
    ];
    expect(read('pool_degraded', { pools })).toEqual([
      { subject: 'zfs old', value: 1, detail: 'ZFS reports old as degraded' },
      { subject: 'btrfs data', value: 1, detail: '1 of 2 devices of btrfs data are missing' },
    ]);
    expect(read('pool_errors', { pools })?.map(({ subject, value }) => [subject, value])).toEqual([['btrfs data', 1]]);
  });
  test('the use of a pool counts once: as a filesystem where it is mounted', () => {
    const mounted = {
      device: 'tank/home',
      mount: '/home',
      type: 'zfs',
      size_bytes: 1,
      used_bytes: 1,
      available_bytes: 0,
    };
    const filesystems = [{ ...mounted, inodes_total: null, inodes_used: null }];
    expect(read('pool_usage', { pools: [pool], filesystems })).toEqual([]);
    expect(read('pool_usage', { pools: [pool], filesystems: [] })).toEqual([{ subject: 'zfs tank', value: 85 }]);
    expect(read('pool_usage', { pools: [{ ...pool, size_bytes: null }] })).toEqual([]);
  });
});

test('a drive fires by its own verdict, a GPU by its temperature', () => {
  const drive = {
    device: 'sdb',
    model: 'ST4000DM004',
    protocol: 'ata',
    passed: false,
    reason: 'Reallocated_Sector_Ct is below its threshold',
    celsius: 44,
    power_on_hours: null,
    wear_percent: null,
    reallocated: 3976,
    pending: 0,
    uncorrectable: 0,
    read_at: 0,
  };
  const drives = [drive, { ...drive, device: 'sda', passed: true }, { ...drive, device: 'sdc', passed: null }];
  expect(read('drive_failing', { drives })).toEqual([
    {
      subject: 'sdb',
      value: 1,
      detail: 'SMART of sdb (ST4000DM004) says that it is about to fail: Reallocated_Sector_Ct is below its threshold',
    },
  ]);
  expect(read('drive_failing', sourceOk('smart'))).toEqual([]);
  const gpu = {
    id: '0000:07:00.0',
    vendor: 'nvidia',
    name: 'Tesla T4',
    use_percent: null,
    memory_used_bytes: null,
    memory_total_bytes: null,
    celsius: 91,
    power_watts: null,
    power_limit_watts: null,
  };
  expect(read('gpu_temperature', { gpus: [gpu, { ...gpu, celsius: null }] })).toEqual([
    { subject: '0000:07:00.0', value: 91, detail: 'Tesla T4 (0000:07:00.0) is at 91 °C' },
  ]);
});

test('updates and a reboot are readings with rules that are off', () => {
  const updates = {
    pending: 3,
    security: null,
    counted_by: null,
    checked_at: null,
    reboot_required: true,
    reboot_reason: 'asked for by libc6',
  };
  expect(read('updates_pending', { updates })).toEqual([{ subject: '', value: 3 }]);
  expect(read('security_updates', { updates })).toEqual([{ subject: '', value: null }]);
  expect(read('reboot_required', { updates })).toEqual([
    { subject: '', value: 1, detail: 'The machine waits for a reboot: asked for by libc6' },
  ]);
  expect(read('reboot_required', { updates: { ...updates, reboot_required: false } })).toEqual([
    { subject: '', value: 0 },
  ]);
  const off = ALERT_RULE_METRICS.filter((metric) => ALERT_METRICS[metric].isOffByDefault === true);
  expect(off).toEqual([
    'memory_forecast',
    'updates_pending',
    'security_updates',
    'reboot_required',
    'node_loss',
    'cluster_requested',
    'cluster_full_forecast',
    'workload_too_small',
    'check_slow',
  ]);
});

test('swap counts only while memory is short', () => {
  expect(read('swap_usage', { memory: memory(79, 50) })).toEqual([{ subject: '', value: 100, isHarmless: true }]);
  expect(read('swap_usage', { memory: memory(80, 50) })).toEqual([{ subject: '', value: 100 }]);
  expect(read('swap_usage', { memory: { ...memory(90, 0), swap_total_bytes: 0 } })).toEqual([
    { subject: '', value: null },
  ]);
});

test('a filesystem that refuses writes fires by its mark, and one that is gone is well', () => {
  const fs = (mount: string, mark?: boolean) => ({
    mount,
    device: mount,
    type: 'ext4',
    size_bytes: 100,
    used_bytes: 10,
    available_bytes: 90,
    inodes_total: null,
    inodes_used: null,
    ...(mark === undefined ? {} : { became_read_only: mark }),
  });
  const filesystems = [fs('/'), fs('/data', true), fs('/b', false)];
  expect(read('filesystem_read_only', { filesystems })?.map(({ subject, value }) => [subject, value])).toEqual([
    ['/data', 1],
  ]);
  expect(read('filesystem_read_only', { filesystems: [fs('/')] })).toEqual([]);
  expect(read('filesystem_read_only', {})).toBeNull();
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
    { value: 3.3, detail: '/ reaches its line of 80 % in 3.3 days' },
  ],
  ...[
    [2.5499, 2.5],
    [2.55, 2.6],
    [2.96, 3],
  ].map(([days = 0, value = 0]): [ForecastOfUse, object] => [
    { days, linePercent: 80 },
    { value, detail: `/ reaches its line of 80 % in ${String(value)} days` },
  ]),
  [
    { days: 0.5, linePercent: 80 },
    { value: 0.5, detail: '/ reaches its line of 80 % in 12 h' },
  ],
  [
    { days: null, linePercent: 90 },
    { value: null, isHarmless: true, ending: '/ reached its line of 90 %' },
  ],
  ['isCalm', { value: null, isHarmless: true }],
  ['unknown', { value: null }],
])('the forecast %j of a filesystem is read as the days until its line', (forecast, reading) => {
  const seen: object[] = [];
  const context: ReadingContext = {
    ...NO_CONTEXT,
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
