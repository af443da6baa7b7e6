import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import type { Deps } from '../deps.ts';
import { INLINE, ReadThread, THREAD_LIMITS } from './read-thread.ts';
import { reportsBody, testApp, type TestAgent, type TestApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { countRows, tablesWith } from '../testing/tables.ts';

const db = testStorage();
const CANARY = 'Canary9Secret';

const processOf = (pid: number, command: string) => ({
  pid,
  name: 'mysql',
  command,
  user: 'root',
  status: 'S',
  cpu_percent: 1,
  memory_percent: 1,
  memory_bytes: 1,
  threads: 1,
  started_at: 1,
});
/** GroupCommit these reports are too large for the API thread. */
const LARGE = Array.from({ length: 4 }, (_, report) => ({
  processes: Array.from({ length: 200 }, (_unused, pid) =>
    processOf(pid, `mysql -p${CANARY} ${String(report)}.${String(pid)} ${'x'.repeat(100)}`),
  ),
}));
const appOf = (readThread: ReadThread, more: Partial<Deps> = {}): TestApp => {
  onTestFinished(() => readThread.close());
  return testApp(db.storage(), { readThread, ...more });
};
const send = (app: TestApp, agent: TestAgent, items = LARGE) => {
  const json = JSON.stringify(reportsBody(agent, app.clock.now(), items));
  expect(json.length).toBeGreaterThan(items === LARGE ? INLINE.bytes : 0);
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const body = new Uint8Array(gzipSync(json));
  return app.call('POST', '/api/agent/v1/reports', { token: agent.token, body, headers });
};

describe('a large report', () => {
  test('is stored redacted, read by the thread', async () => {
    const thread = new ReadThread();
    const read = vi.spyOn(thread, 'read');
    const app = appOf(thread);
    const agent = await app.newAgent(await app.newUser());
    const answer = await send(app, agent);
    expect([answer.status, answer.json]).toMatchObject([200, { ack: { upto: 4 }, rejected: [] }]);
    expect(read).toHaveBeenCalledTimes(1);
    expect(await tablesWith(db, 'mysql -p[redacted] 0.')).toContain('server_list');
    expect(await tablesWith(db, CANARY)).toEqual([]);
  });

  test('waits for others to be stored when they hold much memory together, and a small one does not', async () => {
    const memoryLimit = new ConcurrencyLimit({ inFlight: Infinity, bytes: 2000, waitMs: 50 });
    const app = appOf(new ReadThread(), { memoryLimit });
    const agent = await app.newAgent(await app.newUser());
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = memoryLimit.run(() => promise, 1000);
    const refused = await send(app, agent);
    expect([refused.status, refused.json.code]).toEqual([503, 'overloaded']);
    const small = { processes: [], seq: LARGE.length + 1 };
    expect((await send(app, agent, [small])).status).toBe(200);
    resolve();
    await held;
    expect((await send(app, agent)).status).toBe(200);
  });

  test('and a small one store the same', async () => {
    const app = appOf(new ReadThread());
    const user = await app.newUser();
    const [large, small] = [await app.newAgent(user), await app.newAgent(user)];
    await send(app, large);
    for (const [index, item] of LARGE.entries())
      expect((await send(app, small, [{ ...item, seq: index + 1 } as (typeof LARGE)[0]])).status).toBe(200);
    const lists = await Promise.all(
      [large, small].map(({ serverId }) =>
        db.sql(`SELECT kind, entries FROM server_list JOIN server ON key = server_key WHERE id = $1`, [serverId]),
      ),
    );
    expect(lists[0]).toEqual(lists[1]);
  });

  test('of a thread that dies in the middle is refused for now, and leaves no row', async () => {
    const crash = new URL(
      `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';
        parentPort.on('message', () => process.exit(1));`)}`,
    );
    const app = appOf(new ReadThread(THREAD_LIMITS, crash));
    const agent = await app.newAgent(await app.newUser());
    const before = await countRows(db);
    const answer = await send(app, agent);
    expect([answer.status, answer.json.code, answer.headers.get('retry-after')]).toEqual([503, 'overloaded', '10']);
    expect(await countRows(db)).toEqual(before);
    expect(await tablesWith(db, CANARY)).toEqual([]);
    const later = appOf(new ReadThread(), { clock: app.clock });
    expect((await send(later, agent)).status).toBe(200);
    expect(await tablesWith(db, CANARY)).toEqual([]);
  });

  test('beyond the budget keeps the names of its processes, and is counted', async () => {
    const app = appOf(new ReadThread());
    const agent = await app.newAgent(await app.newUser());
    const items = Array.from({ length: 8 }, (_, report) => ({
      up: 99_000 + report,
      processes: Array.from({ length: 200 }, (_unused, pid) =>
        processOf(pid, `mysql -p${CANARY} ${String(report)}:${String(pid)} ${'y'.repeat(440)}`),
      ),
    }));
    expect((await send(app, agent, items)).status).toBe(200);
    expect(await tablesWith(db, CANARY)).toEqual([]);
    const counted = await app.deps.metrics.textsWithheld.get();
    expect(counted.values[0]?.value).toBeGreaterThan(0);
    const [list] = await db.sql<{ entries: unknown[][] }>(
      `SELECT entries::json AS entries FROM server_list JOIN server ON key = server_key WHERE id = $1 AND kind = 'processes'`,
      [agent.serverId],
    );
    expect(list?.entries.flat()).toContain('mysql');
  });
});
