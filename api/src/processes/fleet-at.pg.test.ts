import { expect, test } from 'vitest';
import type { FleetSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import { reportsBody, testApp, type Answer, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const MINUTE = 60;
const HOUR = 3600;

const process = (pid: number, cpu: number, bytes = 1024) => ({
  pid,
  name: `p${String(pid)}`,
  command: `/usr/bin/p${String(pid)} --password=hunter2`,
  user: 'root',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 1,
  memory_bytes: bytes,
  threads: 2,
  started_at: 1_700_000_000,
});

/** An account whose clock stands at ten minutes past an hour. */
async function fleet(names: readonly string[]) {
  const app = testApp(db.storage());
  app.clock.ms = Math.floor(app.clock.ms / (HOUR * 1000)) * HOUR * 1000 + 10 * MINUTE * 1000;
  const user = await app.newUser();
  const agents: TestAgent[] = [];
  for (const name of names) agents.push(await app.newAgent(user, name));
  return { app, user, agents };
}
async function feed(app: TestApp, agent: TestAgent | undefined, seq: number, processes: object[]): Promise<void> {
  if (agent === undefined) throw new Error('there is no such server');
  const up = 100_000 + seq * MINUTE;
  const body = reportsBody(agent, app.clock.now(), [{ seq, up, processes, window_seconds: MINUTE }], { up_now: up });
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
}
const dataOf = ({ status, json }: Answer): FleetSnapshotAnswer => {
  expect(status).toBe(200);
  return json.data as unknown as FleetSnapshotAnswer;
};
const ask = async (app: TestApp, user: TestUser, at: number, query = '') =>
  dataOf(await app.call('GET', `/api/data/processes/fleet-at?at=${String(at)}${query}`, user));
const rows = ({ processes }: FleetSnapshotAnswer) => processes.map(({ hostname, pid }) => `${hostname}/${String(pid)}`);

test('every server by its list of that minute, else its nearest one on either side, with its time', async () => {
  const { app, user, agents } = await fleet(['web', 'before', 'after', 'far']);
  const [web, before, after, far] = agents;
  const start = app.clock.now() / 1000;
  const wait = (seconds: number) => app.clock.pass(seconds);
  await feed(app, far, 1, [process(9, 99)]);
  wait(40 * MINUTE);
  await feed(app, before, 1, [process(2, 50, 9e6)]);
  await feed(app, web, 1, [process(1, 1)]);
  wait(5 * MINUTE + 7);
  const at = app.clock.now() / 1000 - 7;
  await feed(app, web, 2, [process(1, 80), process(4, 5)]);
  wait(3 * MINUTE);
  await feed(app, after, 1, [process(3, 90)]);
  await feed(app, web, 3, [process(1, 2)]);
  wait(2 * HOUR);
  const then = await ask(app, user, at);
  expect(rows(then)).toEqual(['after/3', 'web/1', 'before/2', 'web/4']);
  expect(then.processes.map(({ timestamp }) => timestamp - at)).toEqual([187, 7, -300, 7]);
  expect(then).toMatchObject({ total: 4, minute: at, servers: 4, in_minute: 1, nearest_total: 2, without_total: 1 });
  expect(then.nearest.map(({ hostname, snapshot_at: taken }) => [hostname, taken - at])).toEqual([
    ['before', -300],
    ['after', 187],
  ]);
  expect(then.without).toEqual([{ server_id: far?.serverId, hostname: 'far' }]);
  expect(JSON.stringify(then)).not.toContain('hunter2');
  expect(rows(await ask(app, user, at, '&rank_type=memory&limit=1'))).toEqual(['before/2']);
  expect(rows(await ask(app, user, at, '&limit=2&offset=1'))).toEqual(['web/1', 'before/2']);
  // A moment before every list of these servers, though they were there.
  expect(await ask(app, user, start - HOUR)).toMatchObject({ total: 0, in_minute: 0, processes: [] });
});

test('the lists are the same once their hours are packed, and two days later the quarters of an hour answer', async () => {
  const { app, user, agents } = await fleet(['web', 'db']);
  const [web, other] = agents;
  for (const seq of [1, 2, 3, 4, 5, 6]) {
    await feed(app, web, seq, [process(1, seq), process(2, 50 - seq)]);
    if (seq % 3 === 0) await feed(app, other, seq, [process(7, 200)]);
    app.clock.pass(MINUTE);
  }
  const at = app.clock.now() / 1000 - 3 * MINUTE;
  app.clock.pass(3 * HOUR);
  const fresh = await ask(app, user, at);
  expect(rows(fresh)).toEqual(['db/7', 'web/2', 'web/1']);
  expect(fresh).toMatchObject({ in_minute: 1, nearest_total: 1 });
  expect(fresh.processes.map(({ timestamp }) => timestamp - at)).toEqual([-MINUTE, 0, 0]);
  await db.storage().processMinutes.pack(app.clock.now());
  await db.storage().processQuarters.pack(app.clock.now() + 24 * HOUR * 1000);
  expect(await ask(app, user, at)).toEqual(fresh);
  await db.sql('DELETE FROM process_block');
  await db.sql('DELETE FROM server_list');
  const quarters = await ask(app, user, at);
  // The report at a quarter past is the first of its quarter of an hour, two minutes after the moment.
  expect(quarters.nearest.map(({ hostname, snapshot_at: taken }) => [hostname, taken - at])).toEqual([
    ['web', 2 * MINUTE],
    ['db', 2 * MINUTE],
  ]);
  expect(rows(quarters)).toEqual(['db/7', 'web/2', 'web/1']);
});

test('only the servers in scope, and nobody else’s', async () => {
  const { app, user, agents } = await fleet(['prod', 'test']);
  const [prod] = agents;
  const stranger = await app.newUser();
  await feed(app, await app.newAgent(stranger, 'stranger'), 1, [process(5, 300)]);
  for (const agent of agents) await feed(app, agent, 1, [process(1, 10)]);
  const body = { tags: { env: 'prod' } };
  expect((await app.call('PUT', `/api/servers/${prod?.serverId ?? ''}`, { ...user, body })).status).toBe(200);
  const at = app.clock.now() / 1000;
  app.clock.pass(MINUTE);
  expect(rows(await ask(app, user, at))).toEqual(['prod/1', 'test/1']);
  expect(await ask(app, user, at, '&scope=tag:env=prod')).toMatchObject({ servers: 1, in_minute: 1, total: 1 });
  expect(rows(await ask(app, stranger, at))).toEqual(['stranger/5']);
});

test('a server that enrolled later is not missed at that moment', async () => {
  const { app, user, agents } = await fleet(['old']);
  await feed(app, agents[0], 1, [process(1, 10)]);
  const at = app.clock.now() / 1000;
  app.clock.pass(2 * HOUR);
  await app.newAgent(user, 'young');
  await db.sql("UPDATE server SET created_at = to_timestamp($1) WHERE hostname = 'young'", [at + HOUR]);
  expect(await ask(app, user, at)).toMatchObject({ servers: 1, in_minute: 1, without_total: 0 });
});
