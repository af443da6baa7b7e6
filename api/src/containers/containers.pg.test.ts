import type { ContainersAnswer } from '@plimsoll/contract/wire/containers';
import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import { expect, test } from 'vitest';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { fullReport } from '../testing/full-report.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const MB = 2 ** 20;

let seq = 0;
const send = async (app: TestApp, agent: TestAgent, hostname: string, parts: object): Promise<void> => {
  const now = app.clock.now();
  const item = { ...fullReport(hostname, now / 1000), seq: (seq += 1), ts: now / 1000, ...parts };
  const sent = await app.call('POST', '/api/agent/v1/reports', {
    token: agent.token,
    body: reportsBody(agent, now, [item]),
  });
  expect([sent.status, sent.json]).toMatchObject([200, { rejected: [] }]);
};
const container = (name: string, change: Partial<ContainerPart> = {}): ContainerPart => ({
  id: `id-${name}`,
  name,
  image: 'redis:7',
  runtime: 'docker',
  cpu_percent: 150,
  memory_bytes: 90 * MB,
  memory_limit_bytes: 100 * MB,
  state: 'running',
  since: 1_795_000_000,
  ...change,
});
const listed = async (app: TestApp, user: TestUser, query = ''): Promise<ContainersAnswer> => {
  const answer = await app.call('GET', `/api/containers${query}`, user);
  expect(answer.status).toBe(200);
  return answer.json.data as unknown as ContainersAnswer;
};
const namesOf = ({ containers }: ContainersAnswer): (string | null)[] => containers.map(({ name }) => name);

test('containers of all servers are listed with their figures, the broken ones first', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const [web, data] = [await app.newAgent(user, 'web-1'), await app.newAgent(user, 'db-1')];
  await send(app, web, 'web-1', { containers: [container('cache'), container('api', { memory_limit_bytes: null })] });
  const killed = container('etl', { state: 'exited', exit_code: 137, oom_killed: true, restarts: 3, project: 'jobs' });
  await send(app, data, 'db-1', { containers: [killed] });

  const answer = await listed(app, user);
  expect(namesOf(answer)).toEqual(['etl', 'cache', 'api']);
  expect(answer.containers[1]).toMatchObject({
    hostname: 'web-1',
    server_id: web.serverId,
    server_status: 'active',
    state: 'running',
    is_broken: false,
    cpu_cores: 1.5,
    memory_percent: 90,
    memory_line: 80,
    restarts: null,
    restarts_last_hour: 0,
    cpu_history: null,
  });
  expect(answer.containers[0]).toMatchObject({ exit_code: 137, oom_killed: true, restarts: 3, project: 'jobs' });
  expect(answer.summary).toMatchObject({ total: 3, hosts: 2, servers: 2, broken: 1, over_line: 2, no_limit: 1 });
  expect(namesOf(await listed(app, user, '?search=web-1&sort=name'))).toEqual(['api', 'cache']);
  expect(namesOf(await listed(app, user, '?state=broken'))).toEqual(['etl']);
  expect(namesOf(await listed(app, user, `?server_id=${data.serverId}`))).toEqual(['etl']);
  expect(namesOf(await listed(app, user, '?limit=1&offset=1'))).toEqual(['cache']);
  expect(namesOf(await listed(app, other))).toEqual([]);
});

test('a scope narrows the list and its counts', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  for (const name of ['a', 'b']) {
    const agent = await app.newAgent(user, name);
    await send(app, agent, name, { containers: [container(`c-${name}`)] });
    await app.call('PUT', `/api/servers/${agent.serverId}`, { ...user, body: { tags: { env: name } } });
  }
  const answer = await listed(app, user, '?scope=tag:env=b');
  expect([namesOf(answer), answer.summary.total, answer.summary.servers]).toEqual([['c-b'], 1, 1]);
});

test('the stored CPU of a day stands beside each container, once for each quarter of an hour', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  const { containers } = db.storage();
  const start = Math.ceil(app.clock.now() / 900_000) * 900_000;
  app.clock.ms = start + 60_000;
  await send(app, agent, 'web-1', { containers: [container('cache', { cpu_percent: 25 }), container('gone')] });
  expect(await containers.record(app.clock.now())).toBe(1);
  expect(await containers.record(app.clock.now())).toBe(0);
  app.clock.ms = start + 1_860_000;
  await send(app, agent, 'web-1', {
    containers: [container('cache', { cpu_percent: 50 }), container('new', { cpu_percent: null })],
  });
  await containers.record(app.clock.now());
  const answer = await listed(app, user, '?sort=name');
  expect(answer.history_step_seconds).toBe(900);
  const [cache, fresh] = answer.containers;
  expect(cache?.cpu_history).toHaveLength(96);
  expect(cache?.cpu_history?.slice(-4)).toEqual([null, 0.25, null, 0.5]);
  expect(fresh?.cpu_history?.slice(-2)).toEqual([null, null]);
});

test('a server that does not report keeps its containers as late, and a report without containers has none', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  await send(app, agent, 'web-1', { containers: [container('cache')] });
  app.clock.pass(3600);
  const answer = await listed(app, user);
  expect(answer.containers).toMatchObject([{ server_status: 'offline' }]);
  expect(answer.summary).toMatchObject({ total: 1, late: 1, over_line: 0, running: 0 });
  await send(app, agent, 'web-1', { containers: undefined });
  expect(await listed(app, user)).toMatchObject({ containers: [], summary: { total: 0, servers: 1 } });
});
