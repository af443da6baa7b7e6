import { expect, test } from 'vitest';
import type { ServersAnswer, ServerDetail } from '@plimsoll/contract/wire/servers';
import { reportsBody, testApp, type Answer, type TestAgent, type TestApp } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const GB = 2 ** 30;

const system = (hostname: string) => ({
  hostname,
  platform: 'linux',
  os_type: 'debian',
  os_name: 'Debian GNU/Linux 12',
  os_version: '12',
  kernel: '6.1.0',
  architecture: 'amd64',
  cpu_model: null,
  cpu_cores: 4,
  uptime_seconds: 1000,
  region: null,
  collector_version: '0.1.0',
  virtualization: null,
});
const memory = {
  total_bytes: 8 * GB,
  available_bytes: 4 * GB,
  used_bytes: 4 * GB,
  swap_total_bytes: 0,
  swap_used_bytes: 0,
};
const cpu = (percent: number) => ({
  percent,
  io_wait_percent: 1.5,
  steal_percent: 0,
  user_percent: percent,
  system_percent: 0,
  per_core_percent: [percent, null],
});

const report = (app: TestApp, agent: TestAgent, items: Record<string, unknown>[], more = {}): Promise<Answer> =>
  app.call('POST', '/api/agent/v1/reports', {
    token: agent.token,
    body: reportsBody(agent, app.clock.now(), items, more),
  });
const listOf = (answer: Answer): ServersAnswer => answer.json.data as unknown as ServersAnswer;

test('a report becomes a server with its figures, in units of the spec', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  expect(listOf(await app.call('GET', '/api/servers/list', user)).servers[0]).toMatchObject({
    status: 'installing',
    hostname: 'web-1',
    total_memory: null,
    headroom: null,
  });
  const sent = await report(app, agent, [{ cpu: cpu(42.123), memory, system: system('web-1') }]);
  expect([sent.status, sent.json]).toEqual([
    200,
    expect.objectContaining({ ack: { upto: 1, also: [] }, rejected: [], next: { interval: 60, delay: 0 } }),
  ]);
  const list = listOf(await app.call('GET', '/api/servers/list', user));
  expect(list.servers[0]).toMatchObject({ status: 'active', total_memory: 8, cpu_cores: 4, os_type: 'debian' });
  expect(list.servers[0]?.headroom).toMatchObject({ resource: 'memory', points: 30, value: 50, line: 80 });
  expect(list.summary).toMatchObject({ total: 1, online: 1, uptime_percent: 100, avg_cpu: 42.12, avg_disk: null });
  const detail = await app.call('GET', `/api/servers/${agent.serverId.toUpperCase()}`, user);
  expect((detail.json.data as unknown as { server: ServerDetail }).server).toMatchObject({
    id: agent.serverId,
    uptime_seconds: 1000,
    per_core_percent: [42.123, null],
  });
  app.clock.pass(181);
  expect(listOf(await app.call('GET', '/api/servers/list', user)).summary).toMatchObject({
    online: 0,
    offline: 1,
    avg_cpu: null,
  });
});

test('the detail has the hardware of the last report, and null where the report has none', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  const hardwareOf = async () => {
    const detail = await app.call('GET', `/api/servers/${agent.serverId}`, user);
    return (detail.json.data as unknown as { server: ServerDetail }).server.hardware;
  };
  const { raid, pools, updates, fans, power, drives, gpus } = fullReport('web-1', app.clock.now() / 1000);
  await report(app, agent, [{ seq: 1, raid, pools, updates, fans, power, drives, gpus }]);
  expect(await hardwareOf()).toEqual({ raid, pools, updates, fans, power, drives, gpus });
  // One impossible figure becomes unknown, and one bad entry costs only itself.
  const [array] = raid as object[];
  const bad = [array, { ...array, name: 7 }, { ...array, name: 'md1', action_percent: 400 }];
  app.clock.pass(60);
  const sent = await report(app, agent, [{ seq: 2, raid: bad, pools: 'none' }]);
  expect(sent.json).toMatchObject({ rejected: [] });
  expect(await hardwareOf()).toEqual({
    raid: [array, { ...array, name: 'md1', action_percent: null }],
    pools: null,
    updates: null,
    fans: null,
    power: null,
    drives: null,
    gpus: null,
  });
});

test('paging, filters and search count what matches, not what is shown', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  for (const name of ['alpha', 'beta', 'gamma'])
    await report(app, await app.newAgent(user, name), [{ cpu: cpu(name.length), system: system(name) }]);
  await app.newAgent(user, 'silent');
  const ask = async (query: string) => {
    const { servers, total } = listOf(await app.call('GET', `/api/servers/list?sort=name&${query}`, user));
    return [servers.map((s) => s.hostname), total];
  };
  expect(await ask('limit=2&offset=1')).toEqual([['beta', 'gamma'], 4]);
  expect(await ask('status=installing')).toEqual([['silent'], 1]);
  expect(await ask('search=ALP')).toEqual([['alpha'], 1]);
  expect(await ask('platform=linux&limit=1')).toEqual([['alpha'], 3]);
  expect(await ask('search=%25')).toEqual([[], 0]);
  expect(await ask('names=gamma,alph,silent')).toEqual([['gamma', 'silent'], 2]);
});

test.each([
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=1e2', 'limit'],
  ['limit=', 'limit'],
  ['offset=-1', 'offset'],
  ['status=on', 'status'],
  ['sort=id', 'sort'],
  ['limit=1&limit=2', 'limit'],
  ['status[not]=active', 'status[not]'],
  ['__proto__=x', '__proto__'],
])('?%s is refused by name with a remedy', async (query, field) => {
  const app = testApp(db.storage());
  const answer = await app.call('GET', `/api/servers/list?${query}`, await app.newUser());
  expect([answer.status, answer.json.code, answer.json.field]).toEqual([400, 'invalid_parameter', field]);
  expect(answer.json.remedy ?? answer.json.detail).toMatch(/Use|Allowed|Send|must be/);
});

test('deleting purges; the agent is told to stop, enrolling again starts afresh', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'doomed');
  await report(app, agent, [{ cpu: cpu(1) }]);
  const gone = await app.call('DELETE', '/api/servers/delete', { ...user, body: { server_id: agent.serverId } });
  expect(gone.status).toBe(200);
  expect((await app.call('GET', `/api/servers/${agent.serverId}`, user)).status).toBe(404);
  const next = await report(app, agent, [{ seq: 2 }]);
  expect([next.status, next.json.code]).toEqual([410, 'server_deleted']);
  const again = await app.call('DELETE', '/api/servers/delete', { ...user, body: { server_id: agent.serverId } });
  expect([again.status, again.json.code]).toEqual([404, 'not_found']);
  expect((await app.newAgent(user, 'doomed')).serverId).not.toBe(agent.serverId);
});

test.each([
  ['no body', undefined, 400, 'invalid_json'],
  ['no id', {}, 400, 'invalid_parameter'],
  ['an id that is none', { server_id: '1; DROP TABLE server' }, 400, 'invalid_parameter'],
  ['an unknown id', { server_id: crypto.randomUUID() }, 404, 'not_found'],
])('deleting with %s', async (_name, body, status, code) => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const headers = { 'content-type': 'application/json' };
  const answer = await app.call('DELETE', '/api/servers/delete', { ...user, headers, body });
  expect([answer.status, answer.json.code]).toEqual([status, code]);
});

test('an id that is none is 400 naming it', async () => {
  const app = testApp(db.storage());
  const answer = await app.call('GET', '/api/servers/1', await app.newUser());
  expect([answer.status, answer.json.field]).toEqual([400, 'id']);
});
