import { expect, it } from 'vitest';
import type { TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import { timeseriesTable } from './timeseries-table.ts';

it('has a row per bucket and keeps the unknown unknown', () => {
  const none = { avg: null, min: null, max: null };
  const cpu = { avg: 2, min: 1, max: 3 };
  const bands = { cpu, memory: none, swap: none, load: none, disk: none, io_wait: none, iops: none };
  const { columns, rows } = timeseriesTable([{ time: '2026-01-01T00:00:00.000Z', bands } as TimeseriesPoint]);
  expect(columns.slice(0, 5)).toEqual(['time', 'cpu_avg', 'cpu_min', 'cpu_max', 'memory_avg']);
  expect(rows).toEqual([['2026-01-01T00:00:00.000Z', 2, 1, 3, ...Array.from({ length: 18 }, () => null)]]);
  expect(columns).toHaveLength(22);
});
