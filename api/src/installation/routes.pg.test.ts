import type { InstallationHealth } from '@plimsoll/contract/wire/installation-health';
import { beforeEach, expect, test } from 'vitest';
import { ownerOf } from '../tenancy/owner.ts';
import { reportsBody, testApp, type TestAgent, type TestApp, type TestUser } from '../testing/app.ts';
import { fullReport } from '../testing/full-report.ts';
import { NOW as CLUSTER_NOW, testCluster } from '../testing/kubernetes.ts';
import { newChannel, openAlert } from '../testing/notify.ts';
import { testStorage } from '../testing/postgres.ts';
import { databaseSizeJob } from './jobs.ts';

const db = testStorage();
const PATH = '/api/health/installation';
const HOUR = 3_600_000;
let app: TestApp;
let user: TestUser;

beforeEach(async () => {
  await db.sql(`TRUNCATE account, server, cluster, report_stream, report_ledger, api_uptime, database_size,
    rollup_progress, rollup_set_aside, fleet_rollup_due, notify_outbox, notify_delivery CASCADE`);
  app = testApp(db.storage());
  // The oldest account is the operator.
  app.clock.ms = CLUSTER_NOW - HOUR;
  user = await app.newUser();
  app.clock.ms = CLUSTER_NOW;
});

const health = async (of = user): Promise<InstallationHealth> => {
  const answer = await app.call('GET', PATH, { token: of.token });
  expect(answer.status).toBe(200);
  return answer.json.data as unknown as InstallationHealth;
};
/** Sends one report of each age in seconds, as an agent whose clock is right. */
const report = async (agent: TestAgent, ages: readonly number[], version?: string): Promise<void> => {
  const now = app.clock.now();
  const items = ages.map((age) => {
    const full = fullReport('web-1', now / 1000 - age) as { system?: object };
    const system = { ...full.system, ...(version !== undefined && { collector_version: version }) };
    return { ...full, system, up: 100_000 - age };
  });
  const body = reportsBody(agent, now, items);
  const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect([answer.status, answer.json['rejected']]).toEqual([200, []]);
};

test('an empty installation gives a reason for every figure that is unknown, and no finding', async () => {
  const { ingest, rollups, database, jobs, replicas, notifications, agents, findings } = await health();
  expect(findings).toEqual([]);
  expect(ingest).toEqual({
    window_seconds: 300,
    reports_accepted: 0,
    reports_per_minute: 0,
    lag_p50_seconds: null,
    lag_highest_seconds: null,
    lag_unknown_reason: 'No report arrived in the last 5 minutes.',
    last_report_at: null,
    servers_reporting: 0,
    servers_silent: 0,
    servers_installing: 0,
    clusters_reporting: 0,
    clusters_silent: 0,
  });
  const unknown = { complete_to: null, behind_seconds: null, unknown_reason: 'The rollup job has not run yet.' };
  expect(rollups).toEqual({
    levels: [
      { bucket_seconds: 300, ...unknown },
      { bucket_seconds: 3600, ...unknown },
    ],
    buckets_set_aside: [],
  });
  expect(database).toMatchObject({
    location: 'embedded',
    growth_bytes_per_day: null,
    growth_unknown_reason: 'The growth needs the sizes of one day.',
    growth_measured_from: null,
    free_unknown_reason: null,
    days_until_full: null,
    days_until_full_unknown_reason: 'The growth needs the sizes of one day.',
  });
  expect(database.size_bytes).toBeGreaterThan(1e6);
  expect(database.free_bytes).toBeGreaterThan(0);
  expect(notifications).toEqual({
    messages_waiting: 0,
    oldest_message_age_seconds: null,
    overdue_seconds: 0,
    channels_total: 0,
    channels: [],
  });
  expect([jobs, replicas, agents]).toEqual([[], [], []]);
});

test('counts the reports of the last 5 minutes, and their lag', async () => {
  const [first, second] = [await app.newAgent(user), await app.newAgent(user)];
  await app.newAgent(user);
  await report(first, [10]);
  app.clock.pass(301);
  await report(second, [2, 4, 60]);
  const { ingest } = await health();
  expect(ingest).toMatchObject({ reports_accepted: 3, reports_per_minute: 0.6, lag_unknown_reason: null });
  expect(ingest.lag_p50_seconds).toBeCloseTo(4, 1);
  expect(ingest.lag_highest_seconds).toBeCloseTo(60, 1);
  expect(ingest).toMatchObject({ servers_reporting: 1, servers_silent: 1, servers_installing: 1 });
  expect(ingest.last_report_at).toBe(new Date(app.clock.now()).toISOString());
});

test('counts agents by kind and version, and marks those older than the minor version of the API', async () => {
  const [old, current] = [await app.newAgent(user), await app.newAgent(user)];
  const gone = await app.newAgent(user);
  await app.newAgent(user);
  await report(old, [0], '0.0.9');
  await report(current, [0], '0.1.7');
  await report(gone, [0], '0.0.1');
  await app.call('POST', '/api/agent/v1/bye', { token: gone.token, body: { reason: 'uninstall' } });
  await testCluster(db.storage(), user.organisationId, 'uid-of-kube-system', app.clock.now());
  const { agents, findings, ingest } = await health();
  expect(agents).toEqual([
    { kind: 'cluster_collector', version: '0.1.0', agents: 1, is_outdated: false },
    { kind: 'host_agent', version: '0.1.7', agents: 1, is_outdated: false },
    { kind: 'host_agent', version: '0.0.9', agents: 1, is_outdated: true },
    { kind: 'host_agent', version: null, agents: 1, is_outdated: false },
  ]);
  expect(findings).toEqual(['agents_outdated']);
  expect(ingest).toMatchObject({ clusters_reporting: 1, clusters_silent: 0, servers_reporting: 2 });
  app.clock.pass(121);
  expect((await health()).ingest).toMatchObject({ clusters_reporting: 0, clusters_silent: 1 });
});

test('gives the time since the oldest closed bucket waits, and counts the buckets set aside', async () => {
  await db.storage().rollups.rollUp(app.clock.now());
  const complete = new Date(app.clock.now()).toISOString();
  expect((await health()).rollups.levels[0]).toEqual({
    bucket_seconds: 300,
    complete_to: complete,
    behind_seconds: 0,
    unknown_reason: null,
  });
  app.clock.pass(1000);
  await db.sql(
    `INSERT INTO rollup_set_aside (level, subject_key, ts, failed_at, retry_at, error)
     VALUES ('5m', 1, now(), now(), now(), '22003 out of range')`,
  );
  const { rollups, findings } = await health();
  expect(rollups.levels[0]?.behind_seconds).toBe(700);
  expect(rollups.buckets_set_aside).toEqual([{ level: '5m', buckets: 1 }]);
  expect(findings).toEqual(['rollups_behind', 'buckets_set_aside']);
});

test('measures the growth of the database, and the days until its disk is full', async () => {
  const now = app.clock.now();
  const job = databaseSizeJob(db.storage().installation);
  await job.run(now);
  await job.run(now + 60_000);
  const [stored] = await db.sql<{ bytes: number }>('SELECT bytes FROM database_size');
  expect(await db.sql('SELECT FROM database_size')).toHaveLength(1);
  const before = Math.floor(now / HOUR) * HOUR - 48 * HOUR;
  const bytes = stored?.bytes ?? 0;
  await db.sql('INSERT INTO database_size VALUES ($1, $2)', [new Date(before), bytes - 2e6]);
  const { database } = await health();
  expect(database.growth_measured_from).toBe(new Date(before).toISOString());
  expect(database.growth_bytes_per_day).toBeCloseTo(1e6, -5);
  expect(database.days_until_full).toBeCloseTo((database.free_bytes ?? 0) / (database.growth_bytes_per_day ?? 1), 0);
  expect(database.largest_tables.length).toBeGreaterThan(3);
  expect(database.largest_tables.map(({ name }) => name).join(' ')).not.toMatch(/_p\d{8}|_default/);
});

test('an external database does not report its free space', async () => {
  app = testApp(db.storage(), { settings: { DATABASE_URL: 'postgresql://db.example/plimsoll' } });
  app.clock.ms = CLUSTER_NOW;
  const reason = 'PostgreSQL does not report the free space of its filesystem.';
  expect((await health()).database).toMatchObject({
    location: 'external',
    free_bytes: null,
    free_unknown_reason: reason,
    days_until_full: null,
    days_until_full_unknown_reason: reason,
  });
});

test('lists replicas, and joins the jobs that each of them stored', async () => {
  const now = app.clock.now();
  const { maintenance } = db.storage();
  const failed = { name: 'rollup', lastSuccessAt: now - 9000, lastFailureAt: now - 5000, lastErrorCode: '22003' };
  const other = await maintenance.startRun(now - HOUR, '0.2.0');
  await maintenance.recordRun(other, now - 1000, [failed]);
  await maintenance.recordRun(await maintenance.startRun(now - 2 * HOUR, '0.1.0'), now - HOUR, []);
  await maintenance.recordRun(await maintenance.startRun(now - 30 * HOUR, '0.1.0'), now - 25 * HOUR, [failed]);
  app.deps.jobHealth.record('prune', 'ok');
  const { replicas, jobs, findings } = await health();
  const iso = (ms: number) => new Date(ms).toISOString();
  expect(replicas).toEqual([
    { started_at: iso(now - HOUR), last_seen_at: iso(now - 1000), version: '0.2.0', is_running: true },
    { started_at: iso(now - 2 * HOUR), last_seen_at: iso(now - HOUR), version: '0.1.0', is_running: false },
  ]);
  expect(jobs).toEqual([
    {
      name: 'rollup',
      last_success_at: iso(now - 9000),
      last_failure_at: iso(now - 5000),
      last_error: '22003',
      replicas_failing: 1,
    },
    { name: 'prune', last_success_at: iso(now), last_failure_at: null, last_error: null, replicas_failing: 0 },
  ]);
  expect(findings).toEqual(['job_failing']);
});

test('counts waiting messages, and names only the channels of the operator', async () => {
  const now = app.clock.now();
  const other = await app.newUser();
  const mine = await newChannel(db.storage(), user.organisationId, now);
  const theirs = await newChannel(db.storage(), other.organisationId, now);
  const { deliveries } = db.storage().notify;
  await deliveries.log(mine, { at: now - 5000, outcome: 'delivered', detail: '', about: 'test' });
  await deliveries.log(theirs, { at: now - 4000, outcome: 'refused', detail: 'secret', about: 'test' });
  await openAlert(db.storage(), ownerOf(user.organisationId), await app.newAgent(user), now);
  const times = [new Date(now - 400_000), new Date(now - 350_000)];
  await db.sql('UPDATE notify_outbox SET at = $1, due_at = $2', times);
  const answer = await health();
  expect(answer.notifications).toEqual({
    messages_waiting: 1,
    oldest_message_age_seconds: 400,
    overdue_seconds: 350,
    channels_total: 2,
    channels: [
      {
        type: 'webhook',
        name: null,
        messages_waiting: 0,
        last_outcome: 'refused',
        last_delivery_at: new Date(now - 4000).toISOString(),
      },
      {
        type: 'webhook',
        name: mine,
        messages_waiting: 1,
        last_outcome: 'delivered',
        last_delivery_at: new Date(now - 5000).toISOString(),
      },
    ],
  });
  expect(JSON.stringify(answer)).not.toContain('secret');
  expect(answer.findings).toEqual(['messages_waiting', 'channel_failing']);
});

test('answers the admins of the first organisation only', async () => {
  const [other, colleague] = [await app.newUser(), await app.newUser()];
  const join = (role: string) =>
    db.sql('UPDATE membership SET organisation_id = $2, role = $3 WHERE account_id = $1', [
      colleague.personId,
      user.organisationId,
      role,
    ]);
  const mayRead = async (of: TestUser) => {
    const profile = await app.call('GET', '/api/auth/profile', { token: of.token });
    const { is_operator } = (profile.json.data as unknown as { user: { is_operator: boolean } }).user;
    return [is_operator, (await app.call('GET', PATH, { token: of.token })).status];
  };
  expect(await mayRead(user)).toEqual([true, 200]);
  expect(await mayRead(other)).toEqual([false, 403]);
  await join('editor');
  expect(await mayRead(colleague)).toEqual([false, 403]);
  await join('admin');
  expect(await mayRead(colleague)).toEqual([true, 200]);
  const refused = await app.call('GET', PATH, { token: other.token });
  expect(refused.json).toMatchObject({
    code: 'role_insufficient',
    detail: 'This call is for the operator of this installation',
  });
  expect((await app.call('GET', PATH)).status).toBe(401);
  const bad = await app.call('GET', `${PATH}?days=1`, { token: user.token });
  expect([bad.status, bad.json.field]).toEqual([400, 'days']);
  expect((await app.call('GET', `${PATH}/x`, { token: user.token })).status).toBe(404);
});

test('the time-series store has its delay, its last error and what it lacks', async () => {
  expect((await health()).series_store).toBeNull();
  const { sampleOutbox } = db.storage();
  const settings = {
    PLIMSOLL_SERIES_WRITE_URL: 'http://store.example.com/write',
    PLIMSOLL_SERIES_READ_URL: 'http://store.example.com',
  };
  app = testApp(db.storage(), { settings });
  app.clock.ms = CLUSTER_NOW;
  expect((await health()).series_store).toMatchObject({ shipped_to: null, behind_seconds: null, last_error: null });
  const now = app.clock.now();
  await sampleOutbox.exclusively('ship', async (work) => {
    await work.state(now);
    await work.saveShipped(now - HOUR);
    await work.saveVerified(now - 2 * HOUR);
    const hour = { reason: 'missing', detail: null, retryAt: now, isAttempt: true } as const;
    await work.saveHour({ ...hour, tenant: 1, at: now - 3 * HOUR });
  });
  await sampleOutbox.recordFailure(now, '401 Unauthorized');
  const { series_store: store, findings } = await health();
  expect(store).toEqual({
    shipped_to: new Date(now - HOUR).toISOString(),
    behind_seconds: 3600,
    verified_to: new Date(now - 2 * HOUR).toISOString(),
    hours_incomplete: 1,
    deletions_waiting: 0,
    last_error: '401 Unauthorized',
    last_failure_at: new Date(now).toISOString(),
  });
  expect(findings).toEqual(['series_store_behind']);
  await sampleOutbox.recordSuccess(now);
  expect((await health()).series_store?.last_error).toBeNull();
  await db.sql('TRUNCATE series_shipping, series_hour');
});
