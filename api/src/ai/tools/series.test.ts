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

it.each([
  ['no sample', [], 2],
  ['the means of five minutes only', [0, 300], 2],
  ['samples', [0, 120, 240, 360, 480], 1],
])('reads wide buckets where narrow ones hold %s', async (_name, filled, reads) => {
  const asked: number[] = [];
  const read = ((_path: string, _schema: unknown, { query }: { query: { buckets: number } }) => {
    asked.push(query.buckets);
    const timeseries = [0, 120, 240, 360, 480].map((at) => ({
      ...point(at, 30, null),
      count: filled.includes(at) ? 1 : 0,
    }));
    return Promise.resolve({ timeseries, gaps: [], bucket_seconds: 3600 / query.buckets });
  }) as unknown as ReadCall;
  await hostSeries({ read, now: 3600, serverId: null, rangeMinutes: 60 }, 'a', { from: 0, to: 3600 });
  expect(asked).toEqual([60, 10].slice(0, reads));
});
