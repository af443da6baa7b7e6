import type { PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import type { StatusIncidentOnWire, StatusIncidentsAnswer } from '@plimsoll/contract/wire/checks/status-incidents';
import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import { expect, test } from 'vitest';
import { testApp, type Answer } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();

const dataOf = (answer: Answer): unknown => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data;
};
const incidentOf = (answer: Answer) => (dataOf(answer) as { incident: StatusIncidentOnWire }).incident;

async function world(more: object = {}) {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agents = [await app.newAgent(user, 'secret-1'), await app.newAgent(user, 'secret-2')] as const;
  const servers = [
    { server_id: agents[0].serverId, label: 'Checkout', group: 'Shop' },
    { server_id: agents[1].serverId, label: 'Search', group: 'Shop' },
  ];
  const made = await app.call('POST', '/api/status-pages', { ...user, body: { title: 'Shop', servers, ...more } });
  const { status_page: page } = dataOf(made) as { status_page: StatusPageOnWire };
  const path = `/api/status-pages/${page.page_id}/incidents`;
  const seen = async () => {
    const answer = await app.call('GET', `/api/public${page.path.replace('/status/', '/status-pages/')}`);
    return (dataOf(answer) as { status_page: PublicStatusPage }).status_page;
  };
  const body = {
    title: 'Checkout fails for some customers',
    impact: 'partly_offline',
    server_ids: [agents[0].serverId],
    text: 'Some orders end with an error.',
  };
  return { app, user, agents, page, path, seen, body };
}

test('an incident is announced, updated, corrected and resolved; readers see each at once, and each is audited', async () => {
  const { app, user, path, seen, body, page } = await world();
  expect((await seen()).state).toBe('unknown');
  const next = new Date(app.clock.now() + 900_000).toISOString();
  const made = incidentOf(await app.call('POST', path, { ...user, body: { ...body, next_update_at: next } }));
  expect(made).toMatchObject({ state: 'investigating', resolved_at: null, next_update_at: next });
  const shown = await seen();
  expect(shown).toMatchObject({ state: 'outage', incidents: [{ affects: ['Checkout'], next_update_at: next }] });
  expect(shown.parts.map(({ name, state }) => [name, state])).toEqual([
    ['Checkout', 'partly_offline'],
    ['Search', 'not_reporting'],
  ]);
  const one = `${path}/${made.incident_id}`;
  app.clock.pass(60);
  await app.call('POST', `${one}/updates`, { ...user, body: { state: 'identified', text: 'Too little memroy.' } });
  const { updates } = (await seen()).incidents[0] ?? {};
  expect(updates?.map(({ text }) => text)).toEqual(['Too little memroy.', 'Some orders end with an error.']);
  const listed = dataOf(await app.call('GET', path, user)) as StatusIncidentsAnswer;
  const update = listed.incidents[0]?.updates[0];
  expect([update?.created_by, listed.incidents[0]?.next_update_at]).toEqual([expect.anything(), null]);
  const corrected = { ...user, body: { text: 'Too little memory.' } };
  dataOf(await app.call('PUT', `${one}/updates/${update?.update_id ?? ''}`, corrected));
  expect((await seen()).incidents[0]?.updates[0]?.text).toBe('Too little memory.');
  app.clock.pass(60);
  const end = incidentOf(
    await app.call('POST', `${one}/updates`, { ...user, body: { state: 'resolved', text: 'Orders work.' } }),
  );
  expect(end.resolved_at).toBe(new Date(app.clock.now()).toISOString());
  expect(await seen()).toMatchObject({ state: 'unknown', incidents: [{ state: 'resolved' }] });
  const feed = await app.call('GET', `${page.path}/feed.atom`);
  expect([feed.headers.get('content-type'), feed.text]).toEqual([
    'application/atom+xml; charset=utf-8',
    expect.stringContaining('<title>Resolved: Checkout fails for some customers</title>'),
  ]);
  dataOf(await app.call('DELETE', one, user));
  expect((await seen()).incidents).toEqual([]);
  const audit = dataOf(await app.call('GET', '/api/user/audit-log', user)) as { entries: { action: string }[] };
  expect(audit.entries.map(({ action }) => action).filter((action) => action.startsWith('status_incident'))).toEqual([
    'status_incident_deleted',
    'status_incident_updated',
    'status_incident_updated',
    'status_incident_updated',
    'status_incident_created',
  ]);
});

test('a later update reopens an incident; a change keeps its updates', async () => {
  const { app, user, path, body, agents } = await world();
  const made = incidentOf(await app.call('POST', path, { ...user, body: { ...body, state: 'resolved' } }));
  expect(made.resolved_at).not.toBeNull();
  const one = `${path}/${made.incident_id}`;
  app.clock.pass(1);
  const again = { ...user, body: { state: 'monitoring', text: 'It is back.' } };
  expect(incidentOf(await app.call('POST', `${one}/updates`, again))).toMatchObject({
    state: 'monitoring',
    resolved_at: null,
  });
  const changed = incidentOf(
    await app.call('PUT', one, {
      ...user,
      body: {
        title: 'Search is slow',
        impact: 'over_line',
        server_ids: [agents[1].serverId],
        started_at: '2020-01-01T00:00:00Z',
      },
    }),
  );
  expect(changed).toMatchObject({ title: 'Search is slow', started_at: '2020-01-01T00:00:00.000Z' });
  expect(changed.updates).toHaveLength(2);
});

test.each([
  ['server_ids', { server_ids: [crypto.randomUUID()] }],
  ['started_at', { started_at: '2126-01-01T00:00:00Z' }],
  ['title', { title: 'two\nlines' }],
  ['text', { text: ' ' }],
  ['impact', { impact: 'maintenance' }],
])('bad input is 400 naming %s', async (field, wrong) => {
  const { app, user, path, body } = await world();
  const answer = await app.call('POST', path, { ...user, body: { ...body, ...wrong } });
  expect([answer.status, answer.json.field]).toEqual([400, field]);
});

test('an update of another incident, and an incident of another page, are not found', async () => {
  const { app, user, path, body } = await world();
  const first = incidentOf(await app.call('POST', path, { ...user, body }));
  const second = incidentOf(await app.call('POST', path, { ...user, body }));
  const text = { ...user, body: { text: 'x' } };
  const updateId = second.updates[0]?.update_id ?? '';
  expect((await app.call('PUT', `${path}/${first.incident_id}/updates/${updateId}`, text)).status).toBe(404);
  const other = await world();
  const elsewhere = `${other.path}/${first.incident_id}/updates`;
  const update = { ...other.user, body: { state: 'resolved', text: 'x' } };
  expect((await app.call('POST', elsewhere, update)).status).toBe(404);
});

test('maintenance that was planned ahead is announced without the words of its silence', async () => {
  const { app, user, agents, seen } = await world({ shows_maintenance: true });
  const at = (minutes: number) => new Date(app.clock.now() + minutes * 60_000).toISOString();
  const silence = { server_id: agents[0].serverId, comment: 'secret words', starts_at: at(60), ends_at: at(120) };
  const quiet = (more: object = {}) =>
    app.call('POST', '/api/alerts/silences', { ...user, body: { ...silence, ...more } });
  dataOf(await quiet());
  // One metric only, and one that hides what happens now: neither is planned work.
  dataOf(await quiet({ metric: 'cpu_usage' }));
  dataOf(await quiet({ server_id: agents[1].serverId, starts_at: at(0) }));
  app.clock.pass(15);
  const planned = { affects: ['Checkout'], starts_at: silence.starts_at, ends_at: silence.ends_at };
  expect((await seen()).maintenance).toEqual([planned]);
  app.clock.pass(3600);
  expect(await seen()).toMatchObject({ state: 'maintenance', maintenance: [planned] });
  expect(JSON.stringify(await seen())).not.toContain('secret words');
});

test('the page is HTML that loads and runs nothing; an unknown address has a page too', async () => {
  const { app, page, user, path } = await world({ title: 'A <b>shop</b>' });
  const text = '<img src=x onerror=alert(1)>';
  dataOf(await app.call('POST', path, { ...user, body: { title: text, impact: 'none', text } }));
  const answer = await app.call('GET', page.path);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(answer.text).toContain('A &lt;b&gt;shop&lt;/b&gt;');
  expect(answer.text).not.toMatch(/<script|<img|secret-/);
  const etag = answer.headers.get('etag') ?? '';
  expect((await app.call('GET', page.path, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const unknown = await app.call('GET', `/status/${'A'.repeat(22)}`);
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(unknown.text).toContain('No page is published at this address');
});
