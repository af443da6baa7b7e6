import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPostgresStorage } from '../../postgres-storage.ts';
import type { Storage } from '../../storage.ts';
import { TestClock, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { minutes, storeSamples } from '../../testing/samples.ts';
import { startSeriesStore, type StoreUnderTest } from '../../testing/series-store.ts';
import { createSeriesStore } from './series-store.ts';
import { shipSamples, type SeriesDeps } from './ship-samples.ts';
import { verifyHours } from './verify-hours.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2024, 0, 15, 10);
const LONG = 60_000;

const db = testStorage();
const clock = new TestClock(START + 3 * HOUR);
let storage: Storage;
let running: StoreUnderTest;
let app: TestApp;
let user: TestUser;
let serverId: string;
let tenant: number;

/** Two hours of a server, shipped, verified and rolled up; 30 days later PostgreSQL has the rollups alone. */
beforeAll(async () => {
  running = await startSeriesStore('victoria-metrics');
  storage = createPostgresStorage({ connection: db.connection(), clock });
  const store = createSeriesStore(running.settings);
  app = testApp(storage, { seriesStore: store, clock });
  user = await app.newUser();
  ({ serverId } = await app.newAgent(user));
  const [server] = await db.sql<{ key: number; tenant: number }>('SELECT key, series_tenant AS tenant FROM server');
  if (server === undefined) throw new Error('no server');
  ({ tenant } = server);
  await storeSamples(db, server.key, minutes(START, 120));
  const deps: SeriesDeps = { outbox: storage.sampleOutbox, store, clock };
  await shipSamples(deps, LONG);
  await running.settle();
  await verifyHours(deps, LONG);
  await storage.rollups.rollUp(clock.now());
  await db.sql('DELETE FROM host_sample');
  clock.ms = START + 30 * DAY;
});
afterAll(async () => {
  await running.stop();
  await storage.close();
});
const verified = START + 2 * HOUR;
beforeEach(async () => {
  await db.sql('TRUNCATE series_hour');
  await db.sql('UPDATE series_shipping SET verified_to = to_timestamp($1 / 1000.0)', [verified]);
});

interface Answer {
  timeseries: { timestamp: number; count: number; cpu: number | null }[];
  unavailable?: { from: number; to: number; reason: string; detail: string }[];
}
async function chart(path = 'metrics', from = START, to = START + 2 * HOUR): Promise<Answer> {
  const range = `start_date=${String(from / 1000)}&end_date=${String(to / 1000)}`;
  const { token } = user;
  const answer = await app.call('GET', `/api/data/${path}/timeseries?server_id=${serverId}&${range}`, { token });
  expect(answer.status).toBe(200);
  return answer.json.data as unknown as Answer;
}
const known = ({ timeseries }: Answer) => timeseries.filter(({ count }) => count > 0);
const samples = (answer: Answer): number => answer.timeseries.reduce((sum, { count }) => sum + count, 0);
const stretch = (from: number, to: number, reason: string) => ({
  from: from / 1000,
  to: to / 1000,
  reason,
  detail: expect.stringContaining('store') as string,
});

describe('charts of a time that PostgreSQL has only rollups of', () => {
  it('are of single samples', async () => {
    const answer = await chart();
    expect(known(answer).map(({ timestamp }) => timestamp * 1000)).toEqual(minutes(START, 120));
    expect(known(answer)[1]?.cpu).toBe(2.25);
    expect(answer.unavailable).toBeUndefined();
    const network = await chart('network');
    expect(network.timeseries.filter((point) => Object.values(point).includes(25))).not.toEqual([]);
  });

  it('say which hours are not verified, and show their rollups', async () => {
    await db.sql('UPDATE series_shipping SET verified_to = to_timestamp($1 / 1000.0)', [START + HOUR]);
    const answer = await chart();
    expect(answer.unavailable).toEqual([stretch(START + HOUR, verified, 'not_verified')]);
    expect([known(answer).length, samples(answer)]).toEqual([60 + 12, 120]);
  });

  it('say that the store refuses samples of an hour', async () => {
    const hour = `INSERT INTO series_hour VALUES ($1, to_timestamp($2 / 1000.0), 'refused', '400', 1, now())`;
    await db.sql(hour, [tenant, START]);
    // An hour of another tenant changes nothing.
    await db.sql(hour, [tenant + 1, START + HOUR]);
    const answer = await chart();
    expect(answer.unavailable).toEqual([stretch(START, START + HOUR, 'refused')]);
    expect(samples(answer)).toBe(120);
  });

  it('end where the organisation keeps no samples', async () => {
    const path = '/api/user/retention-settings';
    const days = { metrics_days: 30, alerts_days: 30, events_days: 30, processes_days: 14 };
    clock.ms += HOUR;
    expect((await app.call('PUT', path, { token: user.token, body: days })).status).toBe(200);
    const answer = await chart();
    await app.call('DELETE', path, { token: user.token });
    clock.ms -= HOUR;
    expect(known(answer).map(({ timestamp }) => timestamp * 1000)).toEqual(minutes(START + HOUR, 60));
  });

  describe('while the store is away', () => {
    beforeEach(() => running.kill());
    afterEach(() => running.start());

    it('say so, and show rollups; reports and /readyz do not care', async () => {
      const answer = await chart();
      expect(answer.unavailable).toEqual([stretch(START, verified, 'store_unavailable')]);
      expect([known(answer).length, samples(answer)]).toEqual([24, 120]);
      expect((await app.call('GET', '/readyz')).status).toBe(200);
    });

    it('need no store for what PostgreSQL has', async () => {
      const answer = await chart('metrics', clock.now() - HOUR, clock.now());
      expect(answer.unavailable).toBeUndefined();
    });
  });

  it('say that an emptied store lost the hours', async () => {
    await running.kill();
    await running.start({ isEmptied: true });
    const answer = await chart();
    expect(answer.unavailable).toEqual([stretch(START, verified, 'lost')]);
    expect([known(answer).length, samples(answer)]).toEqual([24, 120]);
  });
});
