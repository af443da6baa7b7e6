import type { SilenceOnWire, SilencesAnswer } from '@plimsoll/contract/wire/alerts/alert-silences';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type Answer, type TestApp, type TestUser } from '../../testing/app.ts';
import { openAlert, resolveAlert } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const PATH = '/api/alerts/silences';

const dataOf = (answer: Answer): unknown => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data;
};
async function world() {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  return { app, user, agent };
}
const create = async (app: TestApp, user: TestUser, body: object) =>
  (dataOf(await app.call('POST', PATH, { ...user, body })) as { silence: SilenceOnWire }).silence;
const list = async (app: TestApp, user: TestUser, query = '') =>
  dataOf(await app.call('GET', `${PATH}?${query}`, user)) as SilencesAnswer;
const silencedUntil = async (app: TestApp, user: TestUser): Promise<(string | null)[]> => {
  const { alerts } = dataOf(await app.call('GET', '/api/data/notifications', user)) as AlertsAnswer;
  return alerts.map((a) => a.silenced_until);
};

test('a silence is created, listed, changed and ended; each is audited', async () => {
  const { app, user, agent } = await world();
  await openAlert(db.storage(), ownerOf(user.organisationId), agent, app.clock.now());
  const made = await create(app, user, { server_id: agent.serverId, duration_seconds: 3600, comment: ' move ' });
  const now = app.clock.now();
  expect(made).toMatchObject({
    server_id: agent.serverId,
    hostname: 'web-1',
    text: 'server web-1',
    starts_at: new Date(now).toISOString(),
    ends_at: new Date(now + 3_600_000).toISOString(),
    status: 'active',
    comment: 'move',
    created_by: user.email.split('@')[0],
  });
  expect(await silencedUntil(app, user)).toEqual([made.ends_at]);
  const body = { metric: 'memory_usage', ends_at: new Date(now + 60_000).toISOString() };
  const changed = await app.call('PUT', `${PATH}/${made.silence_id}`, { ...user, body });
  expect(dataOf(changed)).toMatchObject({
    silence: { server_id: null, metric: 'memory_usage', ends_at: body.ends_at, starts_at: made.starts_at },
  });
  expect(await silencedUntil(app, user)).toEqual([body.ends_at]);
  dataOf(await app.call('DELETE', `${PATH}/${made.silence_id}`, user));
  expect(await silencedUntil(app, user)).toEqual([null]);
  expect(await list(app, user)).toEqual({ silences: [], total: 0 });
  const audit = dataOf(await app.call('GET', '/api/user/audit-log', user)) as { entries: { action: string }[] };
  expect(audit.entries.map(({ action }) => action)).toEqual(['silence_deleted', 'silence_changed', 'silence_created']);
});

test('an alert is silenced from its row in one call: its key, and no other', async () => {
  const { app, user, agent } = await world();
  const owner = ownerOf(user.organisationId);
  const id = await openAlert(db.storage(), owner, agent, app.clock.now());
  await openAlert(db.storage(), owner, agent, app.clock.now(), { rule: 'default-cpu', metric: 'cpu_usage' });
  const made = await create(app, user, { alert_id: id, duration_seconds: 60 });
  expect(made).toMatchObject({ server_id: agent.serverId, rule_id: 'default-memory', subject: '', metric: null });
  expect((await silencedUntil(app, user)).filter((until) => until !== null)).toEqual([made.ends_at]);
  await resolveAlert(db.storage(), agent, app.clock.now());
  expect(await silencedUntil(app, user)).toEqual([null, null]);
  app.clock.pass(60);
  expect((await list(app, user)).silences).toMatchObject([{ status: 'expired' }]);
});

test('the list has active ones first, then pending, then expired; and each status alone', async () => {
  const { app, user } = await world();
  const end = (seconds: number) => ({ ends_at: app.clock.now() / 1000 + seconds });
  await create(app, user, { metric: 'old', ...end(60) });
  await create(app, user, { metric: 'active-long', ...end(9000) });
  app.clock.pass(120);
  await create(app, user, { metric: 'active-short', ...end(900) });
  await create(app, user, { metric: 'later', starts_at: app.clock.now() / 1000 + 600, ...end(700) });
  const metrics = async (query = '') => (await list(app, user, query)).silences.map(({ metric }) => metric);
  expect(await metrics()).toEqual(['active-short', 'active-long', 'later', 'old']);
  expect(await metrics('status=active')).toEqual(['active-short', 'active-long']);
  expect(await metrics('status=pending')).toEqual(['later']);
  expect(await metrics('status=expired')).toEqual(['old']);
  expect(await list(app, user, 'limit=1&offset=1')).toMatchObject({ total: 4, silences: [{ metric: 'active-long' }] });
});

test.each([
  ['server_id', { duration_seconds: 60 }],
  ['server_id', { server_id: 'x', duration_seconds: 60 }],
  ['ends_at', { metric: 'cpu_usage' }],
  ['ends_at', { metric: 'cpu_usage', ends_at: '2020-01-01T00:00:00Z' }],
  ['ends_at', { metric: 'cpu_usage', ends_at: '2999-01-01T00:00:00Z' }],
  ['ends_at', { metric: 'cpu_usage', ends_at: 'tomorrow' }],
  ['duration_seconds', { metric: 'cpu_usage', ends_at: '2999-01-01T00:00:00Z', duration_seconds: 60 }],
  ['duration_seconds', { metric: 'cpu_usage', duration_seconds: 59 }],
  ['starts_at', { metric: 'cpu_usage', starts_at: '2020-01-01T00:00:00Z', duration_seconds: 60 }],
  ['tag_key', { tag_value: 'prod', duration_seconds: 60, metric: 'cpu_usage' }],
  ['metric', { alert_id: '00000000-0000-4000-8000-000000000000', metric: 'cpu_usage', duration_seconds: 60 }],
  ['comment', { metric: 'cpu_usage', duration_seconds: 60, comment: 'x'.repeat(501) }],
])('bad input is 400 naming %s: %o', async (field, body) => {
  const { app, user } = await world();
  const answer = await app.call('POST', PATH, { ...user, body });
  expect([answer.status, answer.json.field, answer.json.detail]).toEqual([400, field, expect.stringContaining(field)]);
});

test('what is unknown or of another account is 404; without a session 401', async () => {
  const { app, user, agent } = await world();
  const other = await app.newUser();
  const { silence_id: id } = await create(app, user, { server_id: agent.serverId, duration_seconds: 60 });
  const alert = await openAlert(db.storage(), ownerOf(user.organisationId), agent, app.clock.now());
  const body = { metric: 'cpu_usage', duration_seconds: 60 };
  for (const target of [id, crypto.randomUUID()]) {
    expect((await app.call('PUT', `${PATH}/${target}`, { ...other, body })).status).toBe(404);
    expect((await app.call('DELETE', `${PATH}/${target}`, other)).status).toBe(404);
  }
  for (const named of [{ server_id: agent.serverId }, { alert_id: alert }, { cluster_id: 'no-such-cluster' }]) {
    const answer = await app.call('POST', PATH, { ...other, body: { ...named, duration_seconds: 60 } });
    expect(answer.status).toBe(404);
  }
  expect((await app.call('GET', PATH)).status).toBe(401);
  expect((await app.call('POST', PATH, { body })).status).toBe(401);
  expect((await list(app, other)).total).toBe(0);
});
