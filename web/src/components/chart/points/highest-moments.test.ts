import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { expect, it } from 'vitest';
import { highestMoments } from './highest-moments.ts';

const band = (max: number | null) => ({ avg: 1, min: 0, max });
const point = (timestamp: number, cpu: number | null, top: number | null) =>
  ({
    timestamp,
    bands: { cpu: band(cpu), memory: band(null), disk: band(40) },
    top: { cpu: top, memory: null, disk: null },
  }) as TimeseriesAnswer['timeseries'][number];
const answer = (timeseries: TimeseriesAnswer['timeseries']) =>
  ({
    timeseries,
    bucket_seconds: 300,
    from: 0,
    to: 800,
    top_servers: [{ server_id: 'a', name: 'web-1' }],
  }) as TimeseriesAnswer;

it('finds the one spike among many servers, with its server and the end of its bucket', () => {
  const [cpu, disk, ...rest] = highestMoments(answer([point(0, 12, null), point(300, 99, 0), point(600, null, null)]));
  expect(cpu).toEqual({
    name: 'CPU',
    value: 99,
    at: 300,
    end: 600,
    server: { server_id: 'a', name: 'web-1' },
    peak: null,
  });
  expect(disk).toMatchObject({ name: 'Disk', value: 40, server: null });
  // Nobody reported a memory figure.
  expect(rest).toEqual([]);
});

it('never leads past the end of the range', () => {
  expect(highestMoments(answer([point(600, 50, 0)]))[0]?.end).toBe(800);
});

it('knows the moment of a spike where the API answers it of the same server', () => {
  const peak = { timestamp: 432, value: 99, server_id: 'a', step_seconds: 0 };
  const peaks = { cpu: peak, memory: null, disk: null };
  expect(highestMoments({ ...answer([point(300, 99, 0)]), peaks })[0]?.peak).toEqual(peak);
  const other = { ...peaks, cpu: { ...peak, server_id: 'b' } };
  expect(highestMoments({ ...answer([point(300, 99, 0)]), peaks: other })[0]?.peak).toBeNull();
});
