import { STATUS_PAGE_LIMITS } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import type { StatusPageOnWire, StatusPagesAnswer } from '@plimsoll/contract/wire/checks/status-pages';
import { expect, test } from 'vitest';
import { createRates } from '../http/limits/rate-limit.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp, type Answer, type TestApp, type TestAgent, type TestUser } from '../testing/app.ts';
import { reportsBody } from '../testing/app.ts';
import { fullReport } from '../testing/full-report.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const PATH = '/api/status-pages';

const dataOf = (answer: Answer): unknown => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data;
};
const report = async (app: TestApp, agent: TestAgent, name: string, seq = 1): Promise<void> => {
  const item = { seq, ...fullReport(name, app.clock.now() / 1000) };
  const body = reportsBody(agent, app.clock.now(), [item]);
  dataOf(await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body }));
};
async function world(given: Parameters<typeof testApp>[1] = {}) {
  const app = testApp(db.storage(), given);
  const user = await app.newUser();
  const agents = [await app.newAgent(user, 'secret-db-01'), await app.newAgent(user, 'secret-db-02')] as const;
  return { app, user, agents, request: requestOf(agents.map(({ serverId }) => serverId)) };
}
const requestOf = (ids: readonly string[], more: object = {}) => ({
  title: 'Shop',
  servers: ids.map((id) => ({ server_id: id })),
  ...more,
});
const pageOf = (answer: Answer) => (dataOf(answer) as { status_page: StatusPageOnWire }).status_page;
const create = async (app: TestApp, user: TestUser, body: object) =>
  pageOf(await app.call('POST', PATH, { ...user, body }));
/** As a stranger: no token. */
const visit = (app: TestApp, { path }: StatusPageOnWire, headers: Record<string, string> = {}) =>
  app.call('GET', `/api/public${path.replace('/status/', '/status-pages/')}`, { headers });
const seen = async (app: TestApp, page: StatusPageOnWire) =>
  (dataOf(await visit(app, page)) as { status_page: PublicStatusPage }).status_page;

test('a page is created, listed, changed and deleted; each is audited', async () => {
  const { app, user, agents, request } = await world();
  const made = await create(app, user, { ...request, message: ' Planned work on Sunday ' });
  expect(made).toMatchObject({
    path: expect.stringMatching(/^\/status\/[A-Za-z0-9_-]{22}$/) as string,
    message: 'Planned work on Sunday',
    servers: [
      { server_id: agents[0].serverId, hostname: 'secret-db-01', label: null, group: null },
      { server_id: agents[1].serverId, hostname: 'secret-db-02', label: null, group: null },
    ],
    shows_names: false,
    shows_figures: false,
    shows_maintenance: false,
    is_indexable: false,
    status: 'public',
    expires_at: null,
  });
  const body = requestOf([agents[1].serverId], { title: 'Shop 2', is_published: false });
  const changed = pageOf(await app.call('PUT', `${PATH}/${made.page_id}`, { ...user, body }));
  expect(changed).toMatchObject({ path: made.path, title: 'Shop 2', status: 'off', servers: [{ label: null }] });
  expect(dataOf(await app.call('GET', PATH, user))).toEqual({ status_pages: [changed], total: 1 });
  dataOf(await app.call('DELETE', `${PATH}/${made.page_id}`, user));
  expect((dataOf(await app.call('GET', PATH, user)) as StatusPagesAnswer).total).toBe(0);
  const audit = dataOf(await app.call('GET', '/api/user/audit-log', user)) as {
    entries: { action: string; detail: Record<string, string> }[];
  };
  expect(audit.entries.map(({ action, detail }) => [action, detail['shows'], detail['status']])).toEqual([
    ['status_page_deleted', 'states', 'off'],
    ['status_page_changed', 'states', 'off'],
    ['status_page_created', 'states', 'public'],
  ]);
});

test('strangers read states under numbers; names and figures only where the owner allows them', async () => {
  const { app, user, agents, request } = await world();
  const page = await create(app, user, request);
  await report(app, agents[0], 'secret-db-01');
  const at = new Date(app.clock.now()).toISOString();
  const noDays = { since: null, availability: null, unknown_seconds: 0, days: [] };
  const reporting = { name: 'Server 1', group: null, state: 'operational', reported_at: at, figures: null, ...noDays };
  const silent = { ...reporting, name: 'Server 2', state: 'not_reporting', reported_at: null };
  expect(await seen(app, page)).toMatchObject({ title: 'Shop', state: 'operational', parts: [reporting, silent] });
  const servers = [
    { server_id: agents[0].serverId, label: 'Checkout', group: 'Shop' },
    { server_id: agents[1].serverId },
  ];
  const body = { title: 'Shop', servers, shows_names: true, shows_figures: true };
  app.clock.pass(1);
  await app.call('PUT', `${PATH}/${page.page_id}`, { ...user, body });
  expect((await seen(app, page)).parts).toEqual([
    {
      ...reporting,
      name: 'Checkout',
      group: 'Shop',
      figures: { cpu: { value: 41, line: 80 }, memory: { value: 38, line: 80 }, disk: { value: 25, line: 80 } },
    },
    { ...silent, name: 'secret-db-02' },
  ]);
  app.clock.pass(3600);
  expect(await seen(app, page)).toMatchObject({
    state: 'outage',
    parts: [{ state: 'offline', reported_at: at, figures: null }, { state: 'not_reporting' }],
  });
});

test('nothing leaves beyond the chosen fields', async () => {
  const { app, user, agents, request } = await world();
  const CANARY = 'cnry7x';
  await app.call('PUT', `/api/servers/${agents[0].serverId}`, {
    ...user,
    body: { display_name: CANARY, tags: { [CANARY]: CANARY } },
  });
  await report(app, agents[0], `${CANARY}-host`);
  const page = await create(app, user, request);
  const answer = await visit(app, page);
  const paths: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, `${path}[]`);
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) walk(each, path === '' ? key : `${path}.${key}`);
    else paths.push(path);
  };
  walk(answer.json, '');
  expect([...new Set(paths)].toSorted()).toEqual([
    'data.status_page.as_of',
    'data.status_page.message',
    ...['availability', 'figures', 'group', 'name', 'reported_at', 'since', 'state', 'unknown_seconds'].map(
      (field) => `data.status_page.parts[].${field}`,
    ),
    'data.status_page.state',
    'data.status_page.title',
    'success',
  ]);
  const secrets = [CANARY, 'secret-db', user.organisationId, page.page_id, ...agents.map(({ serverId }) => serverId)];
  const html = await app.call('GET', page.path);
  const feed = await app.call('GET', `${page.path}/feed.atom`);
  expect([html.status, feed.status]).toEqual([200, 200]);
  const everything = [answer, html, feed].map(({ text, headers }) => text + JSON.stringify([...headers])).join('\n');
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
  expect(answer.text).not.toMatch(/\d+\.\d+\.\d+\.\d+|vda1|eth0/);
});

test('a page is cacheable for a moment, and says when nothing changed', async () => {
  const { app, user, agents, request } = await world();
  const page = await create(app, user, request);
  const first = await visit(app, page);
  expect(first.headers.get('cache-control')).toBe('public, max-age=15');
  const etag = first.headers.get('etag') ?? '';
  const again = await visit(app, page, { 'if-none-match': etag });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  await report(app, agents[0], 'secret-db-01');
  expect((await visit(app, page, { 'if-none-match': etag })).status).toBe(304);
  app.clock.pass(15);
  const later = await visit(app, page, { 'if-none-match': etag });
  expect([later.status, later.json.data]).toMatchObject([200, { status_page: { state: 'operational' } }]);
});

test('a link that is off, expired, deleted or unknown is 404 at once, all in the same words', async () => {
  const { app, user, request } = await world();
  const inAnHour = new Date(app.clock.now() + 3_600_000).toISOString();
  const ends = await create(app, user, { ...request, expires_at: inAnHour });
  const page = await create(app, user, request);
  await seen(app, page);
  await seen(app, ends);
  const dead: Answer[] = [];
  await app.call('PUT', `${PATH}/${page.page_id}`, { ...user, body: { ...request, is_published: false } });
  dead.push(await visit(app, page));
  await app.call('PUT', `${PATH}/${page.page_id}`, { ...user, body: request });
  await seen(app, page);
  await app.call('DELETE', `${PATH}/${page.page_id}`, user);
  dead.push(await visit(app, page));
  app.clock.pass(3600);
  for (const slug of ['A'.repeat(22), 'x']) dead.push(await visit(app, { ...page, path: `/status/${slug}` }));
  dead.push(await visit(app, ends));
  for (const answer of dead) expect([answer.status, answer.text]).toEqual([404, dead[0]?.text]);
  const { status_pages: listed } = dataOf(await app.call('GET', PATH, user)) as StatusPagesAnswer;
  expect(listed.map(({ status }) => status)).toEqual(['expired']);
});

test('a server that moved to another account or is deleted leaves the page; the others keep their numbers', async () => {
  const { app, user, agents, request } = await world();
  const page = await create(app, user, request);
  const other = await app.newUser();
  await db.sql('UPDATE server SET organisation_id = $2 WHERE id = $1', [agents[0].serverId, other.organisationId]);
  expect((await seen(app, page)).parts.map(({ name }) => name)).toEqual(['Server 2']);
  const { status_pages: listed } = dataOf(await app.call('GET', PATH, user)) as StatusPagesAnswer;
  expect(listed[0]?.servers.map(({ hostname }) => hostname)).toEqual(['secret-db-02']);
  await app.call('DELETE', '/api/servers/delete', { ...user, body: { server_id: agents[1].serverId } });
  app.clock.pass(15);
  expect(await seen(app, page)).toMatchObject({ parts: [], state: 'unknown' });
});

test('search engines are kept away unless the owner allows them', async () => {
  const { app, user, request } = await world();
  const page = await create(app, user, request);
  const robots = async (path: string) => (await app.call('GET', path)).headers.get('x-robots-tag');
  expect(await robots(page.path)).toBe('noindex, nofollow');
  expect(await robots('/status/unknown')).toBe('noindex, nofollow');
  await app.call('PUT', `${PATH}/${page.page_id}`, { ...user, body: { ...request, is_indexable: true } });
  expect(await robots(page.path)).toBeNull();
  // The JSON behind the page is never listed.
  expect((await visit(app, page)).headers.get('x-robots-tag')).toBe('noindex, nofollow');
});

test('strangers of one network are limited', async () => {
  const { app, user, request } = await world({ rates: createRates(db.storage().rateLimits) });
  const page = await create(app, user, request);
  const statuses: number[] = [];
  for (let i = 0; i < 61; i += 1) statuses.push((await visit(app, page)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(60);
  const refused = await visit(app, page);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
});

test.each([
  ['title', { title: ' ' }],
  ['servers', { servers: [] }],
  ['servers[0].server_id', { servers: [{ server_id: 'x' }] }],
  ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
  ['owner', { owner: 'x' }],
])('bad input is 400 naming %s', async (field, wrong) => {
  const { app, user, request } = await world();
  const answer = await app.call('POST', PATH, { ...user, body: { ...request, ...wrong } });
  expect([answer.status, answer.json.field, answer.json.detail]).toEqual([400, field, expect.stringContaining(field)]);
});

test('a server is named once, and only an own one; a foreign page is 404; an account has at most 50', async () => {
  const { app, user, agents, request } = await world();
  const [{ serverId }] = agents;
  const post = (who: TestUser, body: object) => app.call('POST', PATH, { ...who, body });
  expect((await post(user, requestOf([serverId, serverId]))).json.field).toBe('servers');
  const other = await app.newUser();
  for (const id of [serverId, crypto.randomUUID()]) expect((await post(other, requestOf([id]))).status).toBe(404);
  const page = await create(app, user, request);
  for (const method of ['PUT', 'DELETE']) {
    const body = method === 'PUT' ? { body: request } : {};
    expect((await app.call(method, `${PATH}/${page.page_id}`, { ...other, ...body })).status).toBe(404);
  }
  expect(dataOf(await app.call('GET', PATH, other))).toEqual({ status_pages: [], total: 0 });
  for (let i = 1; i < 50; i += 1) await create(app, user, request);
  expect((await post(user, request)).status).toBe(422);
});

test('ten new pages at once never pass the limit', async () => {
  const { app, user, request } = await world();
  const { storage, clock } = app.deps;
  const draft = {
    title: 'x',
    message: '',
    servers: [],
    checks: [],
    showsNames: false,
    showsFigures: false,
    showsMaintenance: false,
    isIndexable: false,
  };
  for (let count = 2; count < STATUS_PAGE_LIMITS.perAccount; count += 1)
    await storage.statusPages.create(
      ownerOf(user.organisationId),
      { ...draft, isPublished: false, expiresAt: null },
      { slug: String(count).padStart(22, '0'), createdBy: null },
      clock.now(),
    );
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => app.call('POST', PATH, { ...user, body: request })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  expect(answers.filter(({ json }) => json.code === 'plan_limit')).toHaveLength(8);
});
