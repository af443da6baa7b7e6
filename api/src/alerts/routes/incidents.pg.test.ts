import { randomUUID } from 'node:crypto';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { IncidentAnswer, IncidentsAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { testApp, type Answer } from '../../testing/app.ts';
import { openAlert, resolveAlert } from '../../testing/notify.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const dataOf = (answer: Answer): unknown => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data;
};
async function world() {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-1');
  const owner = ownerOf(user.organisationId);
  const alertId = await openAlert(db.storage(), owner, agent, app.clock.now());
  const list = async (query = '') => dataOf(await app.call('GET', `/api/incidents?${query}`, user)) as IncidentsAnswer;
  const get = async (id: string) =>
    (dataOf(await app.call('GET', `/api/incidents/${id}`, user)) as IncidentAnswer).incident;
  return { app, user, other, agent, owner, alertId, list, get };
}
const CPU = { rule: 'default-cpu', metric: 'cpu_usage', title: 'CPU usage above 80%' };

test('an incident is listed and opened with its members and counts', async () => {
  const { app, agent, owner, alertId, list, get } = await world();
  await openAlert(db.storage(), owner, agent, app.clock.now(), { ...CPU, level: 'critical' });
  const { incidents, total } = await list('state=open');
  expect(total).toBe(1);
  const [incident] = incidents;
  expect(incident).toEqual({
    incident_id: expect.any(String),
    title: 'CPU usage above 80%',
    cause: 'cpu_usage',
    level: 'critical',
    state: 'open',
    opened_at: new Date(app.clock.now()).toISOString(),
    resolved_at: null,
    server_id: agent.serverId,
    hostname: 'web-1',
    alerts: 2,
    folded: 0,
    counts: { cpu_usage: 1, memory_usage: 1 },
    likely_cause: null,
  });
  const { members, ...rest } = await get(incident?.incident_id ?? '');
  expect(rest).toEqual(incident);
  expect(members).toMatchObject([
    { metric_name: 'cpu_usage', hostname: 'web-1', folded: false, resolved_at: null },
    { alert_id: alertId, metric_name: 'memory_usage', level: 'warning' },
  ]);
});

test('a resolved incident keeps its members; lists filter by state and are cut into pages', async () => {
  const { app, agent, owner, list, get } = await world();
  app.clock.pass(60);
  await resolveAlert(db.storage(), agent, app.clock.now());
  app.clock.pass(60);
  await openAlert(db.storage(), owner, agent, app.clock.now(), CPU);
  const [resolved] = (await list('state=resolved')).incidents;
  expect(resolved).toMatchObject({ state: 'resolved', cause: 'memory_usage', alerts: 1 });
  expect((await get(resolved?.incident_id ?? '')).members).toHaveLength(1);
  expect((await list('state=open')).incidents).toMatchObject([{ cause: 'cpu_usage' }]);
  expect(await list('limit=1&offset=1')).toMatchObject({ total: 2, incidents: [{ cause: 'memory_usage' }] });
});

test('without a session: 401', async () => {
  const { app } = await world();
  for (const path of ['/api/incidents', `/api/incidents/${randomUUID()}`])
    expect((await app.call('GET', path, {})).status).toBe(401);
});

test('bad input names the field', async () => {
  const { app, user } = await world();
  for (const [path, field] of [
    ['/api/incidents?state=closed', 'state'],
    ['/api/data/notifications?folded=1', 'folded'],
    ['/api/incidents?limit=0', 'limit'],
    ['/api/incidents/7', 'id'],
  ] as const) {
    const answer = await app.call('GET', path, user);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(field)]);
  }
});

test('an unknown incident and one of another account are not found', async () => {
  const { app, user, other, list } = await world();
  const [incident] = (await list()).incidents;
  const path = `/api/incidents/${incident?.incident_id ?? ''}`;
  expect((await app.call('GET', `/api/incidents/${randomUUID()}`, user)).status).toBe(404);
  expect((await app.call('GET', path, other)).status).toBe(404);
  expect(dataOf(await app.call('GET', '/api/incidents', other))).toEqual({ incidents: [], total: 0 });
});

test('in the list of alerts, the cause counts those that it explains, and `folded` leaves them out', async () => {
  const { app, user, agent, owner, list } = await world();
  await openAlert(db.storage(), owner, agent, app.clock.now(), {
    rule: 'default-offline',
    metric: 'offline',
    title: 'Server is offline',
  });
  const alerts = async (query: string) =>
    dataOf(await app.call('GET', `/api/data/notifications?${query}`, user)) as AlertsAnswer;
  const id = (await list()).incidents[0]?.incident_id;
  expect(await alerts('folded=false')).toMatchObject({
    total: 1,
    alerts: [{ metric_name: 'offline', incident: { incident_id: id, folded: false, below: 1 } }],
  });
  expect(await alerts('folded=true')).toMatchObject({
    total: 1,
    alerts: [{ metric_name: 'memory_usage', incident: { incident_id: id, folded: true, below: 0 } }],
  });
  expect((await alerts('')).total).toBe(2);
  await resolveAlert(db.storage(), agent, app.clock.now());
  expect((await alerts('folded=false')).alerts[0]?.incident?.below).toBe(0);
});
