import { expect, it, vi } from 'vitest';
import type { BucketSetAside } from './types.ts';
import { setAsideJob } from './jobs.ts';
import { organisationIdOf } from '../tenancy/ids.ts';

const BUCKET: BucketSetAside = {
  organisationId: organisationIdOf('a'),
  level: 'fleet-5m',
  subject: null,
  at: 0,
  attempts: 1,
  failedAt: 300_000,
  retryAt: 360_000,
  error: '22003 integer out of range',
};

it('logs what failed since its run before, with account, level, bucket and error, and counts all', async () => {
  const since = vi
    .fn<(time: number) => Promise<BucketSetAside[]>>()
    .mockResolvedValueOnce([BUCKET])
    .mockResolvedValue([]);
  const counts = new Map([['fleet-5m', 1]]);
  const warn = vi.fn<(fields: object, message: string) => void>();
  const observe = vi.fn<(buckets: ReadonlyMap<string, number>) => void>();
  const job = setAsideJob({ setAside: { since, count: () => Promise.resolve(counts) }, log: { warn }, observe });
  await job.run(1_000_000);
  await job.run(1_060_500);
  await job.run(1_120_000);
  expect(since.mock.calls).toEqual([[940_000], [1_000_000], [1_060_500]]);
  expect(warn.mock.calls.map(([fields]) => fields)).toEqual([
    {
      organisationId: organisationIdOf('a'),
      level: 'fleet-5m',
      subject: null,
      attempts: 1,
      error: '22003 integer out of range',
      bucketAt: '1970-01-01T00:00:00.000Z',
      failedAt: '1970-01-01T00:05:00.000Z',
      retryAt: '1970-01-01T00:06:00.000Z',
    },
  ]);
  expect(observe.mock.calls).toEqual([[counts], [counts], [counts]]);
});

it('reports what it could not read with its next run', async () => {
  const since = vi
    .fn<(time: number) => Promise<BucketSetAside[]>>()
    .mockResolvedValueOnce([])
    .mockRejectedValueOnce(new Error('no database'))
    .mockResolvedValue([]);
  const setAside = { since, count: () => Promise.resolve(new Map<string, number>()) };
  const job = setAsideJob({ setAside, log: { warn() {} }, observe() {} });
  await job.run(100_000);
  await expect(job.run(160_000)).rejects.toThrow('no database');
  await job.run(220_000);
  expect(since.mock.calls.at(-1)).toEqual([100_000]);
});
