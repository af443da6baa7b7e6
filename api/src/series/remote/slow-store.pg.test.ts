import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { seriesStoreJobs } from '../jobs.ts';
import { reportsBody, testApp, type TestAgent, type TestApp } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import { testStorage } from '../../testing/postgres.ts';
import { startSeriesStore, type StoreUnderTest } from '../../testing/series-store.ts';
import { startStoreGate, type StoreGate } from '../../testing/store-gate.ts';
import { createSeriesStore } from './series-store.ts';
import { StoreUnavailable } from './types.ts';

const START = Date.UTC(2024, 0, 15, 10);
const HOUR = 3_600_000;
const TOKEN = 'right';

const db = testStorage();
let running: StoreUnderTest;
let gate: StoreGate;
let app: TestApp;
let agent: TestAgent;
let seq = 0;

beforeAll(async () => {
  running = await startSeriesStore('victoria-metrics');
  gate = await startStoreGate(running.settings, TOKEN);
});
afterAll(async () => {
  gate.close();
  await running.stop();
});
beforeEach(async () => {
  await db.sql(
    'TRUNCATE account, server, host_sample, report_stream, report_ledger, series_shipping, series_hour CASCADE',
  );
  app = testApp(db.storage());
  app.clock.ms = START;
  agent = await app.newAgent(await app.newUser());
});
afterEach(() => gate.release());

const job = (name: string, token = TOKEN) => {
  const store = createSeriesStore({ ...gate.settings, token });
  const jobs = seriesStoreJobs({ outbox: db.storage().sampleOutbox, store, clock: app.clock });
  const found = jobs.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return () => found.run(app.clock.now());
};
const report = async (): Promise<void> => {
  const now = app.clock.now();
  const body = reportsBody(agent, now, [{ ...fullReport('web-1', now / 1000), seq: (seq += 1) }]);
  const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect([answer.status, answer.json['rejected']]).toEqual([200, []]);
};
/** Figures of the hour in PostgreSQL and in the store. */
async function figures(): Promise<[number | undefined, number | undefined]> {
  await running.settle();
  const known = await db.storage().sampleOutbox.exclusively('verify', (work) => work.counts(START));
  const stored = await createSeriesStore(gate.settings).counts(0, START);
  return [[...(known?.values() ?? [])][0]?.get(agent.serverId), stored.get(agent.serverId)];
}

test('a wrong token is named on the health page, and nothing is lost', async () => {
  await report();
  app.clock.ms += HOUR;
  await expect(job('series-ship', 'wrong')()).rejects.toThrow(StoreUnavailable);
  expect((await db.storage().sampleOutbox.state())?.error).toBe('401 Unauthorized');
  await job('series-ship')();
  expect((await db.storage().sampleOutbox.state())?.error).toBeNull();
  const [known, stored] = await figures();
  expect(stored).toBe(known);
  expect(known).toBeGreaterThan(10);
});

test('reports and /readyz wait for no store that is slow', async () => {
  await report();
  app.clock.ms += HOUR / 2;
  const arrived = gate.hold();
  const shipping = job('series-ship')();
  await arrived;
  // The store has the request and does not answer yet.
  await report();
  expect((await app.call('GET', '/readyz')).status).toBe(200);
  expect(await job('series-ship')()).toBeNull();
  gate.release();
  expect(await shipping).toEqual({ samples: 1 });
  app.clock.ms += HOUR;
  expect(await job('series-ship')()).toEqual({ samples: 1 });
  const [known, stored] = await figures();
  expect(stored).toBe(known);
});
