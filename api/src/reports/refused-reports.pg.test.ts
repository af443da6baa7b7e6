import { beforeEach, describe, expect, it } from 'vitest';
import { markRefusedJob, markSilentJob, resolveUnruledJob } from '../alerts/jobs.ts';
import { reportsBody, testApp, type Answer, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { fullReport } from '../testing/full-report.ts';
import { ALWAYS_RECEIVING } from '../testing/ingest-watch.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const BAD = { up: 'x' };
const DETAIL = 'up: Invalid input: expected number, received string';

let app: TestApp;
let user: TestUser;
let agent: TestAgent;
let seq: number;

beforeEach(async () => {
  await db.sql('TRUNCATE server CASCADE');
  app = testApp(db.storage());
  user = await app.newUser();
  agent = await app.newAgent(user);
  seq = 0;
});

const post = (body: unknown, token = agent.token): Promise<Answer> =>
  app.call('POST', '/api/agent/v1/reports', { token, body });
/** Sends one report a minute after the one before. */
const send = (item: Record<string, unknown> = {}): Promise<Answer> => {
  app.clock.pass(60);
  seq += 1;
  return post(reportsBody(agent, app.clock.now(), [{ seq, ...item }]));
};
const get = async (path: string): Promise<Record<string, unknown>> =>
  (await app.call('GET', path, { token: user.token })).json['data'] as unknown as Record<string, unknown>;
const detailOf = async () => (await get(`/api/servers/${agent.serverId}`))['server'] as Record<string, unknown>;
const statusOf = async (): Promise<unknown> => (await detailOf())['status'];

describe('a server whose reports are refused', () => {
  it('has the status refused with the reason, until a report is stored', async () => {
    expect((await send()).status).toBe(200);
    const storedAt = new Date(app.clock.now()).toISOString();
    const answer = await send(BAD);
    expect([answer.status, answer.json]).toMatchObject([
      207,
      { rejected: [{ seq: 2, code: 'invalid_item', detail: DETAIL }] },
    ]);
    const since = new Date(app.clock.now()).toISOString();
    await send(BAD);
    expect(await detailOf()).toMatchObject({
      status: 'refused',
      refusal: { since, last_at: new Date(app.clock.now()).toISOString(), detail: DETAIL, last_stored_at: storedAt },
    });
    await send();
    expect(await detailOf()).toMatchObject({ status: 'active', refusal: null });
  });

  it('has it from its first report on, and is offline when it falls silent', async () => {
    expect(await statusOf()).toBe('installing');
    await send(BAD);
    expect(await detailOf()).toMatchObject({ status: 'refused', refusal: { last_stored_at: null } });
    app.clock.pass(181);
    expect(await statusOf()).toBe('offline');
  });

  it('is counted, filtered and scoped by that, and is not online', async () => {
    await send(BAD);
    const all = await get('/api/servers/list');
    expect(all['summary']).toMatchObject({
      total: 1,
      online: 0,
      offline: 0,
      installing: 0,
      refused: 1,
      uptime_percent: 0,
    });
    for (const query of ['status=refused', 'scope=status:refused'])
      expect((await get(`/api/servers/list?${query}`))['total']).toBe(1);
    for (const query of ['status=active', 'status=installing', 'scope=status:active'])
      expect((await get(`/api/servers/list?${query}`))['total']).toBe(0);
  });

  it.each([
    ['no JSON', 'x', 400, 'invalid_json'],
    ['no envelope', { v: 1, reports: [] }, 400, 'invalid_parameter'],
    ['another version', { v: 99 }, 426, 'version_not_spoken'],
  ])('has it where the whole request is refused: %s', async (_name, body, status, code) => {
    await send();
    // No stream can be read from such a request: the server still talks.
    for (let minute = 0; minute < 10; minute += 1) {
      app.clock.pass(60);
      expect((await post(body)).status).toBe(status);
    }
    expect(await detailOf()).toMatchObject({ status: 'refused', refusal: { code } });
    await send();
    expect(await statusOf()).toBe('active');
  });

  it('is not one whose backlog alone is refused', async () => {
    await send();
    const old = { seq: 90, ts: app.clock.now() / 1000 - 3600, up: 'x' };
    expect((await post(reportsBody(agent, app.clock.now(), [old]))).status).toBe(207);
    expect(await statusOf()).toBe('active');
    await post(reportsBody(agent, app.clock.now(), [{ seq: 91 }, { seq: 92, ...BAD }]));
    expect(await statusOf()).toBe('active');
  });

  it('is not marked by a stranger with a dead token', async () => {
    await send();
    const old = agent;
    agent = await app.newAgent(user, 'other');
    await app.call('DELETE', '/api/servers/delete', { token: user.token, body: { server_id: old.serverId } });
    expect((await post('x', old.token)).status).toBe(410);
    expect(await db.sql('SELECT 1 FROM report_refusal WHERE code = $1', ['invalid_json'])).toEqual([]);
  });
});

describe('the alert reports_refused', () => {
  const deps = () => ({ ...db.storage(), alertRules: app.deps.alertRules, changes: app.deps.changes });
  const judge = () => markRefusedJob(deps()).run(app.clock.now());
  const alerts = async (): Promise<unknown> => (await get('/api/data/notifications'))['alerts'];

  it('opens after three intervals with the reason, and the first stored report resolves it', async () => {
    await send();
    await send(BAD);
    for (let minute = 0; minute < 2; minute += 1) {
      await send(BAD);
      expect(await judge()).toBeNull();
    }
    await send(BAD);
    expect(await judge()).toEqual({ opened: 1, resolved: 0 });
    expect(await judge()).toBeNull();
    expect(await alerts()).toMatchObject([
      {
        metric_name: 'reports_refused',
        level: 'critical',
        status: 'active',
        title: 'Reports are refused',
        message: `Reports refused for 3 min: ${DETAIL}`,
      },
    ]);
    // A refused server is not silent, and its rule is in force.
    const silence = { ...deps(), ingestWatch: ALWAYS_RECEIVING, reportIntervalSeconds: 60 };
    expect(await markSilentJob(silence).run(app.clock.now())).toBeNull();
    expect(await resolveUnruledJob(deps()).run(app.clock.now())).toBeNull();
    await send();
    expect(await alerts()).toMatchObject([{ status: 'resolved', message: 'Reports are accepted again' }]);
    expect(await judge()).toBeNull();
  });

  it('is resolved by the job where a request was interrupted', async () => {
    for (let minute = 0; minute < 4; minute += 1) await send(BAD);
    await judge();
    await db.sql('DELETE FROM report_refusal');
    expect(await judge()).toEqual({ opened: 0, resolved: 1 });
    expect(await alerts()).toMatchObject([{ status: 'resolved' }]);
  });

  it('does not open where a rule switches it off', async () => {
    const rule = {
      metric: 'reports_refused',
      target: 'all',
      lines: [{ level: 'critical', threshold: null }],
      enabled: false,
    };
    expect((await app.call('POST', '/api/alerts/rules', { token: user.token, body: rule })).status).toBe(200);
    for (let minute = 0; minute < 5; minute += 1) await send(BAD);
    expect(await judge()).toBeNull();
  });
});

it('stores the report of an old agent with 240 disks, and says what it left out', async () => {
  const [disk] = fullReport('a', 0)['disks'] as Record<string, unknown>[];
  const disks = Array.from({ length: 240 }, (_, index) => ({ ...disk, device: `sd${String(index)}` }));
  const answer = await send({ ...fullReport('a', app.clock.now() / 1000), disks });
  expect([answer.status, answer.json['rejected']]).toEqual([200, []]);
  expect(await detailOf()).toMatchObject({
    status: 'active',
    disks: { length: 200 },
    sources: { 'disk-io': { error: expect.stringContaining('40 of 240 disks are left out') } },
  });
  const latest = await get(`/api/data/metrics?server_id=${agent.serverId}`);
  expect(JSON.stringify(latest)).toContain('41.1');
});
