import { expect, it } from 'vitest';
import type { TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import { timeseriesCsv } from './timeseries-csv.ts';

it('writes a line per bucket and leaves the unknown empty', () => {
  const none = { avg: null, min: null, max: null };
  const bands = { cpu: { avg: 2, min: 1, max: 3 }, memory: none, disk: none, io_wait: none, iops: none };
  const csv = timeseriesCsv([{ time: '2026-01-01T00:00:00.000Z', bands } as TimeseriesPoint]).split('\r\n');
  expect(csv[0]).toMatch(/^time,cpu_avg,cpu_min,cpu_max,memory_avg/);
  expect(csv[1]).toBe('2026-01-01T00:00:00.000Z,2,1,3,,,,,,,,,,,,');
  expect(csv[2]).toBe('');
});
