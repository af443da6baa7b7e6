import { expect, test } from 'vitest';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { ALWAYS_RECEIVING } from '../../testing/ingest-watch.ts';
import { markSilentJob } from '../jobs.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const db = testStorage();
const UP = 100_000;

const cpu = (percent: number) => ({
  percent,
  io_wait_percent: null,
  steal_percent: 0,
  user_percent: 0,
  system_percent: 0,
  per_core_percent: [],
});

/** Reports CPU per cents a minute apart; answers the next seq. */
async function feed(app: TestApp, agent: TestAgent, percents: number[], seq = 1): Promise<number> {
  let next = seq;
  for (const percent of percents) {
    app.clock.pass(60);
    const up = UP + next * 60;
    const body = reportsBody(agent, app.clock.now(), [{ seq: next, up, cpu: cpu(percent) }], { up_now: up });
    const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    expect(answer.status).toBe(200);
    next += 1;
  }
  return next;
}
const listAlerts = async (app: TestApp, user: TestUser, query = ''): Promise<AlertsAnswer> =>
  (await app.call('GET', `/api/data/notifications?${query}`, user)).json.data as unknown as AlertsAnswer;
const silence = ({ deps: { storage, alertRules, changes } }: TestApp) =>
  markSilentJob({ ...storage, ingestWatch: ALWAYS_RECEIVING, alertRules, changes, reportIntervalSeconds: 60 });

test('five minutes over the line open one alert; five minutes well below it resolve it', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user, 'web-1');
  let seq = await feed(app, agent, [90, 90, 90, 90]);
  expect(await listAlerts(app, user)).toEqual({ alerts: [], total: 0 });
  const openedAt = app.clock.now() / 1000 + 60;
  seq = await feed(app, agent, [90, 97], seq);
  const open = await listAlerts(app, user, 'status=active');
  expect(open).toMatchObject({
    total: 1,
    alerts: [
      {
        server_id: agent.serverId,
        level: 'warning',
        status: 'active',
        title: 'CPU usage above 80%',
        message: 'CPU 97 %, 17 over for 5 min',
        metric_name: 'cpu_usage',
        current_value: 97,
        threshold_value: 80,
        timestamp: openedAt,
        resolved_at: null,
        tags: { hostname: 'web-1' },
      },
    ],
  });
  expect(await listAlerts(app, other)).toEqual({ alerts: [], total: 0 });
  await feed(app, agent, [10, 10, 10, 10, 10], seq);
  expect(await listAlerts(app, user, 'status=active')).toMatchObject({ total: 0 });
  const resolved = await listAlerts(app, user, `status=resolved&server_id=${agent.serverId}`);
  expect(resolved.alerts).toMatchObject([
    {
      alert_id: open.alerts[0]?.alert_id,
      message: 'CPU back to 10 % after 6 min, at worst 97 %',
      resolved_at: new Date(app.clock.now()).toISOString(),
    },
  ]);
  // The time of the end is kept for an hour: an alert that returns within it is flapping.
  const [track] = await db.sql<{ tracks: object }>('SELECT tracks FROM alert_track');
  expect(Object.values(track?.tracks ?? {})).toEqual([[{ phase: 'ok', endedAt: app.clock.now() }, { phase: 'ok' }]]);
});

test('the same report sent again changes nothing', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  await feed(app, agent, [99, 99]);
  for (let i = 0; i < 10; i += 1) {
    app.clock.pass(60);
    const body = reportsBody(agent, app.clock.now(), [{ seq: 2, up: UP + 120, ts: 1, cpu: cpu(99) }], {
      up_now: UP + 180,
    });
    await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  }
  expect((await listAlerts(app, user)).total).toBe(0);
});

test('a silent server: its alerts are unknown, and it has an offline alert until it reports again', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const seq = await feed(app, agent, [90, 90, 90, 90, 90]);
  await silence(app).run(app.clock.now());
  expect((await listAlerts(app, user)).total).toBe(1);
  app.clock.pass(181);
  expect((await listAlerts(app, user, 'status=active')).total).toBe(0);
  await silence(app).run(app.clock.now());
  await silence(app).run(app.clock.now());
  const now = await listAlerts(app, user);
  expect(now.alerts.map((a) => [a.metric_name, a.level, a.status, a.current_value])).toEqual([
    ['offline', 'critical', 'active', null],
    ['cpu_usage', 'warning', 'unknown', 90],
  ]);
  await feed(app, agent, [90], seq + 3);
  expect((await listAlerts(app, user)).alerts.map((a) => [a.metric_name, a.status, a.message])).toEqual([
    ['offline', 'resolved', 'Reports arrive again'],
    ['cpu_usage', 'active', 'CPU 90 %, 10 over for 5 min'],
  ]);
});

test('an outage of the network ends when the first report arrives, not when it was taken', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const seq = await feed(app, agent, [10]);
  app.clock.pass(181);
  await silence(app).run(app.clock.now());
  app.clock.pass(60);
  const kept = [0, 1].map((index) => ({ seq: seq + index, up: UP + (seq + index) * 60, cpu: cpu(10) }));
  const body = reportsBody(agent, app.clock.now(), kept, { up_now: UP + 60 + 241 });
  expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).status).toBe(200);
  expect((await listAlerts(app, user)).alerts).toMatchObject([
    {
      metric_name: 'offline',
      timestamp: app.clock.now() / 1000 - 60,
      resolved_at: new Date(app.clock.now()).toISOString(),
    },
  ]);
});

test('filters, dates and paging; the total is of what matches', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const started = app.clock.now() / 1000;
  await feed(
    app,
    await app.newAgent(user),
    Array.from({ length: 5 }, () => 90),
  );
  await feed(
    app,
    await app.newAgent(user),
    Array.from({ length: 5 }, () => 99),
  );
  expect((await listAlerts(app, user, 'level=critical')).total).toBe(1);
  expect(await listAlerts(app, user, 'limit=1')).toMatchObject({ total: 2, alerts: [{ level: 'critical' }] });
  expect(await listAlerts(app, user, 'limit=1&offset=5')).toMatchObject({ total: 2, alerts: [] });
  expect((await listAlerts(app, user, `end_date=${started}`)).total).toBe(0);
});

test('with dates those that were firing in the range, however early they opened; an end is exclusive', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const seq = await feed(app, agent, [90, 90, 90, 90, 90]);
  const opened = app.clock.now() / 1000;
  const totalOf = async (dates: string) => (await listAlerts(app, user, dates)).total;
  app.clock.pass(3600);
  await feed(app, agent, [10, 10, 10, 10, 10], seq + 60);
  const { resolved_at } = (await listAlerts(app, user)).alerts[0]!;
  const ended = Date.parse(resolved_at ?? '') / 1000;
  expect(ended).toBeGreaterThan(opened + 3600);
  expect(await totalOf(`start_date=${ended - 60}`)).toBe(1);
  expect(await totalOf(`start_date=${ended}`)).toBe(1);
  expect(await totalOf(`start_date=${ended + 1}`)).toBe(0);
  expect(await totalOf(`start_date=${opened - 60}&end_date=${opened}`)).toBe(0);
  expect(await totalOf(`start_date=${opened - 60}&end_date=${opened + 1}`)).toBe(1);
  await feed(app, agent, [90, 90, 90, 90, 90], seq + 65);
  app.clock.pass(3600);
  await silence(app).run(app.clock.now());
  expect((await listAlerts(app, user, `start_date=${app.clock.now() / 1000 - 60}`)).alerts).toMatchObject([
    { metric_name: 'offline', status: 'active' },
    { metric_name: 'cpu_usage', status: 'unknown' },
  ]);
});

test.each([
  ['level=high', 'level'],
  ['status=open', 'status'],
  ['limit=5000', 'limit'],
  ['server_id=x', 'server_id'],
])('?%s is 400 naming it', async (query, field) => {
  const app = testApp(db.storage());
  const answer = await app.call('GET', `/api/data/notifications?${query}`, await app.newUser());
  expect([answer.status, answer.json.field]).toEqual([400, field]);
});

test('reports of one server that race open one alert', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  await feed(app, agent, [90, 90, 90, 90]);
  app.clock.pass(60);
  await Promise.all(
    [5, 6, 7, 8].map((seq) => {
      const up = UP + seq * 60;
      const body = reportsBody(agent, app.clock.now(), [{ seq, up, cpu: cpu(90) }], { up_now: UP + 480 });
      return app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    }),
  );
  expect((await listAlerts(app, user)).total).toBe(1);
});
