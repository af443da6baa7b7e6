import type { ServerDetail, ServersAnswer } from '@plimsoll/contract/wire/servers';
import { expect, test } from 'vitest';
import { ownerOf } from '../../tenancy/owner.ts';
import { reportsBody, testApp, type TestAgent, type TestApp } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import { testStorage } from '../../testing/postgres.ts';
import { updateDiskTrends } from '../update-disk-trends.ts';

const db = testStorage();
const GB = 2 ** 30;
const HALF_HOUR = 1_800_000;

const filesystem = (mount: string, used: number) => ({
  mount,
  device: '/dev/vda1',
  type: 'ext4',
  size_bytes: 100 * GB,
  used_bytes: used * GB,
  available_bytes: (100 - used) * GB,
  inodes_total: null,
  inodes_used: null,
});
let seq = 0;
const send = async (app: TestApp, agent: TestAgent, filesystems: object[]) => {
  const now = app.clock.now();
  const item = { ...fullReport('web-1', now / 1000), seq: (seq += 1), ts: now / 1000, filesystems };
  const body = reportsBody(agent, now, [item]);
  const sent = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect([sent.status, sent.json]).toMatchObject([200, { rejected: [] }]);
};
const serversOf = async (app: TestApp, user: { token: string }) =>
  (await app.call('GET', '/api/servers/list', user)).json.data as unknown as ServersAnswer;

/** Ten days of half hours: "/" grows by 2 GB a day, "/data" stays, "/gone" is no longer reported. */
const fillHistory = async (app: TestApp, serverId: string) => {
  await db.sql(
    `INSERT INTO filesystem_history (ts, server_key, mounts, used_bytes)
     SELECT to_timestamp($2::float8 / 1000) - n * interval '30 minutes', s.key, '{/,/data,/gone}',
       ARRAY[(60 - n / 24.0) * ${String(GB)}, 10.0 * ${String(GB)}, 1]::real[]
     FROM server s, generate_series(1, 480) n WHERE s.id = $1`,
    [serverId, Math.floor(app.clock.now() / HALF_HOUR) * HALF_HOUR],
  );
};

test('the list, the server and the fleet say which filesystem reaches its line, and when', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-1');
  expect((await serversOf(app, user)).servers[0]?.disk_forecast).toBeNull();
  await fillHistory(app, agent.serverId);
  await send(app, agent, [filesystem('/', 60), filesystem('/data', 10)]);
  const now = app.clock.now();
  const { filesystemHistory } = db.storage();
  expect(await updateDiskTrends(filesystemHistory, now)).toBe(1);

  const { servers, summary } = await serversOf(app, user);
  const forecast = servers[0]?.disk_forecast;
  expect(forecast).toMatchObject({ mount: '/', line: 80, confidence: 'high', reason: null, based_on_hours: 240 });
  expect((Date.parse(forecast?.reaches_at ?? '') - now) / 86_400_000).toBeCloseTo(10, 1);
  expect((forecast?.growth_bytes_per_day ?? 0) / GB).toBeCloseTo(2, 2);
  expect(summary.next_to_fill).toEqual({
    server_id: agent.serverId,
    hostname: 'web-1',
    mount: '/',
    reaches_at: forecast?.reaches_at,
  });
  const detail = (await app.call('GET', `/api/servers/${agent.serverId}`, user)).json.data as unknown as {
    server: ServerDetail;
  };
  expect(detail.server.disk_forecasts.map(({ mount, reason }) => [mount, reason])).toEqual([
    ['/', null],
    ['/data', 'not_growing'],
  ]);
  expect((await serversOf(app, other)).summary.next_to_fill).toBeNull();

  const rule = { metric: 'disk_usage', target: 'all', lines: [{ level: 'warning', threshold: 70 }] };
  expect((await app.call('POST', '/api/alerts/rules', { ...user, body: rule })).status).toBe(200);
  const moved = (await serversOf(app, user)).servers[0]?.disk_forecast;
  expect([moved?.line, Math.round((Date.parse(moved?.reaches_at ?? '') - now) / 86_400_000)]).toEqual([70, 5]);

  app.clock.pass(3 * 3600);
  expect((await serversOf(app, user)).servers[0]?.disk_forecast).toMatchObject({
    reaches_at: null,
    reason: 'no_recent_report',
  });
});

test('a point is stored once per half hour, and only for a report of that half hour', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-2');
  app.clock.ms = Math.floor(app.clock.ms / HALF_HOUR) * HALF_HOUR + 60_000;
  await send(app, agent, [filesystem('/', 60), filesystem('/', 70), filesystem('/a', 1)]);
  const { filesystemHistory } = db.storage();
  const [first] = await filesystemHistory.record(app.clock.now());
  expect(await filesystemHistory.record(app.clock.now())).toEqual([]);
  app.clock.pass(1800);
  expect(await filesystemHistory.record(app.clock.now())).toEqual([]);
  await send(app, agent, [filesystem('/', 71)]);
  expect(await filesystemHistory.record(app.clock.now())).toEqual([first]);
  const [read] = await filesystemHistory.read([first ?? 0], app.clock.now());
  expect(
    read?.filesystems.map(({ mount, points }) => [mount, points.map(({ usedBytes }) => Math.round(usedBytes / GB))]),
  ).toEqual([['/', [70, 71]]]);
});

test('the deletion of a server takes its history and trends along, a transfer keeps them', async () => {
  const app = testApp(db.storage());
  const [user, next] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-3');
  await fillHistory(app, agent.serverId);
  await send(app, agent, [filesystem('/', 60)]);
  await updateDiskTrends(db.storage().filesystemHistory, app.clock.now());
  const found = await db.storage().servers.get(ownerOf(user.organisationId), agent.serverId);
  const key = found?.server.key ?? 0;
  await db
    .storage()
    .servers.transfer(
      { serverKey: key, serverId: agent.serverId, tokenHash: Buffer.alloc(32), organisationId: null },
      next.organisationId,
    );
  expect((await serversOf(app, next)).summary.next_to_fill?.mount).toBe('/');
  expect((await serversOf(app, user)).summary.next_to_fill).toBeNull();
  await app.call('DELETE', '/api/servers/delete', { ...next, body: { server_id: agent.serverId } });
  for (const table of ['filesystem_history', 'filesystem_trend'])
    expect(await db.sql(`SELECT FROM ${table} WHERE server_key = $1`, [key])).toEqual([]);
});
