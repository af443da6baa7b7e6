import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import type { Database } from '../../database/database.ts';
import { createSeriesStore } from './series.ts';
import { organisationIdOf } from '../../tenancy/ids.ts';

const NOW = Date.UTC(2026, 0, 2);
const failing = (code: string) => {
  const pool = { query: () => Promise.reject(Object.assign(new Error('canceling statement'), { code })) };
  const store = createSeriesStore({ pool } as unknown as Database, { now: () => NOW });
  return store.hostSeries(ownerOf(organisationIdOf('a')), null, {
    from: NOW - 3_600_000,
    to: NOW,
    bucketSeconds: 60,
    within: [1, 2],
  });
};

test('a sum that takes too long says what to choose instead', async () => {
  await expect(failing('57014')).rejects.toMatchObject({
    code: 'took_too_long',
    remedy: 'Choose a shorter time or a scope of fewer servers.',
  });
});

test('another failure stays what it is', async () => {
  await expect(failing('08006')).rejects.toMatchObject({ code: '08006' });
});
