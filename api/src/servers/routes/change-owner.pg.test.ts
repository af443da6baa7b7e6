/** A server given to another account by root on its host: everything of it moves at once, and nothing stays behind. */
import { beforeAll, expect, test } from 'vitest';
import type { GenerateTokenAnswer } from '@plimsoll/contract/wire/accounts/account';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const MINUTE = 60_000;
let app: TestApp;
let old: TestUser;
let next: TestUser;
let agent: TestAgent;
let apiToken = '';

/** Every call that returns data of a server or of all. */
const QUESTIONS = [
  '/api/servers/ID',
  '/api/servers/list',
  '/api/data/metrics?server_id=ID',
  '/api/data/metrics',
  '/api/data/metrics/timeseries?hours=1&server_id=ID',
  '/api/data/metrics/timeseries?hours=1',
  '/api/data/metrics/sparks?server_ids=ID',
  '/api/data/metrics/compare?server_ids=ID&figure=cpu',
  '/api/data/network/timeseries?hours=1',
  '/api/data/network/metrics?server_id=ID',
  '/api/data/network/connections',
  '/api/data/notifications',
  '/api/data/activity',
  '/api/data/processes',
];
const answers = async ({ token }: TestUser): Promise<Record<string, unknown>> => {
  const told: Record<string, unknown> = {};
  for (const question of QUESTIONS) {
    const { json } = await app.call('GET', question.replace('ID', agent.serverId), { token });
    told[question] = json.success === true ? json.data : json.code;
  }
  return told;
};
const generate = async (user: TestUser, body: unknown): Promise<string> => {
  const answer = await app.call('POST', '/api/user/generate-auth-token', { token: user.token, body });
  return (answer.json.data as unknown as GenerateTokenAnswer).token;
};
const changeOwner = (token: string, to: string) =>
  app.call('POST', '/api/agent/v1/change-owner', { token, body: { api_token: to } });
const actions = async (user: TestUser): Promise<unknown> => {
  const { json } = await app.call('GET', '/api/user/audit-log', user);
  return (json.data as unknown as { entries: { action: string; detail: unknown }[] }).entries.filter(
    ({ action }) => action === 'owner_changed',
  );
};

beforeAll(async () => {
  app = testApp(db.storage());
  [old, next] = [await app.newUser(), await app.newUser()];
  agent = await app.newAgent(old, 'moving');
  app.clock.ms = Math.floor(app.clock.ms / MINUTE) * MINUTE;
  const now = app.clock.ms;
  // Ten minutes over the line, so that it has an alert, too.
  const items = Array.from({ length: 10 }, (_, index) => {
    const ts = now / 1000 - (9 - index) * 60;
    const full = fullReport('moving', ts);
    return {
      ...full,
      cpu: { ...(full['cpu'] as object), percent: 91 },
      seq: index + 1,
      ts,
      up: 100_000 - (9 - index) * 60,
    };
  });
  for (const item of items) {
    app.clock.ms = item.ts * 1000;
    const body = reportsBody(agent, app.clock.ms, [item], { up_now: item.up });
    const sent = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    if (sent.status !== 200) throw new Error(sent.text);
  }
  apiToken = await generate(next, { name: 'permanent', scopes: ['transfer'] });
});

test('a token that may not take over, one of another type and one nobody knows are refused', async () => {
  const reader = await generate(next, { name: 'ci', scopes: ['read', 'write'] });
  for (const wrong of [reader, next.token, agent.token, 'nonsense', `${apiToken}x`]) {
    const answer = await changeOwner(agent.token, wrong);
    expect([answer.status, answer.json.code, answer.json.field]).toEqual([401, 'api_token_unknown', 'api_token']);
    expect(answer.json.remedy).toContain('Profile');
  }
  expect(await actions(old)).toEqual([]);
});

test('every answer about it is the new owner’s from then on, word for word, and the old one has none', async () => {
  const before = await answers(old);
  // CPU, and the unit that failed.
  expect(before['/api/data/notifications']).toMatchObject({ total: 2 });
  const none = await answers(next);
  const moved = await changeOwner(agent.token, apiToken);
  expect([moved.status, moved.json]).toEqual([200, { server_id: agent.serverId, owner: next.email }]);
  expect(await answers(next)).toEqual(before);
  expect(await answers(old)).toEqual(none);
  expect(none['/api/servers/ID']).toBe('not_found');
});

test('it is written down on both sides, with who took it', async () => {
  const detail = { id: agent.serverId, server: 'moving', to: next.email };
  for (const user of [old, next]) expect(await actions(user)).toMatchObject([{ detail }]);
});

test('its agent goes on with the token it has, for the new owner', async () => {
  app.clock.pass(60);
  const body = reportsBody(agent, app.clock.now(), [{ ...fullReport('moving', app.clock.now() / 1000), seq: 11 }]);
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
  const { json } = await app.call('GET', '/api/data/network/metrics', next);
  expect(json.data).toMatchObject({ total: 1, metrics: [{ timestamp: app.clock.now() / 1000 }] });
});

test('given to the owner it has, nothing happens but an entry', async () => {
  const before = await answers(next);
  expect((await changeOwner(agent.token, apiToken)).status).toBe(200);
  expect(await answers(next)).toEqual(before);
  expect(await actions(next)).toHaveLength(2);
});

test('an account that has a server of this machine is not given a second one', async () => {
  const rival = await app.newUser();
  await app.newAgent(rival, 'moving');
  const answer = await changeOwner(agent.token, await generate(rival, { name: 'p', scopes: ['transfer'] }));
  expect([answer.status, answer.json.code]).toEqual([409, 'owner_has_machine']);
  expect(await answers(next)).toMatchObject({ '/api/servers/list': { total: 1 } });
});

test('without its entry in both logs nothing moves', async () => {
  const third = await app.newUser();
  const token = await generate(third, { name: 'p', scopes: ['transfer'] });
  const storage = db.storage();
  let entries = 0;
  const failing = testApp({
    ...storage,
    inTransaction: (work) =>
      storage.inTransaction((stores) => {
        const record: typeof stores.tenancy.audit.record = (...entry) => {
          entries += 1;
          return entries === 2 ? Promise.reject(new Error('no room')) : stores.tenancy.audit.record(...entry);
        };
        return work({ ...stores, tenancy: { ...stores.tenancy, audit: { ...stores.tenancy.audit, record } } });
      }),
  });
  const answer = await failing.call('POST', '/api/agent/v1/change-owner', {
    token: agent.token,
    body: { api_token: token },
  });
  expect([answer.status, entries]).toEqual([500, 2]);
  expect(await actions(third)).toEqual([]);
  expect(await answers(next)).toMatchObject({ '/api/servers/list': { total: 1 } });
});

test('an account whose plan is full is not given a server, also not by two transfers at once', async () => {
  const limited = testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } });
  limited.clock.ms = app.clock.ms;
  const full = await app.newUser();
  for (const name of ['full-1', 'full-2']) await app.newAgent(full, name);
  const token = await generate(full, { name: 'p', scopes: ['transfer'] });
  const others = [await app.newAgent(old, 'third'), await app.newAgent(old, 'fourth')];
  const moved = await Promise.all(
    others.map((one) =>
      limited.call('POST', '/api/agent/v1/change-owner', { token: one.token, body: { api_token: token } }),
    ),
  );
  expect(moved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422]);
  expect(moved.find(({ status }) => status === 422)?.json.code).toBe('plan_limit');
  const list = await app.call('GET', '/api/servers/list', full);
  expect(list.json.data).toMatchObject({ total: 3 });
  // Its own server is none more.
  const own = others[moved.findIndex(({ status }) => status === 200)];
  const again = await limited.call('POST', '/api/agent/v1/change-owner', {
    token: own?.token ?? '',
    body: { api_token: token },
  });
  expect(again.status).toBe(200);
});
