/** Two storages on one database stand for two replicas. */
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPostgresStorage } from '../../postgres-storage.ts';
import type { Storage } from '../../storage.ts';
import { testApp, type TestApp } from '../../testing/app.ts';
import { describeEachPostgres } from '../../testing/postgres.ts';
import { createRates, createSharedLimit, RateLimit } from './rate-limit.ts';

const NOW = 1_700_000_000_000;
const isRefused = async (tried: Promise<void>): Promise<boolean> =>
  tried.then(
    () => false,
    () => true,
  );

describeEachPostgres('rates of two replicas', (db) => {
  const storages: Storage[] = [];
  beforeAll(() => {
    for (let replica = 0; replica < 2; replica += 1)
      storages.push(createPostgresStorage({ connection: db.connection() }));
  });
  afterAll(() => Promise.all(storages.map((storage) => storage.close())));
  beforeEach(() => db.sql('DELETE FROM rate_limit'));

  /** Sends requests to the replicas in turn. */
  const statusesOf = async (count: number, ask: (app: TestApp) => Promise<{ status: number }>): Promise<number[]> => {
    const apps = storages.map((storage) => testApp(storage, { rates: createRates(storage.rateLimits) }));
    const statuses: number[] = [];
    for (let n = 0; n < count; n += 1) {
      const app = apps[n % apps.length];
      if (app !== undefined) statuses.push((await ask(app)).status);
    }
    return statuses;
  };

  test.each([
    ['/api/auth/exchange', { code: 'x'.repeat(43) }],
    ['/api/auth/local', { email: 'nobody@example.org', password: 'wrong' }],
  ])('%s refuses the eleventh guess, whichever replicas got the first ten', async (path, body) => {
    const statuses = await statusesOf(12, (app) => app.call('POST', path, { body }));
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
  });

  test('guesses at the same moment get the burst together', async () => {
    const limits = storages.map(({ rateLimits }) =>
      createSharedLimit(rateLimits, 'test', { perSecond: 1 / 60, burst: 5 }),
    );
    const tries = Array.from({ length: 40 }, (_, n) =>
      isRefused(limits[n % 2]?.require('key', NOW) ?? Promise.resolve()),
    );
    expect((await Promise.all(tries)).filter((refused) => !refused)).toHaveLength(5);
  });

  test('a shared rate admits and refuses as that of one process does', async () => {
    // Binary fractions, so that the model computes without an error.
    const rate = { perSecond: 1 / 8, burst: 3 };
    let run = 0;
    const step = record({ eighths: integer({ min: 0, max: 160 }), replica: constantFrom(0, 1) });
    await assert(
      asyncProperty(array(step, { maxLength: 15 }), async (steps) => {
        const model = new RateLimit(rate);
        const limits = storages.map(({ rateLimits }) => createSharedLimit(rateLimits, 'model', rate));
        const key = String(run++);
        let now = NOW;
        for (const { eighths, replica } of steps) {
          now += eighths * 125;
          const waitSeconds = model.take(key, now);
          const refused = await limits[replica]?.require(key, now).then(
            () => null,
            (error: { retryAfterSeconds: number }) => error.retryAfterSeconds,
          );
          expect(refused).toBe(waitSeconds);
        }
      }),
      { numRuns: 40 },
    );
  });

  test('keys are hashed, kept apart by rate, and pruned when they are full again', async () => {
    const [storage] = storages;
    if (storage === undefined) throw new Error('no storage');
    for (const name of ['a', 'b']) {
      const limit = createSharedLimit(storage.rateLimits, name, { perSecond: 1, burst: 1 });
      await limit.requireFrom('2001:db8:1:2::1', NOW);
      expect(await isRefused(limit.requireFrom('2001:db8:1:2::2', NOW))).toBe(true);
    }
    const stored = await db.sql<{ bytes: number }>('SELECT length(key) AS bytes FROM rate_limit');
    expect(stored).toEqual([{ bytes: 32 }, { bytes: 32 }]);
    await storage.maintenance.prune(NOW + 2000);
    expect(await db.sql('SELECT 1 FROM rate_limit')).toEqual([]);
  });
});
