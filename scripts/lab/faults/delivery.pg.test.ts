import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { createApp } from '../../../api/src/app.ts';
import { testApp, type TestAgent } from '../../../api/src/testing/app.ts';
import { describeEachPostgres, type TestDatabase } from '../../../api/src/testing/postgres.ts';
import { diskAt } from '../../../collector/src/runtime/disk.ts';
import { apiAt } from '../../../collector/src/send/http.ts';
import { Sender } from '../../../collector/src/send/sender.ts';
import { Spool } from '../../../collector/src/send/spool.ts';
import { type FakeClock, fakeClock } from '../../../collector/src/testing/fake-clock.ts';
import { countedStreams, fullReport } from '../../../collector/src/testing/reports.ts';
import { droppingProxy } from './dropping-proxy.ts';

/** The real app on a real socket, on the database under test, at the agents' clock. */
async function server(db: TestDatabase, clock: FakeClock) {
  const app = testApp(db.storage(), { clock: { now: () => clock.wall() * 1000 } });
  app.clock.ms = clock.wall() * 1000;
  const listening = serve({ fetch: createApp(app.deps).fetch, port: 0, hostname: '127.0.0.1' });
  await new Promise<void>((resolve) => void listening.once('listening', resolve));
  onTestFinished(() => void listening.close());
  return { app, url: `http://127.0.0.1:${String((listening.address() as AddressInfo).port)}` };
}

/** The collector's own spool on disk and its own sender, at a clock moved by hand. */
function host(url: string, clock: FakeClock, agent: TestAgent) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-delivery-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const spool = new Spool({ disk: diskAt(folder), newStream: countedStreams() });
  const sender = new Sender(
    {
      api: apiAt(url, (address, init) => fetch(address, init), 'test'),
      spool,
      clock,
      random: () => 0.5,
      log: () => undefined,
      bootId: 'boot-1',
      credentials: { server_id: agent.serverId, agent_token: agent.token },
      keep: () => undefined,
      reload: () => null,
      enrolAsClone: () => Promise.reject(new Error('nothing here is a clone')),
      onInterval: () => undefined,
    },
    60,
  );
  return { spool, sender };
}

/** Reports made in one minute steps; what is sent in between is up to `each`. */
async function collect(spool: Spool, clock: FakeClock, reports: number, each: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < reports; n++) {
    await spool.append({ ...fullReport(clock.wall(), clock.up()), cpu: cpuOf(n) }, 'boot-1');
    await each();
    clock.advance(60);
  }
}
const cpuOf = (n: number) => ({
  percent: n % 100,
  io_wait_percent: 0,
  steal_percent: 0,
  user_percent: 0,
  system_percent: 0,
  per_core_percent: [n % 100],
});

async function drain(sender: Sender, clock: FakeClock): Promise<void> {
  while ((await sender.step()) === 'wait') clock.advance(Math.max(0, sender.dueAt - clock.up()));
}

/** Everything the reports left behind for a server, sorted, without its keys. */
const dump = (db: TestDatabase, serverId: string) =>
  db.sql(
    `SELECT l.seq::text, l.sample_at, encode(l.content_hash, 'hex') AS hash, s.cpu_percent, s.load_one
       FROM report_ledger l JOIN report_stream r ON r.key = l.stream_key JOIN server v ON v.key = r.server_key
       JOIN host_sample s ON s.server_key = v.key AND s.ts = l.sample_at
      WHERE v.id = $1 ORDER BY l.seq`,
    [serverId],
  );
const countOf = async (db: TestDatabase, serverId: string): Promise<number> =>
  (
    await db.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM host_sample s JOIN server v ON v.key = s.server_key WHERE v.id = $1',
      [serverId],
    )
  )[0]?.n ?? 0;

describeEachPostgres('delivery', (db) => {
  it('an answer lost after the commit 100 times changes nothing', async () => {
    const start = 1_795_000_000;
    const plain = fakeClock(start);
    const calm = await server(db, plain);
    const calmAgent = await calm.app.newAgent(await calm.app.newUser());
    const straight = host(calm.url, plain, calmAgent);
    await collect(straight.spool, plain, 150, () => straight.sender.step());
    await drain(straight.sender, plain);

    const rough = fakeClock(start);
    const stormy = await server(db, rough);
    const agent = await stormy.app.newAgent(await stormy.app.newUser());
    let left = 100;
    const proxy = await droppingProxy(stormy.url, (path, status) => {
      if (!path.endsWith('/reports') || status !== 200 || left === 0) return false;
      left -= 1;
      return true;
    });
    onTestFinished(() => proxy.close());
    const { spool, sender } = host(proxy.url, rough, agent);
    await collect(spool, rough, 150, () => sender.step());
    await drain(sender, rough);

    expect(proxy.dropped).toBe(100);
    expect(spool.entries).toHaveLength(0);
    const expected = await dump(db, calmAgent.serverId);
    expect(expected).toHaveLength(150);
    expect(await dump(db, agent.serverId)).toEqual(expected);
    expect(await countOf(db, agent.serverId)).toBe(150);
  });

  it('a day without the API: 1,440 reports arrive, each once, at the time they were taken', async () => {
    const clock = fakeClock();
    const { app, url } = await server(db, clock);
    const agent = await app.newAgent(await app.newUser());
    const { spool, sender } = host(url, clock, agent);
    const first = clock.wall();
    // Nothing is sent: the API is out of reach for a day.
    await collect(spool, clock, 1440, () => Promise.resolve());
    await drain(sender, clock);
    expect(spool.entries).toHaveLength(0);
    const rows = await db.sql<{ at: number }>(
      'SELECT extract(epoch FROM s.ts)::float8 AS at FROM host_sample s JOIN server v ON v.key = s.server_key WHERE v.id = $1 ORDER BY s.ts',
      [agent.serverId],
    );
    expect(rows).toHaveLength(1440);
    const late = rows.filter(({ at }, n) => Math.abs(at - (first + n * 60)) > 0.01);
    expect(late).toEqual([]);
  });

  const DAY = 24 * 3600;
  it.each([
    ['40 days back', -40 * DAY],
    ['5 years back', -5 * 365 * DAY],
    ['5 years ahead', 5 * 365 * DAY],
  ])('a wall clock that is %s during the outage does no harm: uptime tells the time', async (_, jump) => {
    const clock = fakeClock();
    const { app, url } = await server(db, clock);
    const agent = await app.newAgent(await app.newUser());
    const wrong = { ...clock, wall: () => clock.wall() + jump };
    const { spool, sender } = host(url, wrong, agent);
    const first = clock.wall();
    for (let n = 0; n < 30; n++) {
      await spool.append(fullReport(wrong.wall(), clock.up()), 'boot-1');
      clock.advance(60);
    }
    await drain(sender, clock);
    const rows = await db.sql<{ at: number }>(
      'SELECT extract(epoch FROM s.ts)::float8 AS at FROM host_sample s JOIN server v ON v.key = s.server_key WHERE v.id = $1 ORDER BY s.ts',
      [agent.serverId],
    );
    expect(rows.map(({ at }) => Math.round(at - first))).toEqual(Array.from({ length: 30 }, (_, n) => n * 60));
  });
});
