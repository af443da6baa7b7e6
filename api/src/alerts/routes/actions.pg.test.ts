import type { BulkAnswer } from '@plimsoll/contract/wire/alerts/alert-actions';
import type { Alert, AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type Answer, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { openAlert, resolveAlert } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();

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
const open = (app: TestApp, user: TestUser, agent: TestAgent, parts = {}) =>
  openAlert(db.storage(), ownerOf(user.organisationId), agent, app.clock.now(), parts);
const list = async (app: TestApp, user: TestUser): Promise<Alert[]> =>
  (dataOf(await app.call('GET', '/api/data/notifications', user)) as AlertsAnswer).alerts;
const audited = async (app: TestApp, user: TestUser): Promise<string[]> => {
  const log = dataOf(await app.call('GET', '/api/user/audit-log', user)) as { entries: { action: string }[] };
  return log.entries.map(({ action }) => action);
};
const bulk = async (app: TestApp, user: TestUser, body: object) =>
  dataOf(await app.call('POST', '/api/alerts/bulk', { ...user, body })) as BulkAnswer;

test('an alert is acknowledged with a note and by whom, and the acknowledgement is taken back', async () => {
  const { app, user, agent } = await world();
  const id = await open(app, user, agent);
  const path = `/api/alerts/${id}`;
  const answer = await app.call('POST', `${path}/acknowledge`, { ...user, body: { note: ' on it ' } });
  const expected = {
    acknowledged_at: new Date(app.clock.now()).toISOString(),
    acknowledged_by: user.email.split('@')[0],
    acknowledged_note: 'on it',
    status: 'active',
  };
  expect(dataOf(answer)).toMatchObject({ alert: expected });
  app.clock.pass(60);
  await app.call('POST', `${path}/acknowledge`, user);
  expect(await list(app, user)).toMatchObject([expected]);
  await app.call('POST', `${path}/acknowledge`, { ...user, body: { note: 'found it' } });
  expect(await list(app, user)).toMatchObject([{ acknowledged_note: 'found it' }]);
  const nothing = { acknowledged_at: null, acknowledged_by: null, acknowledged_note: null };
  expect(dataOf(await app.call('POST', `${path}/unacknowledge`, user))).toMatchObject({ alert: nothing });
  expect(await list(app, user)).toMatchObject([nothing]);
  expect(await audited(app, user)).toEqual(['alert_unacknowledged', 'alert_acknowledged', 'alert_acknowledged']);
});

test('an alert that is over, unknown or of another account is not acknowledged', async () => {
  const { app, user, agent } = await world();
  const other = await app.newUser();
  const id = await open(app, user, agent);
  const act = (who: object, alert: string, body: unknown = {}) =>
    app.call('POST', `/api/alerts/${alert}/acknowledge`, { ...who, body });
  const [foreign, unknown] = [await act(other, id), await act(other, crypto.randomUUID())];
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  expect((await act({}, id)).status).toBe(401);
  expect([(await act(user, 'x')).status, (await act(user, 'x')).json.field]).toEqual([400, 'id']);
  const long = await act(user, id, { note: 'x'.repeat(501) });
  expect([long.status, long.json.field]).toEqual([400, 'note']);
  await resolveAlert(db.storage(), agent, app.clock.now());
  expect((await act(user, id)).json).toMatchObject({ code: 'alert_resolved' });
});

test('a bulk operation says what came of each alert, and its undo restores exactly that', async () => {
  const { app, user, agent } = await world();
  const other = await app.newUser();
  const ids = [
    await open(app, user, agent),
    await open(app, user, agent, { rule: 'default-cpu', metric: 'cpu_usage' }),
    await open(app, user, agent, { rule: 'default-disk', metric: 'disk_usage', subject: '/' }),
    await open(app, other, await app.newAgent(other)),
    crypto.randomUUID(),
  ];
  await app.call('POST', `/api/alerts/${ids[1]}/acknowledge`, { ...user, body: { note: 'mine' } });
  const before = await list(app, user);
  app.clock.pass(60);
  const done = await bulk(app, user, { action: 'acknowledge', alert_ids: [...ids, ids[0]], note: 'all' });
  expect(done).toMatchObject({
    action: 'acknowledge',
    done: 3,
    undo_until: new Date(app.clock.now() + 600_000).toISOString(),
  });
  expect(done.outcomes).toEqual(ids.map((alert_id, i) => ({ alert_id, outcome: i < 3 ? 'done' : 'not_found' })));
  expect(new Set((await list(app, user)).map((alert) => alert.acknowledged_note))).toEqual(new Set(['all']));
  // Somebody changes one of them afterwards: the undo leaves that one alone.
  app.clock.pass(60);
  await app.call('POST', `/api/alerts/${ids[2]}/unacknowledge`, user);
  const undone = await bulk(app, user, { action: 'undo', operation_id: done.operation_id });
  expect(undone).toMatchObject({ action: 'undo', operation_id: done.operation_id, done: 2, undo_until: null });
  expect(undone.outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'changed_since']);
  expect(await list(app, user)).toEqual(before);
  const again = await app.call('POST', '/api/alerts/bulk', {
    ...user,
    body: { action: 'undo', operation_id: done.operation_id },
  });
  expect(again.json).toMatchObject({ code: 'operation_undone' });
  expect(await audited(app, user)).toEqual([
    'alerts_undone',
    'alert_unacknowledged',
    'alerts_acknowledged',
    'alert_acknowledged',
  ]);
});

test('an operation is undone for ten minutes, and by nobody else', async () => {
  const { app, user, agent } = await world();
  const id = await open(app, user, agent);
  const undo = async (who: TestUser, operation_id: string) =>
    (await app.call('POST', '/api/alerts/bulk', { ...who, body: { action: 'undo', operation_id } })).json.code;
  const first = await bulk(app, user, { action: 'acknowledge', alert_ids: [id] });
  expect(await undo(await app.newUser(), first.operation_id)).toBe('not_found');
  app.clock.pass(601);
  expect(await undo(user, first.operation_id)).toBe('undo_expired');
  const second = await bulk(app, user, { action: 'unacknowledge', alert_ids: [id] });
  app.clock.pass(600);
  expect(await undo(user, second.operation_id)).toBeUndefined();
  expect((await list(app, user))[0]?.acknowledged_at).not.toBeNull();
});

test('bulk silences the key of each alert in one call, and the undo ends exactly these silences', async () => {
  const { app, user, agent } = await world();
  const disk = { rule: 'default-disk', metric: 'disk_usage', subject: '/var' };
  const ids = [await open(app, user, agent), await open(app, user, agent, disk)];
  const another = await open(app, user, agent, { ...disk, subject: '/' });
  const done = await bulk(app, user, { action: 'silence', alert_ids: ids, duration_seconds: 3600, comment: 'deploy' });
  expect(done.done).toBe(2);
  const until = new Date(app.clock.now() + 3_600_000).toISOString();
  const silenced = new Map((await list(app, user)).map((alert) => [alert.alert_id, alert.silenced_until]));
  expect(silenced).toEqual(new Map([...ids.map((id) => [id, until] as const), [another, null]]));
  await bulk(app, user, { action: 'undo', operation_id: done.operation_id });
  expect((await list(app, user)).map((alert) => alert.silenced_until)).toEqual([null, null, null]);
});

test.each([
  ['action', { action: 'delete', alert_ids: [] }],
  ['alert_ids', { action: 'acknowledge', alert_ids: [] }],
  ['alert_ids', { action: 'acknowledge', alert_ids: Array.from({ length: 1001 }, () => crypto.randomUUID()) }],
  ['ends_at', { action: 'silence', alert_ids: [crypto.randomUUID()] }],
  ['ends_at', { action: 'silence', alert_ids: [crypto.randomUUID()], ends_at: '2020-01-01T00:00:00Z' }],
  ['operation_id', { action: 'undo', operation_id: '7' }],
])('bad input of a bulk operation is 400 naming %s', async (field, body) => {
  const { app, user } = await world();
  const answer = await app.call('POST', '/api/alerts/bulk', { ...user, body });
  expect([answer.status, answer.json.field]).toEqual([400, field]);
});

test('1,000 alerts are acknowledged and undone in one call each, while reports of their server come in', async () => {
  const { app, user, agent } = await world();
  const change = (n: number) => ({ rule: 'default-disk', metric: 'disk_usage', subject: `/${n}` });
  await open(app, user, agent);
  await db.sql(
    `INSERT INTO alert (server_key, rule, metric, subject, level, title, message, opened_at, updated_at)
     SELECT server_key, 'default-disk', 'disk_usage', '/' || n, 'warning', '', '', opened_at, updated_at
     FROM alert JOIN server ON server.key = server_key, generate_series(1, 999) AS n WHERE server.id = $1`,
    [agent.serverId],
  );
  const rows = await db.sql<{ id: string }>(
    'SELECT a.id FROM alert a JOIN server s ON s.key = a.server_key WHERE s.id = $1',
    [agent.serverId],
  );
  const alert_ids = rows.map(({ id }) => id);
  const evaluations = Array.from({ length: 20 }, async (_, n) =>
    openAlert(db.storage(), ownerOf(user.organisationId), agent, app.clock.now(), change(2000 + n)).catch(() => null),
  );
  const [done] = await Promise.all([bulk(app, user, { action: 'acknowledge', alert_ids }), ...evaluations]);
  expect(done.done).toBe(1000);
  expect((await bulk(app, user, { action: 'undo', operation_id: done.operation_id })).done).toBe(1000);
});

test('a server takes its alerts to a new owner without what the old one wrote about them', async () => {
  const { app, user, agent } = await world();
  const other = await app.newUser();
  const id = await open(app, user, agent);
  await app.call('POST', `/api/alerts/${id}/acknowledge`, { ...user, body: { note: 'secret plan' } });
  await db.sql('UPDATE server SET organisation_id = $2 WHERE id = $1', [agent.serverId, other.organisationId]);
  expect(await list(app, other)).toMatchObject([{ alert_id: id, acknowledged_at: null, acknowledged_note: null }]);
  expect(await db.sql('SELECT FROM alert_event WHERE alert_id = $1', [id])).toEqual([]);
});
