import { expect, it } from 'vitest';
import type { ReadCall } from '../types.ts';
import { hostSeries } from './series.ts';

const band = (avg: number) => ({ avg, min: avg, max: avg });
const point = (timestamp: number, cpu: number, reported: number | null) => ({
  timestamp,
  bands: { cpu: band(cpu) },
  servers_reported: reported,
});
const context = (timeseries: unknown[]) => ({
  read: (() => Promise.resolve({ timeseries, gaps: [] })) as unknown as ReadCall,
  now: 200,
  serverId: null,
  rangeMinutes: 60,
});
const RANGE = { from: 0, to: 200 };
const cpuOf = async (serverId: string | null, timeseries: unknown[]) =>
  (await hostSeries(context(timeseries), serverId, RANGE)).cpu.map(({ value }) => value);

it('leaves out the newest bucket of a sum until all servers are in it', async () => {
  expect(await cpuOf(null, [point(0, 30, 29), point(120, 22, 5)])).toEqual([30]);
  expect(await cpuOf(null, [point(0, 30, 29), point(120, 31, 29)])).toEqual([30, 31]);
  expect(await cpuOf('a', [point(0, 30, null), point(120, 22, null)])).toEqual([30, 22]);
});
