import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { LatestMetricsAnswer } from '@plimsoll/contract/wire/metrics';
import type { ServerAnswer, ServersAnswer } from '@plimsoll/contract/wire/servers';
import { expect, test } from 'vitest';
import { reportsBody, testApp, type Answer, type TestAgent, type TestApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const HOUR = 3600;
const DAY = 24 * HOUR;
const cpu = (percent: number) => ({
  percent,
  io_wait_percent: 1,
  steal_percent: 0,
  user_percent: percent,
  system_percent: 0,
  per_core_percent: [percent],
});
async function feed(app: TestApp, agent: TestAgent, percent: number, seq: number): Promise<number> {
  const body = reportsBody(agent, app.clock.now(), [{ seq, cpu: cpu(percent) }]);
  const { status } = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect(status).toBe(200);
  return app.clock.now() / 1000;
}
const dataOf = (answer: Answer): unknown => answer.json.data;

/** One server with two reports, an hour apart, so many days ago. The storage reads the clock of the machine. */
async function fleet(days = 0) {
  const app = testApp(db.storage());
  app.clock.ms -= days * DAY * 1000;
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-1');
  const enrolled = app.clock.now() / 1000;
  app.clock.pass(HOUR);
  const busy = await feed(app, agent, 91, 1);
  app.clock.pass(HOUR);
  const quiet = await feed(app, agent, 20, 2);
  const list = async (at: number, token = user) =>
    dataOf(await app.call('GET', `/api/servers/list?at=${String(at)}`, token)) as ServersAnswer;
  return { app, user, other, agent, enrolled, busy, quiet, list };
}

test('servers are as they were at a moment: active, offline, not yet reporting, not yet there', async () => {
  const { app, user, agent, enrolled, busy, quiet, list } = await fleet();
  const then = await list(busy + 30);
  expect(then.servers[0]).toMatchObject({ status: 'active', headroom: { resource: 'cpu', value: 91 } });
  expect(then.summary).toMatchObject({ total: 1, online: 1, avg_cpu: 91, newest_report_age_seconds: 30 });
  expect(then.fleet[0]).toMatchObject({ status: 'active', headroom: { value: 91 } });
  const silent = await list(busy + 1800);
  expect(silent.servers[0]).toMatchObject({ status: 'offline', last_seen_at: new Date(busy * 1000).toISOString() });
  expect(silent.summary).toMatchObject({ online: 0, avg_cpu: null });
  expect((await list(enrolled + 1)).servers[0]).toMatchObject({ status: 'installing', headroom: null });
  expect(await list(enrolled - 60)).toMatchObject({ servers: [], total: 0 });
  expect((await list(quiet)).servers[0]).toMatchObject({ status: 'active', headroom: { value: 20 } });

  const one = dataOf(await app.call('GET', `/api/servers/${agent.serverId}?at=${String(busy)}`, user)) as ServerAnswer;
  expect(one.server).toMatchObject({ status: 'active', headroom: { value: 91 }, per_core_percent: [] });
  // A link to an earlier moment leads to the server, not to an error.
  const early = await app.call('GET', `/api/servers/${agent.serverId}?at=${String(enrolled - 60)}`, user);
  expect(dataOf(early)).toMatchObject({ server: { status: 'installing', last_seen_at: null, headroom: null } });
  const figures = async (query: string) =>
    (dataOf(await app.call('GET', `/api/data/metrics?at=${String(busy + 10)}${query}`, user)) as LatestMetricsAnswer)
      .metrics;
  for (const query of ['', `&server_id=${agent.serverId}`])
    expect((await figures(query))[0]).toMatchObject({
      timestamp: busy,
      age_seconds: 10,
      metrics: { cpu_usage: { value: 91 }, swap_usage: { value: null, reason: 'Not stored for that minute' } },
    });
  const before = dataOf(await app.call('GET', `/api/data/metrics?at=${String(enrolled + 1)}`, user));
  expect((before as LatestMetricsAnswer).metrics[0]?.metrics.cpu_usage.reason).toBe('No report at that moment');
});

test('after the samples are removed, the state of a moment comes from the rollups', async () => {
  const { app, agent, busy, list } = await fleet(8);
  await db.storage().rollups.rollUp(app.clock.now() + 10 * 60_000);
  await db.sql('DELETE FROM host_sample WHERE server_key IN (SELECT key FROM server WHERE id = $1)', [agent.serverId]);
  const then = await list(busy + 30);
  expect(then.servers[0]).toMatchObject({ status: 'active', headroom: { resource: 'cpu', value: 91 } });
});

test('a moment is of the past, of what is kept, and of the owner only', async () => {
  const { app, user, other, agent, busy, list } = await fleet();
  expect(await list(busy, other)).toMatchObject({ servers: [], total: 0 });
  expect((await app.call('GET', `/api/servers/${agent.serverId}?at=${String(busy)}`, other)).status).toBe(404);
  expect(
    (await app.call('GET', `/api/data/metrics?server_id=${agent.serverId}&at=${String(busy)}`, other)).status,
  ).toBe(404);
  const now = app.clock.now() / 1000;
  for (const path of ['/api/servers/list', '/api/data/metrics', '/api/data/notifications']) {
    const refused = async (at: number) => {
      const { status, json } = await app.call('GET', `${path}?at=${String(at)}`, user);
      return [status, json.field, json.detail];
    };
    expect(await refused(now + 60)).toEqual([400, 'at', 'at: must be a moment of the past']);
    expect(await refused(now - 366 * DAY)).toEqual([400, 'at', expect.stringMatching(/are kept for 365 days$/)]);
  }
});

test('alerts are those that were open at a moment, as they stood then', async () => {
  const { app, user, agent, busy } = await fleet();
  await db.sql(
    `INSERT INTO alert (server_key, rule, subject, metric, level, title, message, opened_at, updated_at, resolved_at)
     SELECT key, 'r', '', 'cpu_usage', 'warning', 't', 'm', to_timestamp($2), to_timestamp($2), to_timestamp($3)
     FROM server WHERE id = $1`,
    [agent.serverId, busy, busy + 600],
  );
  const open = async (at: number) =>
    (dataOf(await app.call('GET', `/api/data/notifications?at=${String(at)}`, user)) as AlertsAnswer).alerts.map(
      ({ status, resolved_at: resolved }) => [status, resolved],
    );
  expect(await open(busy - 1)).toEqual([]);
  expect(await open(busy + 300)).toEqual([['active', null]]);
  expect(await open(busy + 601)).toEqual([]);
  const since = `start_date=${String(busy - 60)}`;
  const fired = async (at: number) =>
    (
      dataOf(await app.call('GET', `/api/data/notifications?${since}&at=${String(at)}`, user)) as AlertsAnswer
    ).alerts.map(({ status }) => status);
  expect(await fired(busy - 1)).toEqual([]);
  expect(await fired(busy + 300)).toEqual(['active']);
  expect(await fired(busy + 601)).toEqual(['resolved']);
});

test('where a sample is missing its rollup stands in, and never makes a silent server later than it was', async () => {
  const { app, agent, busy, quiet, list } = await fleet();
  // The rollups of another test ended days ago; they would go through every bucket since then.
  await db.sql('TRUNCATE rollup_progress');
  await db.storage().rollups.rollUp(app.clock.now() + 10 * 60_000);
  const silent = await list(busy + 1800);
  expect(silent.servers[0]).toMatchObject({ status: 'offline', last_seen_at: new Date(busy * 1000).toISOString() });
  await db.sql(
    'DELETE FROM host_sample WHERE ts < to_timestamp($2) AND server_key IN (SELECT key FROM server WHERE id = $1)',
    [agent.serverId, quiet],
  );
  expect((await list(busy + 30)).servers[0]).toMatchObject({ status: 'active', headroom: { value: 91 } });
});
