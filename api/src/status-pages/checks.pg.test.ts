import type { PublicPart, PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import type { StatusPageOnWire, StatusPagesAnswer } from '@plimsoll/contract/wire/checks/status-pages';
import { expect, test } from 'vitest';
import { availabilityOf } from '../checks/rules/availability.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp, type Answer, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const PATH = '/api/status-pages';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CANARY = 'cnry7x';

const iso = (ms: number) => new Date(ms).toISOString();
const dataOf = (answer: Answer): unknown => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data;
};

async function newCheck(app: TestApp, user: TestUser, more: object = {}): Promise<{ id: string; key: number }> {
  const probe = { kind: 'http', url: `https://${CANARY}.example/${CANARY}` };
  const body = { name: `${CANARY} HTTPS`, probe, ...more };
  const made = dataOf(await app.call('POST', '/api/checks', { ...user, body })) as { check: { check_id: string } };
  const { check_id: id } = made.check;
  const [row] = await db.sql<{ key: number }>('SELECT key FROM check_definition WHERE id = $1', [id]);
  return { id, key: row?.key ?? 0 };
}
interface Stored {
  kind: 'down' | 'unknown';
  beganAt: number;
  endedAt: number | null;
}
/** Replaces what is known of a check: its beginning, its outages and its status. */
async function give(key: number, createdAt: number, status: string, outages: readonly Stored[]): Promise<void> {
  await db.sql('UPDATE check_definition SET created_at = $2 WHERE key = $1', [key, iso(createdAt)]);
  await db.sql('DELETE FROM check_outage WHERE check_key = $1', [key]);
  for (const { kind, beganAt, endedAt } of outages)
    await db.sql(
      `INSERT INTO check_outage (check_key, kind, began_at, ended_at, reason, failed, voted)
       VALUES ($1, $2, $3, $4, $5, 1, 1)`,
      [key, kind, iso(beganAt), endedAt === null ? null : iso(endedAt), CANARY],
    );
  await db.sql(`UPDATE check_state SET fold = jsonb_set(fold, '{status}', to_jsonb($2::text)) WHERE check_key = $1`, [
    key,
    status,
  ]);
}

async function world() {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const check = await newCheck(app, user);
  const save = async (body: object, who = user) => app.call('POST', PATH, { ...who, body: { title: 'Shop', ...body } });
  const create = async (body: object) => (dataOf(await save(body)) as { status_page: StatusPageOnWire }).status_page;
  const json = (page: StatusPageOnWire) =>
    app.call('GET', `/api/public${page.path.replace('/status/', '/status-pages/')}`);
  const seen = async (page: StatusPageOnWire) =>
    (dataOf(await json(page)) as { status_page: PublicStatusPage }).status_page;
  const today = Math.floor(app.clock.now() / DAY) * DAY;
  return { app, user, check, save, create, json, seen, today };
}

test('a page of a check alone shows its state, its exact days and its availability; unknown time is not good', async () => {
  const { app, check, create, seen, today } = await world();
  app.clock.ms = today + 12 * HOUR;
  await give(check.key, today - 2 * DAY + 6 * HOUR, 'down', [
    { kind: 'unknown', beganAt: today - 2 * DAY + 6 * HOUR, endedAt: today - 2 * DAY + 8 * HOUR },
    { kind: 'down', beganAt: today - DAY - 5 * MINUTE, endedAt: today - DAY + 20 * MINUTE },
    { kind: 'down', beganAt: today + 11 * HOUR, endedAt: null },
  ]);
  const page = await create({ checks: [{ check_id: check.id, label: 'Website', group: 'Shop' }] });
  expect(page.checks).toEqual([{ check_id: check.id, name: `${CANARY} HTTPS`, label: 'Website', group: 'Shop' }]);
  const down = 25 * 60 + 3600;
  const known = (2 * 24 + 6 - 2) * 3600;
  const date = (day: number) => iso(day).slice(0, 10);
  expect(await seen(page)).toMatchObject({
    state: 'outage',
    parts: [
      {
        name: 'Website',
        group: 'Shop',
        state: 'offline',
        reported_at: null,
        figures: null,
        since: date(today - 2 * DAY),
        availability: Math.floor(((known - down) / known) * 10_000) / 100,
        unknown_seconds: 7200,
        days: [
          { date: date(today - 2 * DAY), state: 'short', down_seconds: 300, unknown_seconds: 7200 },
          { date: date(today - DAY), state: 'down', down_seconds: 1200, unknown_seconds: 0 },
          { date: date(today), state: 'down', down_seconds: 3600, unknown_seconds: 0 },
        ],
      },
    ],
  });
});

test('the days of a check add up to the availability that its own page shows', async () => {
  const { app, user, check, today } = await world();
  const now = today + 7 * HOUR + 13_000;
  const from = today - 89 * DAY;
  const owner = ownerOf(user.organisationId);
  for (const createdAt of [today - 400 * DAY, today - 30 * DAY + 5 * HOUR]) {
    // Outages that cross midnight, begin before the 90 days, and flap.
    const outages = Array.from({ length: 60 }, (_, index): Stored => {
      const beganAt = Math.max(createdAt, from - DAY) + index * 11 * HOUR + (index % 7) * 61_000;
      return { kind: index % 3 === 0 ? 'unknown' : 'down', beganAt, endedAt: beganAt + ((index * 37) % 600) * MINUTE };
    }).filter(({ endedAt }) => endedAt !== null && endedAt < now);
    await give(check.key, createdAt, 'up', outages);
    // Before the check, over midnight, overlapping, and not over yet.
    const planned = [
      [createdAt - HOUR, createdAt + HOUR],
      [today - 3 * DAY - HOUR, today - 3 * DAY + 2 * HOUR],
      [today - 3 * DAY, today - 3 * DAY + 4 * HOUR],
      [now - 5 * MINUTE, now + HOUR],
    ].map(([startsAt = 0, endsAt = 0]) => ({ startsAt, endsAt }));
    const found = await app.deps.storage.pageChecks.of(
      owner,
      [check.id],
      { from, now },
      new Map([[check.id, planned]]),
    );
    const days = found.get(check.id)?.days ?? [];
    const sum = (field: 'goodSeconds' | 'downSeconds' | 'unknownSeconds') =>
      days.reduce((total, day) => total + day[field], 0);
    const holes = planned.map(({ startsAt, endsAt }) => ({ from: startsAt, to: endsAt }));
    const { goodMs, downMs, unknownMs } = availabilityOf(outages, holes, { from, to: now, since: createdAt });
    expect([sum('goodSeconds'), sum('downSeconds'), sum('unknownSeconds')]).toEqual(
      [goodMs, downMs, unknownMs].map((ms) => ms / 1000),
    );
    expect(downMs).toBeGreaterThan(0);
    expect(days).toHaveLength(createdAt < from ? 90 : 31);
  }
});

test('a paused check, and one that too few places vote for, are not known', async () => {
  const { app, user, check, create, seen } = await world();
  const page = await create({ checks: [{ check_id: check.id }] });
  expect(await seen(page)).toMatchObject({ state: 'unknown', parts: [{ name: 'Check 1', state: 'not_reporting' }] });
  await give(check.key, app.clock.now() - HOUR, 'up', []);
  app.clock.pass(15);
  expect(await seen(page)).toMatchObject({
    state: 'operational',
    parts: [{ state: 'operational', availability: 100, days: [] }],
  });
  await db.sql('UPDATE check_definition SET is_enabled = false WHERE organisation_id = $1', [user.organisationId]);
  app.clock.pass(15);
  expect((await seen(page)).parts[0]?.state).toBe('not_reporting');
});

test('no name, target or reason of a check leaves in JSON, HTML or feed', async () => {
  const { app, user, check, create, json, today } = await world();
  await give(check.key, today - DAY, 'down', [{ kind: 'down', beganAt: today - HOUR, endedAt: null }]);
  const page = await create({ checks: [{ check_id: check.id }], shows_names: true, shows_figures: true });
  const html = await app.call('GET', page.path);
  const answers = [await json(page), html, await app.call('GET', `${page.path}/feed.atom`)];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(html.text).toContain('<b>Check 1');
  const everything = answers.map(({ text, headers }) => text + JSON.stringify([...headers])).join('\n');
  const secrets = [CANARY, check.id, user.organisationId, page.page_id];
  expect(secrets.filter((secret) => everything.includes(secret))).toEqual([]);
});

test('a check and servers of one group with one public name are one part', async () => {
  const { app, user, check, create, seen, today } = await world();
  const { serverId } = await app.newAgent(user, 'web-1');
  await give(check.key, today - DAY, 'down', []);
  const named = { label: 'Website', group: 'Shop' };
  const servers = [{ server_id: serverId, ...named }];
  const page = await create({ servers, checks: [{ check_id: check.id, ...named }] });
  // The server has sent nothing yet.
  expect(parts(await seen(page))).toEqual([['Website', 'partly_offline']]);
  const other = { ...named, group: 'API' };
  const apart = await create({ servers, checks: [{ check_id: check.id, ...other }] });
  expect(parts(await seen(apart))).toEqual([
    ['Website', 'not_reporting'],
    ['Website', 'offline'],
  ]);
});
const parts = ({ parts: all }: PublicStatusPage) => all.map(({ name, state }: PublicPart) => [name, state]);

test('planned work of its server explains the outage of a check', async () => {
  const { app, user, create, seen, today } = await world();
  const { serverId } = await app.newAgent(user, 'web-1');
  const check = await newCheck(app, user, { server_id: serverId });
  await give(check.key, today - DAY, 'down', []);
  const checks = [{ check_id: check.id, label: 'Website' }];
  const page = await create({ servers: [{ server_id: serverId, label: 'Host' }], checks, shows_maintenance: true });
  expect(parts(await seen(page))).toContainEqual(['Website', 'offline']);
  const begins = app.clock.now() + 10 * MINUTE;
  const silence = { server_id: serverId, starts_at: iso(begins), ends_at: iso(begins + HOUR) };
  dataOf(await app.call('POST', '/api/alerts/silences', { ...user, body: silence }));
  app.clock.ms = begins + MINUTE;
  const now = await seen(page);
  expect(parts(now)).toContainEqual(['Website', 'maintenance']);
  expect(now.maintenance.map(({ affects }) => affects)).toEqual([['Host', 'Website']]);
});

test('a check of another organisation or of nobody is refused, and one that moves leaves the page', async () => {
  const { app, user, check, save, create, seen } = await world();
  const stranger = await app.newUser();
  const { serverId } = await app.newAgent(stranger, 'web-1');
  for (const id of [check.id, crypto.randomUUID()]) {
    const refused = await save({ servers: [{ server_id: serverId }], checks: [{ check_id: id }] }, stranger);
    expect([refused.status, refused.json.detail]).toEqual([404, expect.stringContaining('Check')]);
  }
  const page = await create({ checks: [{ check_id: check.id }] });
  const own = await newCheck(app, stranger, { name: 'x' });
  const body = { title: 'Shop', checks: [{ check_id: own.id }] };
  expect((await app.call('PUT', `${PATH}/${page.page_id}`, { ...user, body })).status).toBe(404);
  await db.sql('UPDATE check_definition SET organisation_id = $2 WHERE id = $1', [check.id, stranger.organisationId]);
  expect((await seen(page)).parts).toEqual([]);
  const { status_pages: listed } = dataOf(await app.call('GET', PATH, user)) as StatusPagesAnswer;
  expect(listed[0]?.checks).toEqual([]);
});

test('an incident affects the part of a check, in the page and in its feed; another check is refused', async () => {
  const { app, user, check, create, seen } = await world();
  const page = await create({ checks: [{ check_id: check.id, label: 'Website' }] });
  const path = `${PATH}/${page.page_id}/incidents`;
  const body = { title: 'Orders fail', impact: 'partly_offline', text: 'We look into it.' };
  const other = await app.call('POST', path, { ...user, body: { ...body, check_ids: [crypto.randomUUID()] } });
  expect([other.status, other.json.field]).toEqual([400, 'check_ids']);
  const made = await app.call('POST', path, { ...user, body: { ...body, check_ids: [check.id] } });
  expect(dataOf(made)).toMatchObject({ incident: { check_ids: [check.id], server_ids: [] } });
  expect(await seen(page)).toMatchObject({
    incidents: [{ affects: ['Website'] }],
    parts: [{ state: 'partly_offline' }],
  });
  expect((await app.call('GET', `${page.path}/feed.atom`)).text).toContain('Affects Website.');
});

test('a deleted check leaves the page, and the others keep their numbers', async () => {
  const { app, user, check, create, seen } = await world();
  const second = await newCheck(app, user, { name: 'second' });
  const page = await create({ checks: [{ check_id: check.id }, { check_id: second.id, label: 'API' }] });
  expect((await seen(page)).parts.map(({ name }) => name)).toEqual(['Check 1', 'API']);
  dataOf(await app.call('DELETE', `/api/checks/${check.id}`, user));
  app.clock.pass(15);
  expect((await seen(page)).parts.map(({ name }) => name)).toEqual(['API']);
  const { status_pages: listed } = dataOf(await app.call('GET', PATH, user)) as StatusPagesAnswer;
  expect(listed[0]?.checks.map(({ name }) => name)).toEqual(['second']);
});

test.each([
  ['servers', {}],
  ['checks', { checks: 'twice' }],
  ['checks[0].check_id', { checks: [{ check_id: 'x' }] }],
])('bad input is 400 naming %s', async (field, wrong: { checks?: unknown }) => {
  const { check, save } = await world();
  const body = wrong.checks === 'twice' ? { checks: [{ check_id: check.id }, { check_id: check.id }] } : wrong;
  const answer = await save(body);
  expect([answer.status, answer.json.field]).toEqual([400, field]);
});
