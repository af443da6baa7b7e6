import { expect, test } from 'vitest';
import type { ActivityAnswer } from '@plimsoll/contract/wire/activity';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { NetworkConnectionsAnswer } from '@plimsoll/contract/wire/network';
import type { ProcessesAnswer, ProcessHistoryAnswer, ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import { reportsBody, testApp, type Answer, type TestAgent, type TestApp } from '../testing/app.ts';
import { fullReport } from '../testing/full-report.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const dataOf = (answer: Answer): unknown => answer.json.data;

const processPart = (pid: number, cpu: number, bytes: number) => ({
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
const connection = (ip: string, score: number) => ({
  remote_ip: ip,
  remote_port: 443,
  local_port: 50_000 + score,
  protocol: 'tcp',
  family: 'ipv4',
  state: 'ESTABLISHED',
  pid: -1,
  importance_score: score,
});
const event = (id: string, type: string, severity: string, ts: number) => ({
  id,
  event_type: type,
  service_name: 'nginx',
  process_name: null,
  message: `${type} happened`,
  severity,
  ts,
});

async function feed(app: TestApp, agent: TestAgent, parts: Record<string, unknown>): Promise<void> {
  const body = reportsBody(agent, app.clock.now(), [parts]);
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
}

test('processes: ranked, paged, redacted, the caller’s only', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-1');
  await feed(app, agent, {
    processes: [processPart(1, 10, 300 * 1024), processPart(2, 90, 100 * 1024), processPart(3, 50, 200 * 1024)],
  });
  await feed(app, await app.newAgent(other), { processes: [processPart(9, 99, 1e9)] });
  const ask = async (query: string): Promise<ProcessesAnswer> =>
    dataOf(await app.call('GET', `/api/data/processes?${query}`, user)) as ProcessesAnswer;
  const byCpu = await ask('limit=2');
  expect([byCpu.processes.map((p) => p.pid), byCpu.total]).toEqual([[2, 3], 3]);
  expect(byCpu.processes[0]).toMatchObject({
    hostname: 'web-1',
    cpu_usage: 90,
    memory_kb: 100,
    status: 'S',
    start_time: 1_700_000_000,
  });
  expect(JSON.stringify(byCpu)).not.toContain('hunter2');
  expect((await ask('rank_type=memory')).processes.map((p) => p.pid)).toEqual([1, 3, 2]);
});

test('processes: an offline server leaves the list of now and keeps its own', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  await feed(app, agent, { processes: [processPart(1, 10, 1024)] });
  const total = async (query: string) =>
    (dataOf(await app.call('GET', `/api/data/processes?${query}`, user)) as ProcessesAnswer).total;
  const status = async () =>
    (dataOf(await app.call('GET', '/api/servers/list', user)) as ServersAnswer).servers[0]?.status;
  expect([await status(), await total('')]).toEqual(['active', 1]);
  app.clock.pass(181);
  expect([await status(), await total('')]).toEqual(['offline', 0]);
  expect(await total(`server_id=${agent.serverId}`)).toBe(1);
  expect(await total('start_date=1')).toBe(1);
});

test('what ran then: the nearest list before the moment, redacted, with its time and how far back there are any', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-2');
  app.clock.ms = Math.floor(app.clock.ms / 900_000) * 900_000 + 1000;
  const taken = app.clock.now() / 1000;
  const cpu = {
    percent: 42.5,
    io_wait_percent: null,
    steal_percent: 0,
    user_percent: 0,
    system_percent: 0,
    per_core_percent: [],
  };
  await feed(app, agent, { cpu, processes: [processPart(1, 10, 1024), processPart(2, 90, 2048)] });
  app.clock.pass(600);
  const ask = (at: number, query = `server_id=${agent.serverId}`, token = user) =>
    app.call('GET', `/api/data/processes/at?${query}&at=${String(at)}`, token);
  const then = dataOf(await ask(taken + 300)) as ProcessSnapshotAnswer;
  expect(then.processes.map(({ pid, hostname, timestamp }) => [pid, hostname, timestamp])).toEqual([
    [2, 'web-2', taken],
    [1, 'web-2', taken],
  ]);
  const kept = app.clock.now() / 1000 - 14 * 86_400;
  expect(then).toMatchObject({ snapshot_at: taken, kept_since: kept, server_cpu_usage: 42.5 });
  expect(JSON.stringify(then)).not.toContain('hunter2');
  expect(dataOf(await ask(taken + 1801))).toMatchObject({ snapshot_at: null, processes: [] });
  expect(dataOf(await ask(taken - 1))).toMatchObject({ snapshot_at: null, processes: [] });
  const days = { metrics_days: 7, alerts_days: 7, events_days: 7, processes_days: 2 };
  await app.call('PUT', '/api/user/retention-settings', { ...user, body: days });
  expect(dataOf(await ask(taken))).toMatchObject({ kept_since: app.clock.now() / 1000 - 2 * 86_400 });
  expect((await ask(taken, undefined, other)).status).toBe(404);
});

test('what ran at a minute: the list of that minute, and the time of the next one', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-3');
  app.clock.ms = Math.floor(app.clock.ms / 900_000) * 900_000 + 1000;
  const first = app.clock.now() / 1000;
  let seq = 0;
  for (const cpu of [10, 20, 30]) {
    await feed(app, agent, { seq: (seq += 1), processes: [processPart(1, cpu, 1024)] });
    app.clock.pass(60);
  }
  const at = async (moment: number) => {
    const path = `/api/data/processes/at?server_id=${agent.serverId}&at=${String(moment)}`;
    const then = dataOf(await app.call('GET', path, user)) as ProcessSnapshotAnswer;
    return [then.snapshot_at, then.processes[0]?.cpu_usage, then.next_at, then.list];
  };
  expect(await at(first + 70)).toEqual([first + 60, 20, first + 120, 'minute']);
  expect(await at(first - 10)).toEqual([null, undefined, first, null]);
  expect(await at(first + 120)).toEqual([first + 120, 30, null, 'newest']);
});

test('process history: one command across its restart, redacted, of its owner only', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-4');
  app.clock.ms = Math.floor(app.clock.ms / 900_000) * 900_000 + 1000;
  const first = Math.floor(app.clock.now() / 60_000) * 60;
  const worker = (pid: number, cpu: number, kilobytes: number) => ({
    ...processPart(pid, cpu, kilobytes * 1024),
    command: 'worker --password=hunter2',
  });
  const lists = [[worker(7, 10, 1024)], [], [worker(8, 30, 2048), worker(9, 5, 1024)]];
  for (const [index, processes] of lists.entries()) {
    const others = [{ ...processPart(99, 1, 1), name: 'init', command: 'init' }];
    await feed(app, agent, { seq: index + 1, processes: [...processes, ...others] });
    app.clock.pass(60);
  }
  const ask = (query: string, token = user) => app.call('GET', `/api/data/processes/history?${query}`, token);
  const shown = (await app.call('GET', `/api/data/processes?server_id=${agent.serverId}`, user)).json
    .data as unknown as ProcessesAnswer;
  const stored = shown.processes.find(({ pid }) => pid === 9)?.command ?? '';
  expect(stored).toMatch(/^worker --password=(?!hunter2)/);
  const query = `server_id=${agent.serverId}&command=${encodeURIComponent(stored)}&hours=1`;
  const found = dataOf(await ask(query)) as ProcessHistoryAnswer;
  expect(found).toMatchObject({ hostname: 'web-4', command: stored, step_seconds: 60 });
  expect(found.points.map((point) => Object.values(point))).toEqual([
    [first, 10, 1024, 1],
    [first + 60, null, null, 0],
    [first + 120, 35, 3072, 2],
  ]);
  const one = dataOf(await ask(`${query}&pid=9`)) as ProcessHistoryAnswer;
  expect(one.points.at(-1)).toMatchObject({ cpu_usage: 5, processes: 1 });
  const never = dataOf(await ask(`server_id=${agent.serverId}&command=nothing`)) as ProcessHistoryAnswer;
  expect([never.starts, never.points.every(({ cpu_usage: cpu }) => cpu === null)]).toEqual([[], true]);
  expect((await ask(query, other)).status).toBe(404);
  expect((await ask(query.replace(/server_id=[^&]+/, 'server_id=00000000-0000-4000-8000-000000000000'))).status).toBe(
    404,
  );
  expect((await app.call('GET', `/api/data/processes/history?${query}`)).status).toBe(401);
});

test('what ran then: nothing older than what is kept, and no further back than the plan in force shows', async () => {
  const app = testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } });
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  app.clock.ms = Math.floor(app.clock.ms / 900_000) * 900_000 + 1000;
  const taken = app.clock.now() / 1000;
  await feed(app, agent, { processes: [processPart(1, 10, 1024)] });
  const ask = (at: number) =>
    app.call('GET', `/api/data/processes/at?server_id=${agent.serverId}&at=${String(at)}`, user);
  const days = { metrics_days: 7, alerts_days: 7, events_days: 7, processes_days: 1 };
  await app.call('PUT', '/api/user/retention-settings', { ...user, body: days });
  app.clock.pass(86_400);
  expect(dataOf(await ask(taken + 60))).toMatchObject({ snapshot_at: taken, kept_since: taken });
  app.clock.pass(1);
  expect(dataOf(await ask(taken + 60))).toMatchObject({ snapshot_at: null, kept_since: taken + 1, processes: [] });
  const now = app.clock.now() / 1000;
  expect((await ask(now - 7 * 86_400)).status).toBe(200);
  const refused = await ask(now - 7 * 86_400 - 1);
  expect([refused.status, refused.json.code, refused.json.field]).toEqual([422, 'plan_limit', 'history']);
});

test('a server goes by the name it was given, else by what it calls itself today, in every list', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'enrolled-as');
  const now = app.clock.now() / 1000;
  const { system } = fullReport('calls-itself', now) as unknown as { system: object };
  await feed(app, agent, {
    system,
    processes: [processPart(1, 10, 1024)],
    events: [event('a', 'service_stop', 'warning', now)],
  });
  await db.sql(
    `INSERT INTO alert (server_key, rule, subject, metric, level, title, message, opened_at, updated_at)
     SELECT key, 'r', '', 'cpu_usage', 'warning', 't', 'm', to_timestamp($2), to_timestamp($2) FROM server WHERE id = $1`,
    [agent.serverId, now],
  );
  const names = async (): Promise<unknown[]> => {
    const get = async (path: string): Promise<unknown> => dataOf(await app.call('GET', `/api/${path}`, user));
    const at = `server_id=${agent.serverId}&at=${String(now + 1)}`;
    return [
      ((await get('servers/list')) as ServersAnswer).fleet[0]?.hostname,
      ((await get('data/processes')) as ProcessesAnswer).processes[0]?.hostname,
      ((await get(`data/processes/at?${at}`)) as ProcessSnapshotAnswer).processes[0]?.hostname,
      ((await get('data/activity')) as ActivityAnswer).events[0]?.hostname,
      ((await get('data/notifications')) as AlertsAnswer).alerts[0]?.tags.hostname,
    ];
  };
  expect(await names()).toEqual(Array.from({ length: 5 }, () => 'calls-itself'));
  await app.call('PUT', `/api/servers/${agent.serverId}`, { ...user, body: { display_name: 'Primary database' } });
  expect(await names()).toEqual(Array.from({ length: 5 }, () => 'Primary database'));
});

test('connections: most important first, addresses masked', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  await feed(app, agent, { connections: [connection('203.0.113.77', 20), connection('198.51.100.9', 90)] });
  const query = `server_id=${agent.serverId}`;
  const { connections, total } = dataOf(
    await app.call('GET', `/api/data/network/connections?${query}`, user),
  ) as NetworkConnectionsAnswer;
  expect([connections.map((c) => c.remote_ip), total]).toEqual([['198.51.100.0', '203.0.113.0'], 2]);
});

test('activity: newest first, with every filter', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const now = app.clock.now() / 1000;
  await feed(app, agent, {
    events: [
      event('a', 'service_stop', 'warning', now - 60),
      event('b', 'service_start', 'info', now - 30),
      event('c', 'process_crash', 'critical', now),
      event('d', 'process_start', 'info', now - 7200),
      event('e', 'process_stop', 'info', now - 7100),
    ],
  });
  const ask = async (query: string) => {
    const { events, total } = dataOf(await app.call('GET', `/api/data/activity?${query}`, user)) as ActivityAnswer;
    return [events.map((e) => e.event_type), total];
  };
  const all = ['process_crash', 'service_start', 'service_stop', 'process_stop', 'process_start'];
  expect(await ask('')).toEqual([all, 5]);
  const folded = dataOf(await app.call('GET', '/api/data/activity?process_runs=folded', user)) as ActivityAnswer;
  expect(folded.events.map((e) => e.event_type)).toEqual(all.slice(0, 3));
  expect([folded.total, folded.folded]).toEqual([3, 2]);
  expect(await ask('severity=warning')).toEqual([['service_stop'], 1]);
  expect(await ask('event_type=service_start')).toEqual([['service_start'], 1]);
  expect(await ask('service_name=sshd')).toEqual([[], 0]);
  expect(await ask(`start_date=${now - 31}`)).toEqual([['process_crash', 'service_start'], 2]);
  expect(await ask('limit=1&offset=1')).toEqual([['service_start'], 5]);
});

test('activity: crashes, updates and config changes lead where the list is asked so', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const now = app.clock.now() / 1000;
  const day = 86_400;
  await feed(app, agent, {
    events: [
      event('a', 'service_stop', 'warning', now - 60),
      event('b', 'config_change', 'info', now - 120),
      event('c', 'process_crash', 'critical', now - 3600),
      event('d', 'update_installed', 'info', now - 2 * day),
      event('e', 'service_start', 'info', now - 30),
    ],
  });
  const ask = async (query: string) =>
    (dataOf(await app.call('GET', `/api/data/activity?${query}`, user)) as ActivityAnswer).events.map(
      ({ event_type: type }) => type,
    );
  const byTime = ['service_start', 'service_stop', 'config_change', 'process_crash', 'update_installed'];
  expect([await ask(''), await ask('order=newest')]).toEqual([byTime, byTime]);
  const lately = ['config_change', 'process_crash', 'service_start', 'service_stop', 'update_installed'];
  expect(await ask('order=leading')).toEqual(lately);
  expect(await ask('order=leading&limit=3')).toEqual(lately.slice(0, 3));
  // A list with a beginning: all that lie in it lead.
  expect(await ask(`order=leading&start_date=${now - 3 * day}`)).toEqual([
    'config_change',
    'process_crash',
    'update_installed',
    'service_start',
    'service_stop',
  ]);
});

test('without dates events and alerts reach back as far as the plan in force shows', async () => {
  const free = testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } });
  const unlimited = testApp(db.storage());
  const user = await free.newUser();
  const agent = await free.newAgent(user);
  const now = free.clock.now() / 1000;
  const week = 7 * 86_400;
  await feed(free, agent, {
    events: [event('seen', 'process_crash', 'error', now), event('over', 'process_crash', 'error', now)],
  });
  // No report says what happened that long ago.
  await db.sql(
    "UPDATE activity_event SET at = to_timestamp($1::double precision - CASE event_id WHEN 'seen' THEN 0 ELSE 1 END)",
    [now - week],
  );
  for (const [rule, ended] of [
    ['seen', now - week],
    ['over', now - week - 1],
    ['firing', null],
  ])
    await db.sql(
      `INSERT INTO alert (server_key, rule, subject, metric, level, title, message, opened_at, updated_at, resolved_at)
       SELECT key, $2, '', 'cpu_usage', 'warning', $2, $2, to_timestamp($3), to_timestamp($3), to_timestamp($4)
         FROM server WHERE id = $1`,
      [agent.serverId, rule, now - 2 * week, ended],
    );
  const totals = (app: TestApp) =>
    Promise.all(
      ['activity', 'notifications', `activity?end_date=${String(now - week)}`].map(
        async (call) => (dataOf(await app.call('GET', `/api/data/${call}`, user)) as { total: number }).total,
      ),
    );
  expect(await totals(free)).toEqual([1, 2, 0]);
  expect(await totals(unlimited)).toEqual([2, 3, 1]);
});

test.each([
  ['/api/data/processes?rank_type=io', 'rank_type'],
  ['/api/data/processes/at?at=1', 'server_id'],
  ['/api/data/processes/history?server_id=00000000-0000-4000-8000-000000000000', 'command'],
  ['/api/data/processes/history?command=x&server_id=00000000-0000-4000-8000-000000000000&hours=337', 'hours'],
  ['/api/data/processes/history?command=x&server_id=00000000-0000-4000-8000-000000000000&pid=-1', 'pid'],
  ['/api/data/processes/at?server_id=00000000-0000-4000-8000-000000000000', 'at'],
  ['/api/data/processes/at?server_id=00000000-0000-4000-8000-000000000000&at=soon', 'at'],
  ['/api/data/activity?severity=bad', 'severity'],
  ['/api/data/activity?event_type=x', 'event_type'],
  ['/api/data/activity?process_runs=x', 'process_runs'],
  ['/api/data/activity?order=x', 'order'],
  ['/api/data/network/connections?start_date=2&end_date=1', 'start_date'],
])('%s is 400 naming the parameter', async (path, field) => {
  const app = testApp(db.storage());
  const answer = await app.call('GET', path, await app.newUser());
  expect([answer.status, answer.json.field]).toEqual([400, field]);
});
