import { load } from 'js-yaml';
import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import { ALERT_RULE_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import type { AlertRulesAnswer, RehearseAnswer } from '@plimsoll/contract/wire/alert-rules';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { ServersAnswer } from '@plimsoll/contract/wire/servers';
import { expect, test } from 'vitest';
import { ALWAYS_RECEIVING } from '../../testing/ingest-watch.ts';
import { markSilentJob, resolveUnruledJob } from '../jobs.ts';
import { reportsBody, testApp, type Answer, type TestAgent, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

const db = testStorage();
const PATH = '/api/alerts/rules';
const UP = 100_000;
const CPU = {
  metric: 'cpu_usage',
  target: 'all',
  lines: [
    { level: 'warning', threshold: 50 },
    { level: 'critical', threshold: 70 },
  ],
};
const MEMORY = { total_bytes: 1000, swap_total_bytes: 0, swap_used_bytes: 0 };
const cpu = (percent: number) => ({
  percent,
  io_wait_percent: null,
  steal_percent: 0,
  user_percent: 0,
  system_percent: 0,
  per_core_percent: [],
});
const disk = (mount: string, used: number) => ({
  mount,
  device: 'd',
  type: 'ext4',
  size_bytes: 100,
  used_bytes: used,
  available_bytes: 100 - used,
  inodes_total: null,
  inodes_used: null,
});

const seqs = new Map<string, number>();
/** Sends reports a minute apart. */
async function feed(app: TestApp, agent: TestAgent, parts: Record<string, unknown>[]): Promise<void> {
  for (const part of parts) {
    const seq = (seqs.get(agent.serverId) ?? 0) + 1;
    seqs.set(agent.serverId, seq);
    app.clock.pass(60);
    const up = UP + app.clock.now() / 1000 - 1.7e9;
    const body = reportsBody(agent, app.clock.now(), [{ seq, up, ...part }], { up_now: up });
    const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  }
}
const times = (count: number, part: Record<string, unknown>) => Array.from({ length: count }, () => part);
const create = async (app: TestApp, user: TestUser, body: Record<string, unknown>): Promise<string> => {
  const answer = await app.call('POST', PATH, { ...user, body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return (answer.json.data as unknown as { rule: { rule_id: string } }).rule.rule_id;
};
const dataOf = ({ json }: Answer): unknown => json.data;
const listed = async (app: TestApp, user: TestUser) => dataOf(await app.call('GET', PATH, user)) as AlertRulesAnswer;
const alerts = async (app: TestApp, user: TestUser, query = '') =>
  (dataOf(await app.call('GET', `/api/data/notifications?${query}`, user)) as AlertsAnswer).alerts;
const audited = async (app: TestApp, user: TestUser): Promise<unknown[]> =>
  (dataOf(await app.call('GET', '/api/user/audit-log', user)) as { entries: { action: string }[] }).entries
    .map(({ action }) => action)
    .filter((action) => action.startsWith('alert_rule'));
const silence = ({ deps: { storage, alertRules, changes } }: TestApp) =>
  markSilentJob({ ...storage, ingestWatch: ALWAYS_RECEIVING, alertRules, changes, reportIntervalSeconds: 60 });

test('a rule is created, listed, replaced and deleted; each change is audited', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const id = await create(app, user, CPU);
  const { rules, total, defaults } = await listed(app, user);
  expect([total, rules.map(({ rule_id }) => rule_id)]).toEqual([1, [id]]);
  expect(rules[0]).toMatchObject({
    ...CPU,
    is_default: false,
    for_seconds: 300,
    keep_firing_for_seconds: 300,
    hysteresis_points: 5,
    enabled: true,
    text: 'CPU at or above 50 % (warning) or 70 % (critical) for 5 min, clears 5 points lower for 5 min',
  });
  expect(defaults.map(({ metric, lines }) => [metric, ...lines.map(({ threshold }) => threshold)])).toEqual(
    ALERT_RULE_METRICS.map((metric) => [metric, ...ALERT_METRICS[metric].lines.map(({ threshold }) => threshold)]),
  );
  const body = { ...CPU, target: 'tag', tag_key: 'env', for_seconds: 60, enabled: false };
  const changed = await app.call('PUT', `${PATH}/${id}`, { ...user, body });
  expect((dataOf(changed) as { rule: unknown }).rule).toMatchObject({ ...body, rule_id: id, tag_value: null });
  expect((await app.call('DELETE', `${PATH}/${id}`, user)).status).toBe(200);
  expect(await listed(app, user)).toMatchObject({ rules: [], total: 0 });
  expect(await audited(app, user)).toEqual(['alert_rule_deleted', 'alert_rule_changed', 'alert_rule_created']);
});

test('a change by a member is in the log of the organisation and names the account of the member; its rule is in force', async () => {
  const app = testApp(db.storage(), { settings: { PLIMSOLL_ALLOWED_PRIVATE_RANGES: '203.0.113.0/24' } });
  const [owner, editor] = [await app.newUser(), await app.newUser()];
  await db.sql(
    `UPDATE membership SET organisation_id = (SELECT organisation_id FROM membership WHERE account_id = $2), role = 'editor'
     WHERE account_id = $1`,
    [editor.personId, owner.personId],
  );
  const id = await create(app, editor, CPU);
  const channel = { type: 'webhook', name: 'Ops', settings: { url: 'https://203.0.113.7/hook' } };
  const routing = { levels: ['critical'], tags: {}, quiet_hours: null, repeat_minutes: null };
  const made = await app.call('POST', '/api/notify/channels', { ...editor, body: { ...channel, routing } });
  expect([made.status, made.text]).toEqual([200, expect.any(String)]);
  const rows = await db.sql<{ organisation_id: OrganisationId; action: string; by: string }>(
    `SELECT organisation_id, action, person_id AS by FROM audit_log
     WHERE action IN ('alert_rule_created', 'channel_created') AND organisation_id = ANY($1::uuid[]) ORDER BY action`,
    [[owner.organisationId, editor.organisationId]],
  );
  const byEditor = { organisation_id: owner.organisationId, by: editor.organisationId };
  expect(rows).toEqual([
    { action: 'alert_rule_created', ...byEditor },
    { action: 'channel_created', ...byEditor },
  ]);
  expect((await listed(app, owner)).rules.map(({ rule_id: known }) => known)).toEqual([id]);
});

test('another account sees, changes and deletes none of them, and cannot name a foreign server', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const agent = await app.newAgent(user);
  const id = await create(app, user, CPU);
  expect((await listed(app, other)).total).toBe(0);
  for (const unknown of [id, crypto.randomUUID()]) {
    const put = await app.call('PUT', `${PATH}/${unknown}`, { ...other, body: CPU });
    const removed = await app.call('DELETE', `${PATH}/${unknown}`, other);
    expect([put.status, put.json.detail, removed.status]).toEqual([404, 'Rule not found', 404]);
  }
  const body = { ...CPU, target: 'server', server_id: agent.serverId };
  for (const path of [PATH, `${PATH}/rehearse`]) {
    const refused = await app.call('POST', path, { ...other, body });
    expect([refused.status, refused.json.detail]).toEqual([404, 'Server not found']);
  }
  expect((await listed(app, user)).total).toBe(1);
});

test.each([
  [{ target: 'server' }, 'server_id'],
  [{ target: 'tag' }, 'tag_key'],
  [{ target: 'mount', metric: 'disk_usage' }, 'mount'],
  [{ target: 'mount', mount: '/' }, 'target'],
  [{ mount: '/' }, 'mount'],
  [{ lines: [] }, 'lines'],
  [{ lines: [{ level: 'warning', threshold: null }] }, 'lines[0].threshold'],
  [{ lines: [CPU.lines[1], CPU.lines[0]] }, 'lines[1].threshold'],
  [{ lines: [CPU.lines[0], { level: 'info', threshold: 60 }] }, 'lines[1].level'],
  [{ metric: 'offline' }, 'lines[0].threshold'],
  [{ for_seconds: -1 }, 'for_seconds'],
  [{ metric: 'load' }, 'metric'],
  [{ lines: [{ level: 'warning', threshold: 101 }] }, 'lines[0].threshold'],
  [{ hysteresis_points: 50 }, 'hysteresis_points'],
  [{ target: 'cluster', cluster_id: 'c' }, 'target'],
  [{ metric: 'pod_crash_loop', target: 'server', server_id: crypto.randomUUID() }, 'target'],
  [{ metric: 'pod_crash_loop', target: 'workload', workload: 'web' }, 'namespace'],
  [{ metric: 'volume_usage', target: 'workload', namespace: 'shop', workload: 'web' }, 'target'],
  [{ metric: 'node_not_ready' }, 'lines[0].threshold'],
])('a rule with %j is refused by name', async (parts, field) => {
  const app = testApp(db.storage());
  const answer = await app.call('POST', PATH, { ...(await app.newUser()), body: { ...CPU, ...parts } });
  expect([answer.status, answer.json.code, answer.json.field]).toEqual([400, 'invalid_parameter', field]);
  expect(answer.json.detail).toMatch(new RegExp(`^${field.replace(/[[\].]/g, '\\$&')}: .`));
});

test('a metric of a host with the target of a cluster is refused with the targets it can have', async () => {
  const app = testApp(db.storage());
  const body = { ...CPU, target: 'namespace', namespace: 'shop' };
  const answer = await app.call('POST', PATH, { ...(await app.newUser()), body });
  expect(answer.json.detail).toBe('target: must be all, tag, server: cpu_usage is a metric of hosts per server');
});

test('a low line has no hysteresis that reaches below zero', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  await create(app, user, { ...CPU, lines: [{ level: 'info', threshold: 4 }] });
  expect((await listed(app, user)).rules[0]?.hysteresis_points).toBe(2);
});

test('a rule of a workload keeps its target; a cluster of another account is not found', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const lines = [{ level: 'error', threshold: 2 }];
  const target = { target: 'workload', namespace: 'shop', workload: 'web', workload_kind: 'Deployment' };
  await create(app, user, { metric: 'pod_crash_loop', lines, ...target });
  expect((await listed(app, user)).rules).toMatchObject([
    {
      ...target,
      cluster_id: null,
      unit: 'pods',
      text: 'Pods in CrashLoopBackOff at or above 2 pods (error) for 5 min, clears below the line for 10 min',
    },
  ]);
  const body = { metric: 'pod_crash_loop', lines, target: 'cluster', cluster_id: 'unknown' };
  const refused = await app.call('POST', PATH, { ...user, body });
  expect([refused.status, refused.json.detail]).toEqual([404, 'Cluster not found']);
});

test('a metric without history says which is missing', async () => {
  const app = testApp(db.storage());
  const body = { metric: 'temperature', target: 'all', lines: [{ level: 'info', threshold: 90 }] };
  const answer = await app.call('POST', `${PATH}/rehearse`, { ...(await app.newUser()), body });
  expect(dataOf(answer)).toMatchObject({ fired: null, note: 'No history of temperatures is stored.' });
});

test('nobody reads or writes rules without a session', async () => {
  const app = testApp(db.storage());
  for (const [method, path] of [
    ['GET', PATH],
    ['POST', PATH],
    ['PUT', `${PATH}/${crypto.randomUUID()}`],
    ['DELETE', `${PATH}/${crypto.randomUUID()}`],
    ['POST', `${PATH}/rehearse`],
    ['GET', `${PATH}/export`],
  ] as const)
    expect((await app.call(method, path, method === 'GET' ? {} : { body: CPU })).status).toBe(401);
});

test('a moved line moves the load line, headroom and rank, and fires there; deleting it resolves the alert', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const [busy, idle] = [await app.newAgent(user, 'busy'), await app.newAgent(user, 'idle')];
  for (const [agent, percent] of [
    [busy, 75],
    [idle, 60],
  ] as const)
    await feed(app, agent, [{ cpu: cpu(percent) }]);
  const fleet = async () => (dataOf(await app.call('GET', '/api/servers/list', user)) as ServersAnswer).servers;
  expect((await fleet()).map(({ hostname }) => hostname)).toEqual(['busy', 'idle']);
  const id = await create(app, user, { ...CPU, target: 'server', server_id: idle.serverId });
  const [first] = await fleet();
  expect(first).toMatchObject({
    hostname: 'idle',
    lines: { cpu: { warning: 50, critical: 70 }, memory: { warning: 80, critical: 95 } },
    headroom: { resource: 'cpu', line: 50, points: -10 },
  });
  const one = await app.call('GET', `/api/servers/${idle.serverId}`, user);
  expect((dataOf(one) as { server: unknown }).server).toMatchObject({ lines: { cpu: { warning: 50 } } });
  await feed(app, idle, times(5, { cpu: cpu(60) }));
  expect(await alerts(app, user, 'status=active')).toMatchObject([
    { server_id: idle.serverId, level: 'warning', threshold_value: 50, title: 'CPU usage above 50%' },
  ]);
  await app.call('DELETE', `${PATH}/${id}`, user);
  expect((await alerts(app, user)).map(({ status }) => status)).toEqual(['resolved']);
  // Meanwhile it was silent for too long to be ranked.
  await feed(app, busy, [{ cpu: cpu(75) }]);
  expect((await fleet()).map(({ hostname }) => hostname)).toEqual(['busy', 'idle']);
});

test('a disabled rule resolves its alerts and switches its metric off; enabling it fires again', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const id = await create(app, user, CPU);
  await feed(app, agent, times(5, { cpu: cpu(99) }));
  expect((await alerts(app, user, 'status=active')).map(({ level }) => level)).toEqual(['critical']);
  const put = (enabled: boolean) => app.call('PUT', `${PATH}/${id}`, { ...user, body: { ...CPU, enabled } });
  expect((await put(false)).status).toBe(200);
  expect(await alerts(app, user, 'status=active')).toEqual([]);
  await feed(app, agent, times(6, { cpu: cpu(99) }));
  expect(await alerts(app, user, 'status=active')).toEqual([]);
  await put(true);
  await feed(app, agent, times(5, { cpu: cpu(99) }));
  expect(await alerts(app, user, 'status=active')).toHaveLength(1);
});

test('a line that moves up below an open alert resolves it by the rule; other levels resolve it at once', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const id = await create(app, user, CPU);
  await feed(app, agent, times(5, { cpu: cpu(60) }));
  const put = (lines: unknown) => app.call('PUT', `${PATH}/${id}`, { ...user, body: { ...CPU, lines } });
  await put([
    { level: 'warning', threshold: 65 },
    { level: 'critical', threshold: 70 },
  ]);
  expect(await alerts(app, user, 'status=active')).toHaveLength(1);
  await feed(app, agent, times(5, { cpu: cpu(59) }));
  expect(await alerts(app, user, 'status=active')).toHaveLength(0);
  await feed(app, agent, times(5, { cpu: cpu(68) }));
  expect(await alerts(app, user, 'status=active')).toHaveLength(1);
  await put([{ level: 'critical', threshold: 65 }]);
  expect(await alerts(app, user, 'status=active')).toHaveLength(0);
});

test('tags and owners of a server decide as soon as they change; its old alerts are resolved by the job', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  await create(app, user, { ...CPU, target: 'tag', tag_key: 'env', tag_value: 'prod' });
  const tag = (tags: Record<string, string>) =>
    app.call('PUT', `/api/servers/${agent.serverId}`, { ...user, body: { tags } });
  await feed(app, agent, times(6, { cpu: cpu(60) }));
  expect(await alerts(app, user)).toEqual([]);
  await tag({ env: 'prod' });
  await feed(app, agent, times(5, { cpu: cpu(60) }));
  expect(await alerts(app, user, 'status=active')).toHaveLength(1);
  await tag({ env: 'test' });
  const { storage, alertRules, changes } = app.deps;
  const job = resolveUnruledJob({ alertStates: storage.alertStates, alertRules, changes });
  expect(await job.run(app.clock.now())).toMatchObject({ resolved: 1 });
  expect(await job.run(app.clock.now())).toBeNull();
  expect(await alerts(app, user, 'status=active')).toEqual([]);
});

test('a rule of a mount leaves the other mounts to the rule of the server', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const lines = [{ level: 'error', threshold: 30 }];
  await create(app, user, { metric: 'disk_usage', target: 'mount', mount: '/var', lines });
  await feed(app, agent, times(5, { filesystems: [disk('/var', 40), disk('/', 40), disk('/srv', 85)] }));
  const found = await alerts(app, user);
  expect(Object.fromEntries(found.map(({ level, tags }) => [tags['subject'], level]))).toEqual({
    '/var': 'error',
    '/srv': 'warning',
  });
});

test('an offline rule sets level and time, and none while it is off; the next report resolves it', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  await feed(app, agent, [{ cpu: cpu(1) }]);
  const body = { metric: 'offline', target: 'all', lines: [{ level: 'warning', threshold: null }], for_seconds: 600 };
  const id = await create(app, user, body);
  app.clock.pass(599);
  await silence(app).run(app.clock.now());
  expect(await alerts(app, user)).toEqual([]);
  app.clock.pass(1);
  await silence(app).run(app.clock.now());
  expect(await alerts(app, user)).toMatchObject([{ metric_name: 'offline', level: 'warning', status: 'active' }]);
  await app.call('PUT', `${PATH}/${id}`, { ...user, body: { ...body, enabled: false } });
  await silence(app).run(app.clock.now());
  expect(await alerts(app, user, 'status=active')).toEqual([]);
  await app.call('DELETE', `${PATH}/${id}`, user);
  await silence(app).run(app.clock.now());
  expect(await alerts(app, user, 'status=active')).toMatchObject([{ level: 'critical' }]);
  await feed(app, agent, [{ cpu: cpu(1), memory: { ...MEMORY, used_bytes: 1, available_bytes: 999 } }]);
  expect(await alerts(app, user, 'status=active')).toEqual([]);
});

test('reports read the rules once a minute, not once each', async () => {
  const storage = db.storage();
  let reads = 0;
  const ofAccount: typeof storage.alertRules.ofAccount = (organisationId) => {
    reads += 1;
    return storage.alertRules.ofAccount(organisationId);
  };
  const app = testApp({ ...storage, alertRules: { ...storage.alertRules, ofAccount } });
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const now = app.clock.now();
  const items = Array.from({ length: 20 }, (_, index) => index + 1);
  for (const seq of items) {
    const body = reportsBody(agent, now, [{ seq, up: UP + seq, cpu: cpu(1) }], { up_now: UP + 20 });
    await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  }
  expect(reads).toBe(1);
  app.clock.pass(60);
  await app.call('GET', '/api/servers/list', user);
  expect(reads).toBe(2);
});

test('a rehearsal says how often the rule would have fired, from samples or minima and maxima', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web-1');
  const rehearse = async (body: Record<string, unknown>) =>
    dataOf(await app.call('POST', `${PATH}/rehearse`, { ...user, body })) as RehearseAnswer;
  expect(await rehearse(CPU)).toMatchObject({ fired: null, messages: null, source: null, servers: 1, moments: [] });
  await feed(app, agent, [...times(6, { cpu: cpu(60) }), ...times(7, { cpu: cpu(10) })]);
  const found = await rehearse(CPU);
  expect(found).toMatchObject({
    text: 'In the last 7 days this rule would have fired 1 time and sent 2 messages.',
    fired: 1,
    messages: 2,
    source: 'samples',
    servers: 1,
    note: null,
    moments: [{ server_id: agent.serverId, hostname: 'web-1', level: 'warning' }],
  });
  expect(await rehearse({ ...CPU, for_seconds: 600 })).toMatchObject({ fired: 0, messages: 0 });
  // It wrote nothing: no rule, and no alert below the default line.
  expect([(await listed(app, user)).total, await alerts(app, user)]).toEqual([0, []]);
  const [server] = await db.sql<{ key: number }>('SELECT key FROM server WHERE id = $1', [agent.serverId]);
  const at = new Date(app.clock.now() - 5 * 86_400_000);
  await db.sql(
    `INSERT INTO host_rollup_5m (ts, server_key, samples, cpu_count, cpu_avg, cpu_min, cpu_max, io_wait_count, memory_count,
       disk_count, operations_count, receive_count, transmit_count, connections_count)
     VALUES ($2, $1, 5, 5, 60, 55, 65, 0, 0, 0, 0, 0, 0, 0)`,
    [server?.key, at],
  );
  expect(await rehearse(CPU)).toMatchObject({ source: 'mixed', fired: 1 });
  const mount = { ...CPU, metric: 'disk_usage', target: 'mount', mount: '/' };
  expect(await rehearse(mount)).toMatchObject({ fired: null, note: 'No history of single mounts is stored.' });
});

test('the export is a Prometheus rule file in which specific rules override general ones', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'web.1');
  await create(app, user, { ...CPU, target: 'server', server_id: agent.serverId, lines: [CPU.lines[0]] });
  await create(app, user, {
    metric: 'offline',
    target: 'tag',
    tag_key: 'env/x',
    lines: [{ level: 'info', threshold: null }],
    enabled: false,
  });
  const answer = await app.call('GET', `${PATH}/export`, user);
  expect(answer.headers.get('content-type')).toContain('yaml');
  const file = load(answer.text) as { groups: { name: string; rules: Record<string, unknown>[] }[] };
  const rules = file.groups[0]?.rules ?? [];
  const defaults = ALERT_RULE_METRICS.flatMap((metric) => ALERT_METRICS[metric].lines);
  expect(rules).toHaveLength(2 + defaults.length);
  const ofServer = 'node_cpu_seconds_total{mode="idle",instance=~"web\\\\.1(:[0-9]+)?"}';
  expect(rules[0]).toMatchObject({
    alert: 'PlimsollCpuUsage',
    for: '300s',
    keep_firing_for: '300s',
    labels: { severity: 'warning' },
  });
  expect(rules[0]?.['expr']).toBe(`(100 * (1 - avg without (cpu, mode) (rate(${ofServer}[2m]))) >= 50)`);
  expect(rules[2]?.['expr']).toContain(` unless (100 * (1 - avg without (cpu, mode) (rate(${ofServer}[2m]))))`);
  const offline = rules.filter(({ alert }) => alert === 'PlimsollOffline').map(({ expr }) => expr);
  expect(offline).toEqual(['(up{env_x!=""} == 0) and on () (vector(0) == 1)', '(up{} == 0) unless (up{env_x!=""})']);
});
