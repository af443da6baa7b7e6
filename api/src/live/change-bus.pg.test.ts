import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPostgresStorage } from '../postgres-storage.ts';
import type { Storage } from '../storage.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { openEvents } from '../testing/event-stream.ts';
import { describeEachPostgres, type TestDatabase } from '../testing/postgres.ts';
import { connectChangeBus } from './change-bus.ts';
import { type OrganisationId, organisationIdOf } from '../tenancy/ids.ts';

const report = async (app: TestApp, agent: TestAgent, seq: number): Promise<void> => {
  app.clock.pass(60);
  const up = 100_000 + seq * 60;
  const body = reportsBody(agent, app.clock.now(), [{ seq, up }], { up_now: up });
  const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect(answer.status).toBe(200);
};
const SOON = { timeout: 30_000, interval: 20 };
const listeners = (db: TestDatabase) =>
  db.sql<{ pid: number }>(`SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'plimsoll listen' AND state = 'idle' AND query LIKE 'LISTEN%'`);

describeEachPostgres('two processes on one database', (db) => {
  let ends: (() => Promise<void>)[] = [];
  let here: TestApp;
  let there: TestApp;
  let user: TestUser;
  let agent: TestAgent;

  const replica = async (): Promise<TestApp> => {
    const storage: Storage = createPostgresStorage({ connection: db.connection() });
    const app = testApp(storage);
    const stop = await connectChangeBus({ ...app.deps, broadcast: storage.broadcast });
    ends.push(stop, () => storage.close());
    return app;
  };
  beforeEach(async () => {
    [here, there] = [await replica(), await replica()];
    user = await here.newUser();
    agent = await here.newAgent(user);
  });
  afterEach(async () => {
    for (const end of ends) await end();
    ends = [];
  });

  it('what one takes in reaches the streams of both, and of that account only', async () => {
    const stranger = await openEvents(there, (await there.newUser()).token);
    const streams = [await openEvents(here, user.token), await openEvents(there, user.token)];
    await Promise.all([...streams, stranger].map((stream) => stream.until(': open')));
    await report(here, agent, 1);
    for (const stream of streams)
      expect(await stream.until('"metrics"')).toContain(`"server_ids":["${agent.serverId}"]`);
    there.deps.streams.restartAll();
    expect(await stranger.until('never')).not.toContain('changed');
  });

  it('a sign-out at one ends the streams at the other', async () => {
    const stream = await openEvents(there, user.token);
    await stream.until(': open');
    await here.call('POST', '/api/auth/logout', { token: user.token, body: {} });
    expect(await stream.until('never')).toContain('event: ended');
  });

  it('listens again when the connection broke, and lets every stream connect anew', async () => {
    const stream = await openEvents(there, user.token);
    await stream.until(': open');
    // The listeners of the test before end a moment after their stop.
    const before = await vi.waitFor(async () => {
      const pids = (await listeners(db)).map(({ pid }) => pid);
      expect(pids).toHaveLength(2);
      return pids;
    }, SOON);
    await db.sql('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [before]);
    expect(await stream.until('never')).not.toContain('event: ended');
    await vi.waitFor(async () => {
      const pids = (await listeners(db)).map(({ pid }) => pid);
      expect([pids.length, pids.filter((pid) => before.includes(pid))]).toEqual([2, []]);
    }, SOON);
    const again = await openEvents(there, user.token);
    await again.until(': open');
    await report(here, agent, 1);
    expect(await again.until('}\n\n')).toContain('event: changed');
  });

  describe('a message', () => {
    const sent: unknown[][] = [];
    let app: TestApp;
    let stop: () => Promise<void>;
    const change = (organisationId: OrganisationId, topic: 'metrics' | 'alerts', n: number | null) =>
      app.deps.changes.publish(organisationId, { topic, serverId: n === null ? null : `server-${String(n)}` });
    /** Returns the messages that the bus has sent, in order, once the database has taken them. */
    const flushed = () => vi.waitFor(() => expect(sent).not.toEqual([]), SOON).then(() => sent.splice(0));

    beforeEach(async () => {
      sent.length = 0;
      const storage: Storage = createPostgresStorage({ connection: db.connection() });
      app = testApp(storage);
      const { broadcast } = storage;
      const recorded = async (text: string): Promise<void> => {
        await broadcast.send(text);
        sent.push(JSON.parse(text) as unknown[]);
      };
      stop = await connectChangeBus({ ...app.deps, broadcast: { ...broadcast, send: recorded } });
      ends.push(() => storage.close());
    });

    it('says each thing once, and never again', async () => {
      for (const n of [1, 2, 1]) change(organisationIdOf('a'), 'metrics', n);
      change(organisationIdOf('a'), 'alerts', 1);
      change(organisationIdOf('b'), 'metrics', 1);
      for (const _ of [1, 2]) app.deps.streams.endSession('session-1');
      expect(await flushed()).toEqual([
        [
          ['session-1'],
          ['a', 'metrics', 'server-1'],
          ['a', 'metrics', 'server-2'],
          ['a', 'alerts', 'server-1'],
          ['b', 'metrics', 'server-1'],
        ],
      ]);
      change(organisationIdOf('a'), 'metrics', 3);
      expect(await flushed()).toEqual([[['a', 'metrics', 'server-3']]]);
      await stop();
      expect(sent).toEqual([]);
    });

    it('names fifty servers, and says "any" beyond and after that', async () => {
      for (let n = 1; n <= 50; n += 1) change(organisationIdOf('a'), 'metrics', n);
      expect((await flushed()).flat()).toHaveLength(50);
      for (let n = 1; n <= 52; n += 1) change(organisationIdOf('a'), 'metrics', n);
      expect(await flushed()).toEqual([[['a', 'metrics', null]]]);
      for (const n of [1, null, 2]) change(organisationIdOf('a'), 'metrics', n);
      expect(await flushed()).toEqual([[['a', 'metrics', null]]]);
      await stop();
    });

    it('is no longer than PostgreSQL takes, and the last is sent at the end', async () => {
      const accounts = Array.from({ length: 4 }, () => organisationIdOf(randomUUID()));
      for (const account of accounts)
        for (let n = 0; n < 50; n += 1)
          app.deps.changes.publish(account, { topic: 'kubernetes', serverId: randomUUID() });
      await stop();
      await vi.waitFor(() => expect(sent.flat()).toHaveLength(200), SOON);
      expect(sent.length).toBeGreaterThan(1);
      for (const entries of sent) expect(JSON.stringify(entries).length).toBeLessThan(8000 - 36);
    });
  });

  it('a thousand servers at once fit into messages', async () => {
    const stream = await openEvents(there, user.token);
    await stream.until(': open');
    for (let n = 0; n < 1000; n += 1) {
      const serverId = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      for (const topic of ['metrics', 'activity', 'alerts'] as const)
        here.deps.changes.publish(user.organisationId, { topic, serverId });
    }
    expect(await stream.until('}\n\n')).toContain('"server_ids":null');
  });
});
