import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { makeServer, minutes, storeSamples } from '../../testing/samples.ts';
import { startSeriesStore, type StoreUnderTest } from '../../testing/series-store.ts';
import { deleteSeries } from './delete-series.ts';
import { createSeriesStore } from './series-store.ts';
import { shipSamples, type SeriesDeps } from './ship-samples.ts';
import { StoreUnavailable } from './types.ts';
import { recheckHours, verifyHours } from './verify-hours.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2024, 0, 15, 10);
const LONG = 60_000;

const db = testStorage();
let clock: TestClock;
let running: StoreUnderTest;
let deps: SeriesDeps;
type Server = Awaited<ReturnType<typeof makeServer>>;

/** Without what another test left. */
beforeEach(async () => {
  clock = new TestClock(START);
  await db.sql(
    'TRUNCATE server, host_sample, host_rollup_1h, report_stream, report_ledger, series_shipping, series_hour, series_deletion CASCADE',
  );
});
afterEach(() => running.stop());

const open = async (program: Parameters<typeof startSeriesStore>[0], outOfOrder?: string): Promise<void> => {
  running = await startSeriesStore(program, outOfOrder);
  deps = { outbox: db.storage().sampleOutbox, store: createSeriesStore(running.settings), clock };
};
const makeServers = (count: number): Promise<Server[]> =>
  Promise.all(Array.from({ length: count }, () => makeServer(db, START)));
const report = async (servers: readonly Server[], from: number, count: number, receivedAt?: number): Promise<void> => {
  for (const { key } of servers) await storeSamples(db, key, minutes(from, count), receivedAt);
};
const ship = () => shipSamples(deps, LONG);
const verify = async () => {
  await running.settle();
  return verifyHours(deps, LONG);
};
/** Runs what the scheduler runs until no hour is open. */
async function catchUp(): Promise<void> {
  for (let run = 0; run < 20; run += 1) {
    await ship();
    await verify();
    const state = await deps.outbox.state();
    if (state?.unverifiedHours === 0) return;
    clock.pass(HOUR / 1000);
  }
  throw new Error(`open hours: ${JSON.stringify(await db.sql('SELECT * FROM series_hour'))}`);
}

const countsOfHour = async (hour: number) => {
  const found = await deps.outbox.exclusively('verify', (work) => work.counts(hour));
  return new Map([...(found ?? [])].flatMap(([, counts]) => [...counts]));
};
/** Every sample of these hours is in the store once. */
async function expectWhole(servers: readonly Server[], hours: readonly number[]): Promise<void> {
  await running.settle();
  for (const hour of hours) {
    const expected = await countsOfHour(hour);
    expect(expected.size).toBe(servers.length);
    // The store has no tenants of its own here, so any tenant reads all.
    const stored = await deps.store.counts(0, hour);
    expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(expected));
  }
}

describe.each(['victoria-metrics', 'prometheus'] as const)('faults of %s', (program) => {
  it('gets what it missed while it was down for two hours', async () => {
    await open(program);
    const servers = await makeServers(3);
    await report(servers, START, 60);
    clock.pass(2 * 3600);
    await ship();
    await running.kill();
    await report(servers, START + HOUR, 120);
    clock.pass(2 * 3600);
    await expect(ship()).rejects.toThrow(StoreUnavailable);
    const { verifiedTo, shippedTo } = (await deps.outbox.state()) ?? {};
    expect(verifiedTo).toBe(START);
    await running.start();
    await catchUp();
    expect((await deps.outbox.state())?.verifiedTo).toBeGreaterThan(shippedTo ?? Infinity);
    await expectWhole(servers, [START, START + HOUR, START + 2 * HOUR]);
  });

  it('gets again what a kill took after it acknowledged 100,000 figures', async () => {
    await open(program);
    const servers = await makeServers(60);
    await report(servers, START, 120);
    clock.pass(2 * 3600 + 900);
    expect(await ship()).toEqual({ samples: 60 * 120 });
    await running.kill();
    await running.start();
    await catchUp();
    await expectWhole(servers, [START, START + HOUR]);
  });

  it('gets everything again that PostgreSQL has when it was emptied', async () => {
    await open(program);
    const servers = await makeServers(40);
    await report(servers, START, 180);
    clock.pass(4 * 3600);
    await catchUp();
    await running.kill();
    await running.start({ isEmptied: true });
    // One run finds an hour that lacks samples, and goes on with all of them.
    expect(await recheckHours(deps, LONG)).toEqual({ missing: 40 * 180 });
    expect((await deps.outbox.state())?.unverifiedHours).toBe(3 * 40);
    await catchUp();
    await expectWhole(servers, [START, START + HOUR, START + 2 * HOUR]);
  });

  it('gets late samples of an hour that is verified', async () => {
    await open(program);
    const servers = await makeServers(2);
    await report(servers, START, 90);
    clock.pass(2 * 3600);
    await catchUp();
    await report(servers, START + 10_000, 20, clock.now());
    clock.pass(600);
    await ship();
    expect(await db.sql('SELECT DISTINCT reason FROM series_hour')).toEqual([{ reason: 'late' }]);
    await catchUp();
    await expectWhole(servers, [START, START + HOUR]);
  });

  it('deletes the series of a deleted server, and checks an hour later', async () => {
    await open(program);
    const [gone, stays] = await makeServers(2);
    if (gone === undefined || stays === undefined) throw new Error('no servers');
    await report([gone, stays], START, 60);
    clock.pass(2 * 3600);
    await catchUp();
    const found = await db.storage().servers.get(gone.owner, gone.id);
    if (found === null) throw new Error('no server');
    await db.storage().servers.delete(found, clock.now());
    expect((await deps.outbox.state())?.waitingDeletions).toBe(1);
    await running.kill();
    await deleteSeries(deps);
    expect(await db.sql('SELECT deleted_at, attempts FROM series_deletion')).toEqual([
      { deleted_at: null, attempts: 1 },
    ]);
    await running.start();
    // The kill took samples that were verified, too.
    await recheckHours(deps, LONG);
    await running.settle();
    clock.pass(3600);
    await deleteSeries(deps);
    expect(await deps.store.holds(gone.tenant, gone.id, clock.now())).toBe(false);
    // A request that was under way arrives after the deletion.
    const late = { serverId: gone.id, tenant: gone.tenant, at: clock.now(), values: [1] };
    await deps.store.append(gone.tenant, [late]);
    await running.settle();
    clock.pass(3601);
    expect(await deleteSeries(deps)).toEqual({ deleted: 0, waiting: 1 });
    clock.pass(3601);
    expect(await deleteSeries(deps)).toEqual({ deleted: 1, waiting: 0 });
    expect(await deps.store.holds(gone.tenant, gone.id, clock.now())).toBe(false);
    expect(await deps.store.holds(stays.tenant, stays.id, clock.now())).toBe(true);
    expect((await deps.outbox.state())?.waitingDeletions).toBe(0);
  });

  it('is asked without a URL to delete with until it has dropped the series by its age', async () => {
    await open(program);
    const [gone] = await makeServers(1);
    if (gone === undefined) throw new Error('no server');
    await report([gone], START, 60);
    clock.pass(2 * 3600);
    await catchUp();
    const found = await db.storage().servers.get(gone.owner, gone.id);
    if (found === null) throw new Error('no server');
    await db.storage().servers.delete(found, clock.now());
    const withoutUrl = { ...deps, store: { ...deps.store, drop: null } };
    for (let look = 1; look <= 2; look += 1) {
      expect(await deleteSeries(withoutUrl)).toEqual({ deleted: 0, waiting: 1 });
      expect(await db.sql('SELECT attempts, error FROM series_deletion')).toEqual([
        { attempts: look, error: 'PLIMSOLL_SERIES_DELETE_URL is not set' },
      ]);
      clock.pass(6 * 3600 + 1);
    }
    await running.kill();
    await running.start({ isEmptied: true });
    expect(await deleteSeries(withoutUrl)).toEqual({ deleted: 1, waiting: 0 });
    expect((await deps.outbox.state())?.waitingDeletions).toBe(0);
  });
});

describe('a store that refuses samples', () => {
  it('gets the others, and the refused ones when it takes them', async () => {
    await open('prometheus', '0s');
    const [one, other, late] = await makeServers(3);
    if (one === undefined || other === undefined || late === undefined) throw new Error('no servers');
    await report([one, other], START, 180);
    await report([late], START + 2 * HOUR, 60);
    clock.pass(3 * 3600 + 900);
    await ship();
    await report([late], START, 30, clock.now());
    await report([one, other], START + 3 * HOUR, 15);
    clock.pass(900);
    await ship();
    await verify();
    const hours = await db.sql<{ tenant: number; reason: string; detail: string }>(
      'SELECT tenant, reason, detail FROM series_hour',
    );
    expect(hours).toEqual([
      { tenant: late.tenant, reason: 'refused', detail: expect.stringMatching(/^400 out of (order|bounds)/) as string },
    ]);
    await expectWhole([one, other], [START + HOUR]);
    await running.kill();
    await running.start({ outOfOrder: '26h' });
    clock.pass(3600);
    await catchUp();
    await expectWhole([one, other, late], [START, START + 2 * HOUR]);
  });
});
