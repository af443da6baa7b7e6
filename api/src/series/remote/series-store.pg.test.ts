import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPostgresStorage } from '../../postgres-storage.ts';
import type { Storage } from '../../storage.ts';
import { TestClock } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { makeServer, minutes, storeSamples } from '../../testing/samples.ts';
import { startSeriesStore, type StoreProgram, type StoreUnderTest } from '../../testing/series-store.ts';
import type { BucketOf, Chart } from '../chart-buckets.ts';
import type { Counts, OutboxWork, SeriesStore } from '../store.ts';
import type { SeriesQuery } from '../types.ts';
import { createSeriesStore } from './series-store.ts';
import { SamplesRefused } from './types.ts';

const HOUR = 3_600_000;
/** A whole hour; samples of the tests begin here. */
const START = Date.UTC(2024, 0, 15, 10);
const BUCKET = 300;
const QUERY = { from: START, to: START + 2 * HOUR, bucketSeconds: BUCKET };

type Server = Awaited<ReturnType<typeof makeServer>>;
/** The questions that PostgreSQL and a remote store must answer alike. */
interface History {
  counts(tenant: number, hour: number): Promise<Counts>;
  series<C extends Chart>(chart: C, server: Server, query: SeriesQuery): Promise<BucketOf[C][]>;
}

const db = testStorage();
let storage: Storage;
let servers: [Server, Server];
beforeAll(async () => {
  // Samples of this age are not rolled up yet.
  storage = createPostgresStorage({ connection: db.connection(), clock: new TestClock(START + 3 * HOUR) });
  servers = [await makeServer(db, START), await makeServer(db, START)];
  const [one, other] = servers;
  // The first and the last millisecond of an hour and of a bucket belong to one of each.
  await storeSamples(db, one.key, [
    ...minutes(START, 120),
    START + 2 * HOUR - 1,
    START + HOUR - 1,
    START + BUCKET * 1000 - 1,
  ]);
  await storeSamples(db, other.key, minutes(START + 30_000, 45));
});
afterAll(() => storage.close());

const inOutbox = async <T>(work: (outbox: OutboxWork) => Promise<T>): Promise<T> => {
  const done = await storage.sampleOutbox.exclusively('verify', work);
  if (done === null) throw new Error('locked');
  return done;
};
const samplesOf = ({ id }: Server, hour: number) => inOutbox((outbox) => outbox.samplesOf([id], hour));

const postgres = (): History => ({
  counts: (tenant, hour) => inOutbox(async (outbox) => (await outbox.counts(hour)).get(tenant) ?? new Map()),
  series: async <C extends Chart>(chart: C, { owner, id }: Server, query: SeriesQuery) =>
    (chart === 'metrics'
      ? await storage.series.hostSeries(owner, id, query)
      : await storage.series.networkSeries(owner, id, query)) as BucketOf[C][],
});
const remote = (store: SeriesStore): History => ({
  counts: (tenant, hour) => store.counts(tenant, hour),
  series: (chart, { tenant, id }, query) => store.series(chart, { tenant, serverId: id }, query),
});

function answersEverySampleOnce(history: () => History): void {
  it('counts every known figure in its hour', async () => {
    const [one, other] = servers;
    const each = [await history().counts(one.tenant, START), await history().counts(one.tenant, START + HOUR)];
    // There are 15 stored columns with the marker and the sum of two; one of them is null in every fifth sample.
    const figures = (samples: number, unknown: number) => samples * 15 - unknown;
    expect(each.map((counts) => counts.get(one.id))).toEqual([figures(62, 12), figures(61, 12)]);
    expect((await history().counts(other.tenant, START)).get(other.id)).toBe(figures(45, 9));
    expect((await history().counts(other.tenant, START + HOUR)).get(other.id)).toBeUndefined();
  });

  it.each(['metrics', 'network'] as const)('answers the buckets of %s', async (chart) => {
    const [one, other] = servers;
    for (const server of [one, other]) {
      const expected = await postgres().series(chart, server, QUERY);
      const answered = await history().series(chart, server, QUERY);
      expect(answered.map(({ at, count, servers: reporting }) => [at, count, reporting])).toEqual(
        expected.map(({ at, count, servers: reporting }) => [at, count, reporting]),
      );
      expect(withoutTops(answered)).toEqual(withoutTops(expected));
    }
    const counts = (await history().series('metrics', one, QUERY)).map(({ count }) => count);
    expect(counts.reduce((sum, count) => sum + count)).toBe(123);
  });

  it('answers nothing of an hour without samples', async () => {
    const [, other] = servers;
    expect(await history().series('metrics', other, { ...QUERY, from: START + HOUR })).toEqual([]);
  });
}
/** A series of one server needs no tops. Means are added in another order, and PostgreSQL rounds them to a real. */
const withoutTops = (buckets: readonly object[]): unknown =>
  JSON.parse(JSON.stringify(buckets), (key, value: unknown) => {
    if (key === 'tops') return undefined;
    return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value;
  });

describe('PostgreSQL', () => {
  answersEverySampleOnce(postgres);
});

describe.each(['victoria-metrics', 'prometheus'] as const)('%s', (program: StoreProgram) => {
  let running: StoreUnderTest;
  let store: SeriesStore;
  beforeAll(async () => {
    running = await startSeriesStore(program);
    store = createSeriesStore(running.settings);
    // Oldest first: Prometheus does not delete late samples before it has compacted them.
    for (const hour of [START, START + HOUR])
      for (const server of servers) await store.append(server.tenant, await samplesOf(server, hour));
    await running.settle();
  });
  afterAll(() => running.stop());

  describe('after every sample was sent', () => {
    answersEverySampleOnce(() => remote(store));
  });

  it('counts a sample that was sent twice once', async () => {
    const [one] = servers;
    const before = await store.counts(one.tenant, START + HOUR);
    await store.append(one.tenant, (await samplesOf(one, START + HOUR)).slice(-1));
    await running.settle();
    expect(await store.counts(one.tenant, START + HOUR)).toEqual(before);
  });

  it('returns the times of the samples in an hour', async () => {
    const [one] = servers;
    const times = await store.times(one.tenant, one.id, START + HOUR);
    expect([...(times.get('cpu_percent') ?? [])]).toEqual([...minutes(START + HOUR, 60), START + 2 * HOUR - 1]);
  });

  it('drops the series of one server', async () => {
    const [one, other] = servers;
    expect(await store.holds(other.tenant, other.id, START + 2 * HOUR)).toBe(true);
    await store.drop?.(other.tenant, other.id);
    expect(await store.holds(other.tenant, other.id, START + 2 * HOUR)).toBe(false);
    expect(await store.holds(one.tenant, one.id, START + 2 * HOUR)).toBe(true);
  });

  it('answers a ping', async () => {
    await expect(store.ping()).resolves.toBeUndefined();
  });
});

describe('prometheus without a window for late samples', () => {
  it('refuses a sample that is out of order', async () => {
    const running = await startSeriesStore('prometheus', '0s');
    try {
      const [one] = servers;
      const store = createSeriesStore(running.settings);
      await store.append(one.tenant, await samplesOf(one, START + HOUR));
      const late = (await samplesOf(one, START)).slice(0, 1);
      await expect(store.append(one.tenant, late)).rejects.toThrow(SamplesRefused);
    } finally {
      await running.stop();
    }
  });
});
