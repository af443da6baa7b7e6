import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { MaintenanceOnWire } from '@plimsoll/contract/wire/checks/maintenance';
import type { PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import { beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp, type Answer, type TestApp, type TestUser } from '../testing/app.ts';
import { changeAt, saveChanges } from '../testing/notify.ts';
import { testStorage } from '../testing/postgres.ts';
import { planAll } from './plan-periods.ts';

const db = testStorage();
const PATH = '/api/maintenance';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday. */
const START = Date.parse('2027-03-01T12:00:00Z');
const iso = (ms: number) => new Date(ms).toISOString();

let app: TestApp;
let user: TestUser;
let host: Awaited<ReturnType<TestApp['newAgent']>>;
beforeEach(async () => {
  await db.sql('DELETE FROM maintenance');
  await db.sql('DELETE FROM alert_silence');
  app = testApp(db.storage());
  app.clock.ms = START;
  user = await app.newUser();
  host = await app.newAgent(user, 'web-1');
});

/** The session of the user lasts. */
async function goTo(ms: number): Promise<void> {
  app.clock.ms = ms;
  await db.sql('UPDATE session SET expires_at = $1', [iso(ms + DAY)]);
}
const dataOf = (answer: Answer): unknown => {
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.data;
};
const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) });
/** Sundays 02:00–04:00 in Berlin: 01:00–03:00 UTC. */
const weekly = (more: object = {}) => ({
  name: 'Patch night',
  schedule: { kind: 'weekly', weekdays: [7], time: '02:00' },
  zone: 'Europe/Berlin',
  duration_seconds: 7200,
  server_ids: [host.serverId],
  ...more,
});
const create = async (body: object) =>
  (dataOf(await call('POST', PATH, body)) as { maintenance: MaintenanceOnWire }).maintenance;
const list = async () => (dataOf(await call('GET', PATH)) as { maintenance: MaintenanceOnWire[] }).maintenance;
const periods = async () =>
  (await list()).flatMap((one) => one.periods.map(({ starts_at: from, ends_at: to }) => [from, to]));
const sunday = (week: number) => Date.parse('2027-03-07T01:00:00Z') + week * 7 * DAY;
const newCheck = async (body: object = {}) => {
  const probe = { kind: 'tcp', host: 'shop.example', port: 443 };
  const made = dataOf(await call('POST', '/api/checks', { name: 'shop', probe, ...body })) as {
    check: { check_id: string };
  };
  return made.check.check_id;
};
const isSilenced = async (id: string): Promise<boolean> => {
  const { alerts } = dataOf(await call('GET', '/api/data/notifications')) as AlertsAnswer;
  const alert = alerts.find(({ tags }) => tags.hostname === id || tags['subject'] === id);
  expect(alert).toBeDefined();
  expect(alert?.silence_id).toBeNull();
  return alert?.silenced_until !== null;
};

test('a maintenance has its schedule in words, its next periods, and its place in the list', async () => {
  const made = await create(weekly({ last_day: '2027-12-31' }));
  expect(made).toMatchObject({
    name: 'Patch night',
    text: 'every Sunday at 02:00 Europe/Berlin, for 2 h, until 2027-12-31',
    status: 'planned',
    created_by: { account_id: user.personId },
    periods: [0, 1, 2].map((week) => ({
      starts_at: iso(sunday(week)),
      ends_at: iso(sunday(week) + 2 * HOUR),
    })),
  });
  await create(weekly({ name: 'Sooner', schedule: { kind: 'cron', expression: '0 20 * * *' } }));
  expect((await list()).map(({ name }) => name)).toEqual(['Sooner', 'Patch night']);
  await goTo(sunday(0) + HOUR);
  expect((await list()).map(({ status }) => status)).toEqual(['running', 'planned']);
});

test('two runs of the job on two replicas plan each period once, and more when time passes', async () => {
  await create(weekly());
  const count = async () => (await db.sql('SELECT 1 FROM alert_silence')).length;
  expect(await count()).toBe(4);
  await goTo(START + 14 * DAY);
  const { maintenances } = app.deps.storage;
  await Promise.all([planAll(maintenances, app.clock.now()), planAll(maintenances, app.clock.now())]);
  expect(await count()).toBe(6);
  expect(await planAll(maintenances, app.clock.now())).toBe(0);
});

test('alerts of its servers and checks are listed, and silenced while a period runs', async () => {
  const own = await newCheck();
  const ofServer = await newCheck({ server_id: host.serverId });
  const other = await newCheck();
  const elsewhere = await app.newAgent(user, 'web-2');
  await create(weekly({ check_ids: [own] }));
  await goTo(sunday(0) - MINUTE);
  const keyOf = async (serverId: string) =>
    (await db.sql<{ key: number }>('SELECT key FROM server WHERE id = $1', [serverId]))[0]?.key ?? 0;
  for (const serverId of [host.serverId, elsewhere.serverId])
    await saveChanges(app.deps.storage, await keyOf(serverId), changeAt(app.clock.now(), {}));
  const checkAlert = (checkId: string) =>
    ({
      kind: 'opened',
      checkId,
      name: checkId,
      rule: 'default-check-failed',
      metric: 'check_failed',
      level: 'critical',
      title: 'Check failed',
      message: 'x',
      value: null,
      threshold: null,
      at: app.clock.now(),
    }) as const;
  const opened = [own, ofServer, other].map(checkAlert);
  await app.deps.storage.checkAlerts.save(user.organisationId, opened, new Map(), app.clock.now());
  const subjects = ['web-1', 'web-2', own, ofServer, other];
  const silenced = async () => Promise.all(subjects.map(isSilenced));
  expect(await silenced()).toEqual([false, false, false, false, false]);
  await goTo(sunday(0));
  expect(await silenced()).toEqual([true, false, true, true, false]);
  await goTo(sunday(0) + 2 * HOUR);
  expect(await silenced()).toEqual([false, false, false, false, false]);
});

test('a change counts from the next period on, and the end is the end of the running one', async () => {
  const { maintenance_id: id } = await create(weekly());
  await goTo(sunday(0) + HOUR);
  const later = weekly({ schedule: { kind: 'weekly', weekdays: [3], time: '02:00' } });
  dataOf(await call('PUT', `${PATH}/${id}`, later));
  const wednesday = sunday(0) + 3 * DAY;
  expect(await periods()).toEqual([
    [iso(sunday(0)), iso(sunday(0) + 2 * HOUR)],
    [iso(wednesday), iso(wednesday + 2 * HOUR)],
    [iso(wednesday + 7 * DAY), iso(wednesday + 7 * DAY + 2 * HOUR)],
  ]);
  dataOf(await call('DELETE', `${PATH}/${id}`));
  expect(await list()).toEqual([]);
  const left = await db.sql<{ ends_at: Date }>('SELECT ends_at FROM alert_silence');
  expect(left.map(({ ends_at: at }) => at.getTime())).toEqual([app.clock.now()]);
  expect((await call('DELETE', `${PATH}/${id}`)).status).toBe(404);
});

test('its periods are no silences of users: not listed, not counted, not ended one by one', async () => {
  await create(weekly());
  expect(dataOf(await call('GET', '/api/alerts/silences'))).toMatchObject({ silences: [], total: 0 });
  const [row] = await db.sql<{ id: string }>('SELECT id FROM alert_silence LIMIT 1');
  expect((await call('DELETE', `/api/alerts/silences/${row?.id ?? ''}`)).status).toBe(404);
  expect(await app.deps.storage.silences.count(ownerOf(user.organisationId), app.clock.now())).toBe(0);
});

test('a public page announces the next three periods without the name, and shows a running one', async () => {
  const check = await newCheck();
  await create(weekly({ name: 'secret words', server_ids: [], check_ids: [check] }));
  const page = dataOf(
    await call('POST', '/api/status-pages', {
      title: 'Shop',
      checks: [{ check_id: check, label: 'Website' }],
      shows_maintenance: true,
    }),
  ) as { status_page: { path: string } };
  const read = () => app.call('GET', `/api/public${page.status_page.path.replace('/status/', '/status-pages/')}`);
  const seen = async () => (dataOf(await read()) as { status_page: PublicStatusPage }).status_page;
  const planned = (week: number) => ({
    affects: ['Website'],
    starts_at: iso(sunday(week)),
    ends_at: iso(sunday(week) + 2 * HOUR),
  });
  expect((await seen()).maintenance).toEqual([0, 1, 2].map(planned));
  expect((await read()).text).not.toContain('secret');
  await goTo(sunday(0) + MINUTE);
  expect(await seen()).toMatchObject({ state: 'maintenance', parts: [{ name: 'Website', state: 'maintenance' }] });
});

test('an outage within a period counts neither on the page of the check nor on a public one', async () => {
  const check = await newCheck();
  await create(weekly({ server_ids: [], check_ids: [check] }));
  const [row] = await db.sql<{ key: number }>('SELECT key FROM check_definition WHERE id = $1', [check]);
  const day = Date.parse('2027-03-07T00:00:00Z');
  await db.sql('DELETE FROM check_outage WHERE check_key = $1', [row?.key]);
  await db.sql('UPDATE check_definition SET created_at = $2 WHERE key = $1', [row?.key, iso(day)]);
  // Ten minutes before the period, its two hours, and five minutes after it.
  await db.sql(
    `INSERT INTO check_outage (check_key, kind, began_at, ended_at, failed, voted) VALUES ($1, 'down', $2, $3, 1, 1)`,
    [row?.key, iso(sunday(0) - 10 * MINUTE), iso(sunday(0) + 2 * HOUR + 5 * MINUTE)],
  );
  await goTo(day + DAY);
  const { check: shown } = dataOf(await call('GET', `/api/checks/${check}`)) as {
    check: { availability: object[] };
  };
  const known = 22 * 3600;
  expect(shown.availability[0]).toEqual({
    days: 1,
    percent: ((known - 900) / known) * 100,
    down_seconds: 900,
    unknown_seconds: 0,
    maintenance_seconds: 7200,
  });
  const owner = ownerOf(user.organisationId);
  const range = { from: day, now: app.clock.now() };
  const planned = await app.deps.storage.maintenances.ofChecks(owner, [check], { from: day, to: range.now });
  const found = await app.deps.storage.pageChecks.of(owner, [check], range, planned);
  expect(found.get(check)?.days).toEqual([{ day, goodSeconds: known - 900, downSeconds: 900, unknownSeconds: 0 }]);
});

test('a server, check or cluster of another account is not found, a wrong schedule names its field', async () => {
  const stranger = await app.newUser();
  const theirs = await app.newAgent(stranger, 'db-1');
  expect((await call('POST', PATH, weekly({ server_ids: [theirs.serverId] }))).status).toBe(404);
  expect((await call('POST', PATH, weekly({ check_ids: [crypto.randomUUID()] }))).status).toBe(404);
  expect((await call('POST', PATH, weekly({ cluster_ids: ['c'] }))).status).toBe(404);
  const wrong = async (more: object) => (await call('POST', PATH, weekly(more))).json;
  expect(await wrong({ zone: 'Berlin' })).toMatchObject({ field: 'zone' });
  expect(await wrong({ schedule: { kind: 'cron', expression: '* * * * *' } })).toMatchObject({
    field: 'duration_seconds',
  });
  expect(await wrong({ last_day: '2027-03-02' })).toMatchObject({ field: 'last_day' });
  expect(await wrong({ server_ids: [] })).toMatchObject({ field: 'server_ids' });
  const { maintenance_id: id } = await create(weekly());
  expect((await app.call('DELETE', `${PATH}/${id}`, { token: stranger.token })).status).toBe(404);
});
