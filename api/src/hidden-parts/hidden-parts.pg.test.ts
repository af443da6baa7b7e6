import type { HiddenPartsAnswer } from '@plimsoll/contract/wire/hidden-parts';
import type { ServerAnswer } from '@plimsoll/contract/wire/servers';
import { beforeEach, expect, test } from 'vitest';
import type { Change } from '../live/change-feed.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { fullReport } from '../testing/full-report.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const GB = 2 ** 30;
let app: TestApp;
let user: TestUser;
let agent: TestAgent;
let seq = 0;
beforeEach(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
  agent = await app.newAgent(user, 'web-1');
});

const filesystem = (mount: string, percent: number) => ({
  mount,
  device: `/dev/${mount}`,
  type: 'ext4',
  size_bytes: 100 * GB,
  used_bytes: percent * GB,
  available_bytes: (100 - percent) * GB,
  inodes_total: null,
  inodes_used: null,
});
const send = async (parts: object): Promise<void> => {
  const now = app.clock.now();
  const item = { ...fullReport('web-1', now / 1000), seq: (seq += 1), ts: now / 1000, ...parts };
  const sent = await app.call('POST', '/api/agent/v1/reports', {
    token: agent.token,
    body: reportsBody(agent, now, [item]),
  });
  expect([sent.status, sent.json]).toMatchObject([200, { rejected: [] }]);
};
const path = (): string => `/api/servers/${agent.serverId}/hidden`;
const hide = (kind: string, subject: string) => app.call('PUT', path(), { ...user, body: { kind, subject } });
const show = (kind: string, subject: string) => app.call('DELETE', path(), { ...user, body: { kind, subject } });
const hiddenOf = async () =>
  ((await app.call('GET', path(), user)).json.data as unknown as HiddenPartsAnswer).hidden.map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );
const headroomOf = async () =>
  ((await app.call('GET', `/api/servers/${agent.serverId}`, user)).json.data as unknown as ServerAnswer).server
    .headroom;
const openAlerts = async (): Promise<string[]> => {
  const rows = await db.sql<{ metric: string; subject: string }>(
    `SELECT metric, subject FROM alert a JOIN server s ON s.key = a.server_key
     WHERE s.id = $1 AND a.resolved_at IS NULL ORDER BY metric, subject`,
    [agent.serverId],
  );
  // The forecast of "/" opens only after half an hour.
  return rows.map(({ metric, subject }) => `${metric} ${subject}`).filter((one) => one !== 'disk_forecast /');
};
/** Reports for a quarter of an hour, which is longer than the rules wait. */
const minutes = async (parts: object): Promise<void> => {
  for (let minute = 0; minute < 16; minute += 1) {
    app.clock.pass(60);
    await send(parts);
  }
};

test('a part is hidden and shown again, in the trail and on the open screens', async () => {
  const told: Change[] = [];
  app.deps.changes.subscribe(user.organisationId, (one) => told.push(one));
  expect((await hide('filesystem', '/mnt/usb')).status).toBe(200);
  expect((await hide('container', 'etl')).status).toBe(200);
  expect((await hide('container', 'etl')).status).toBe(200);
  expect(await hiddenOf()).toEqual(['container etl', 'filesystem /mnt/usb']);
  expect(told).toContainEqual({ topic: 'servers', serverId: agent.serverId });
  expect((await show('container', 'etl')).status).toBe(200);
  expect(await hiddenOf()).toEqual(['filesystem /mnt/usb']);
  expect([(await show('container', 'etl')).status, (await show('sensor', '/mnt/usb')).status]).toEqual([404, 404]);
  const trail = (await app.call('GET', '/api/user/audit-log', user)).json.data as unknown as { entries: object[] };
  expect(trail.entries.slice(0, 2)).toMatchObject([
    { action: 'part_shown', detail: { server: 'web-1', kind: 'container', subject: 'etl' } },
    { action: 'part_hidden', detail: { server: 'web-1', kind: 'container', subject: 'etl' } },
  ]);
});

test('a hidden filesystem leaves the headroom at once, stays out of later reports, and counts again when shown', async () => {
  const filesystems = [filesystem('/', 40), filesystem('/mnt/usb', 99)];
  await send({ filesystems });
  expect(await headroomOf()).toMatchObject({ resource: 'disk', value: 99 });
  await hide('filesystem', '/mnt/usb');
  expect((await headroomOf())?.value).not.toBe(99);
  app.clock.pass(60);
  await send({ filesystems });
  const [sample] = await db.sql<{ disk: number }>(
    `SELECT disk_percent AS disk FROM host_sample JOIN server ON key = server_key WHERE id = $1 ORDER BY ts DESC LIMIT 1`,
    [agent.serverId],
  );
  expect(sample?.disk).toBe(40);
  await show('filesystem', '/mnt/usb');
  expect(await headroomOf()).toMatchObject({ resource: 'disk', value: 99 });
});

test('without a filesystem that counts the disk is not known', async () => {
  await send({ filesystems: [filesystem('/', 99)] });
  await hide('filesystem', '/');
  const [latest] = await db.sql<{ disk: number | null }>(
    'SELECT disk_percent AS disk FROM server_latest JOIN server ON key = server_key WHERE id = $1',
    [agent.serverId],
  );
  expect(latest?.disk).toBeNull();
});

test('hiding resolves the open alert of the part, and it opens no other while it is hidden', async () => {
  const sensor = { chip: 'coretemp', label: 'Package id 0', celsius: 99, critical_celsius: 100 };
  const parts = {
    filesystems: [filesystem('/', 95), filesystem('/mnt/usb', 99)],
    temperatures: [sensor],
    units: [],
    containers: [
      {
        id: 'c1',
        name: 'web',
        image: null,
        runtime: 'docker',
        cpu_percent: 1,
        memory_bytes: 1,
        memory_limit_bytes: null,
        state: 'unhealthy',
        restarts_last_hour: 9,
      },
    ],
  };
  await minutes(parts);
  const others = (await openAlerts()).filter((one) => !/disk_usage|temperature|container/.test(one));
  const all = ['container_restarts web', 'container_unhealthy web', 'disk_usage /', 'disk_usage /mnt/usb'];
  expect(await openAlerts()).toEqual([...all, ...others, 'temperature coretemp Package id 0'].toSorted());
  await hide('filesystem', '/mnt/usb');
  await hide('sensor', 'coretemp Package id 0');
  await hide('container', 'web');
  expect(await openAlerts()).toEqual(['disk_usage /', ...others].toSorted());
  await minutes(parts);
  expect(await openAlerts()).toEqual(['disk_usage /', ...others].toSorted());
  await show('container', 'web');
  await minutes(parts);
  expect(await openAlerts()).toEqual(
    ['container_restarts web', 'container_unhealthy web', 'disk_usage /', ...others].toSorted(),
  );
});

test('another account does not find the server, and bad bodies are refused', async () => {
  const stranger = await app.newUser();
  const body = { kind: 'filesystem', subject: '/' };
  expect((await app.call('PUT', path(), { ...stranger, body })).status).toBe(404);
  expect((await app.call('GET', path(), stranger)).status).toBe(404);
  for (const bad of [{}, { kind: 'disk', subject: '/' }, { kind: 'filesystem', subject: '' }, { ...body, more: 1 }])
    expect((await app.call('PUT', path(), { ...user, body: bad })).status).toBe(400);
});

test('a server has at most 200 hidden parts, and hiding one of them again is no more', async () => {
  for (let index = 0; index < 200; index += 1)
    await db.sql(`INSERT INTO hidden_part SELECT key, 'interface', $2, now() FROM server WHERE id = $1`, [
      agent.serverId,
      `eth${String(index)}`,
    ]);
  const refused = await hide('interface', 'eth200');
  expect([refused.status, refused.json.code]).toEqual([422, 'plan_limit']);
  expect((await hide('interface', 'eth0')).status).toBe(200);
});
