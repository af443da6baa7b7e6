import { afterEach, beforeEach, expect, test } from 'vitest';
import { notRun } from '@plimsoll/contract/probes/run-probe';
import { listen, says, type Target } from '@plimsoll/contract/testing/check-targets';
import { ownerOf } from '../tenancy/owner.ts';
import { reportsBody, testApp, type TestApp, type TestUser } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { judgeChecks } from './judge-checks.ts';

const db = testStorage();
const SECOND = 1000;
const MINUTE = 60_000;
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const BAD = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n';

let app: TestApp;
let user: TestUser;
let target: Target;
let answer = OK;
beforeEach(async () => {
  answer = OK;
  target = await listen((socket) => {
    says(answer)(socket);
  });
  app = testApp(db.storage(), { settings: { PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8' } });
  user = await app.newUser();
  await db.sql('DELETE FROM check_definition');
  await db.sql("UPDATE check_tick SET ran_to = '-infinity'");
  await db.sql('DELETE FROM check_result');
});
afterEach(async () => {
  await app.deps.checkRunner.stop();
  await target.close();
});

const call = (method: string, path: string, body?: unknown) =>
  app.call(method, path, { token: user.token, ...(body === undefined ? {} : { body }) });
const http = (more: object = {}) => ({
  name: 'shop HTTPS',
  retries: 0,
  probe: { kind: 'http', url: `http://127.0.0.1:${String(target.port)}/health`, ...more },
});
const create = async (body: object) => {
  const created = await call('POST', '/api/checks', body);
  expect(created).toMatchObject({ status: 200 });
  return created.json.data as unknown as { check: { check_id: string }; heartbeat_key: string | null };
};
const judge = (startedAt?: number) => {
  const { storage, alertRules, changes } = app.deps;
  const { checkResults, checkAlerts, checkWorkloads } = storage;
  return judgeChecks(
    { checkResults, checkAlerts, checkWorkloads, alertRules, changes, reportIntervalSeconds: 60 },
    app.clock.now(),
    startedAt,
  );
};
/** One minute of the API: what is due runs, its results are stored and judged. */
async function minute(): Promise<void> {
  for (let tick = 0; tick < 12; tick += 1) {
    await app.deps.checkRunner.tick(app.clock.now());
    await app.deps.checkRunner.idle();
    app.clock.ms += 5 * SECOND;
  }
  await judge();
}
async function member(owner: TestUser, role: 'editor' | 'viewer'): Promise<TestUser> {
  const person = await app.newUser();
  const values = [person.personId, owner.organisationId, role];
  await db.sql('UPDATE membership SET organisation_id = $2, role = $3 WHERE account_id = $1', values);
  return person;
}
const detail = async (id: string) => {
  const found = await call('GET', `/api/checks/${id}`);
  return (found.json.data as unknown as { check: Record<string, unknown> }).check;
};
const alerts = async (status = 'active') => {
  const found = await call('GET', `/api/data/notifications?status=${status}`);
  return (found.json.data as unknown as { alerts: Record<string, unknown>[] }).alerts;
};

test('a check runs, fails, becomes an outage and an alert, and recovers', async () => {
  const { check } = await create(http());
  expect(check).toMatchObject({ status: 'unknown', target: `GET http://127.0.0.1:${String(target.port)}/health` });
  await minute();
  expect(await detail(check.check_id)).toMatchObject({
    status: 'up',
    votes: [{ server_id: null, vote: 'up', reason: null, bars: expect.arrayContaining(['up', null]) as unknown }],
    bar_seconds: 60,
    slow_line_ms: null,
    outages: [{ kind: 'unknown', ended_at: expect.any(String) as string }],
  });
  answer = BAD;
  await minute();
  await minute();
  const down = await detail(check.check_id);
  expect(down).toMatchObject({ status: 'down', reason: 'status_unexpected', http_status: 502 });
  expect(down['outages']).toMatchObject([
    { kind: 'down', ended_at: null, http_status: 502, failed: 1, voted: 1 },
    { kind: 'unknown' },
  ]);
  expect(await alerts()).toMatchObject([
    {
      tags: { hostname: 'shop HTTPS' },
      metric_name: 'check_failed',
      level: 'critical',
      message: 'shop HTTPS: HTTP status 502',
    },
  ]);
  answer = OK;
  await minute();
  await minute();
  const up = await detail(check.check_id);
  expect(up).toMatchObject({ status: 'up', outages: [{ kind: 'down' }, { kind: 'unknown' }] });
  expect(await alerts()).toEqual([]);
  expect(await alerts('resolved')).toMatchObject([{ metric_name: 'check_failed', status: 'resolved' }]);
  const listed = (await call('GET', '/api/checks')).json.data as unknown as { checks: { bars: unknown[] }[] };
  expect(listed).toMatchObject({ total: 1, summary: { up: 1, down: 0 } });
  expect(new Set(listed.checks[0]?.bars)).toEqual(new Set([null, 'up', 'down']));
  const series = (await call('GET', `/api/checks/${check.check_id}/series?hours=1`)).json.data as unknown as {
    points: unknown[];
  };
  expect(series.points.length).toBeGreaterThanOrEqual(4);
});

test('a result that no look has counted yet is no vote', async () => {
  const { check } = await create(http());
  for (let tick = 0; tick < 13; tick += 1) {
    await app.deps.checkRunner.tick(app.clock.now());
    await app.deps.checkRunner.idle();
    app.clock.ms += 5 * SECOND;
  }
  expect((await detail(check.check_id))['votes']).toMatchObject([
    { vote: 'none', reason: 'not_counted', voted_at: null, bars: expect.arrayContaining(['up']) as unknown },
  ]);
});

test('a failure while its server is down belongs to the incident of the server', async () => {
  const agent = await app.newAgent(user, 'web-1');
  const { check } = await create({ ...http(), server_id: agent.serverId });
  answer = BAD;
  await minute();
  await minute();
  expect(await alerts()).toMatchObject([{ metric_name: 'check_failed', incident: { folded: false } }]);
  const [server] = await db.sql<{ key: number }>('SELECT key FROM server WHERE id = $1', [agent.serverId]);
  const { alertStates } = app.deps.storage;
  const known = await alertStates.load(server?.key ?? 0, [app.clock.now()]);
  const offline = {
    kind: 'opened',
    rule: 'default-offline',
    metric: 'offline',
    subject: '',
    level: 'critical',
  } as const;
  const texts = { title: 'Server is offline', message: 'silent', value: null, threshold: null, at: app.clock.now() };
  await alertStates.save(server?.key ?? 0, known.version, known.tracks, [{ ...offline, ...texts }]);
  await judge();
  const both = await alerts();
  const incidents = new Set(both.map(({ incident }) => (incident as { incident_id: string }).incident_id));
  expect(incidents.size).toBe(1);
  expect(both.find(({ metric_name: metric }) => metric === 'check_failed')).toMatchObject({
    incident: { folded: true },
  });
  const listed = (await call('GET', '/api/incidents')).json.data as unknown as { incidents: unknown[] };
  expect(listed.incidents).toMatchObject([{ cause: 'offline' }]);
  expect(check.check_id).toBeDefined();
});

test('of a paused check the outage ends, and the time is unknown', async () => {
  const { check } = await create(http());
  answer = BAD;
  await minute();
  await minute();
  const put = (more: object) => call('PUT', `/api/checks/${check.check_id}`, { ...http(), ...more });
  expect((await put({ is_enabled: false })).json.data).toMatchObject({ check: { status: 'paused' } });
  await judge();
  expect(await alerts()).toEqual([]);
  const { outages } = (await detail(check.check_id)) as { outages: object[] };
  expect(outages).toMatchObject([
    { kind: 'unknown', ended_at: null },
    { kind: 'down', ended_at: expect.any(String) as string },
    { kind: 'unknown' },
  ]);
  answer = OK;
  await put({ is_enabled: true });
  await minute();
  expect(await detail(check.check_id)).toMatchObject({ status: 'up' });
});

test('a check that no place votes for after a change becomes unknown', async () => {
  const { check } = await create(http());
  await minute();
  await minute();
  expect(await detail(check.check_id)).toMatchObject({ status: 'up' });
  expect(await call('PUT', `/api/checks/${check.check_id}`, http({ method: 'HEAD' }))).toMatchObject({ status: 200 });
  app.clock.ms += 30 * SECOND;
  await judge();
  expect(await detail(check.check_id)).toMatchObject({ status: 'up' });
  app.clock.ms += 10 * MINUTE;
  await judge();
  expect(await detail(check.check_id)).toMatchObject({ status: 'unknown', votes: [{ vote: 'none' }] });
});

test('a heartbeat that was paused is due a period after it goes on, and one with a new schedule by that', async () => {
  const hourly = { schedule: { kind: 'interval', seconds: 3600 }, grace_seconds: 0 };
  const { check, heartbeat_key: key } = await create({ name: 'nightly backup', heartbeat: hourly });
  const put = (heartbeat: object, more: object = {}) =>
    call('PUT', `/api/checks/${check.check_id}`, { name: 'nightly backup', heartbeat, ...more });
  await app.call('POST', `/api/heartbeats/${key ?? ''}`);
  await put(hourly, { is_enabled: false });
  app.clock.ms += 10 * 60 * MINUTE;
  await put(hourly);
  await judge();
  const resumed = app.clock.now();
  const down = async () => {
    const { outages } = (await detail(check.check_id)) as { outages: { kind: string; began_at: string }[] };
    return outages.filter(({ kind }) => kind === 'down').map(({ began_at: at }) => Date.parse(at));
  };
  expect(await down()).toEqual([]);
  expect(await detail(check.check_id)).toMatchObject({ due_at: new Date(resumed + 60 * MINUTE).toISOString() });

  app.clock.ms += 50 * MINUTE;
  await put({ ...hourly, schedule: { kind: 'interval', seconds: 600 } });
  await judge();
  expect(await down()).toEqual([]);
  await put({ ...hourly, schedule: { kind: 'interval', seconds: 600 } }, { name: 'backup' });
  app.clock.ms += 11 * MINUTE;
  await judge();
  expect(await down()).toEqual([resumed + 60 * MINUTE]);
});

test('a deleted check ends its alert', async () => {
  const { check } = await create(http());
  answer = BAD;
  await minute();
  await minute();
  expect(await alerts()).toHaveLength(1);
  expect((await call('DELETE', `/api/checks/${check.check_id}`)).status).toBe(200);
  await judge();
  expect(await alerts()).toEqual([]);
});

test('a heartbeat is good while it is called in time, down after its grace, and its key is shown once', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 3600 }, grace_seconds: 300 };
  const { check, heartbeat_key: key } = await create({ name: 'nightly backup', heartbeat });
  expect(key).toMatch(/^[\w-]{43}$/);
  const beat = (ending = '', body?: string) =>
    app.call('POST', `/api/heartbeats/${key ?? ''}${ending}`, body === undefined ? {} : { body });
  expect((await beat('/start')).status).toBe(200);
  app.clock.ms += 90 * SECOND;
  const done = await beat('', 'copied 3 files, password=hunter2secret');
  expect(done.json.data).toEqual({ accepted: true });
  await judge();
  expect(await detail(check.check_id)).toMatchObject({
    status: 'up',
    last_call: { kind: 'ok', duration_seconds: 90, output: expect.not.stringContaining('hunter2') as string },
  });
  expect(JSON.stringify(await detail(check.check_id))).not.toContain(key);
  const [{ hash } = { hash: '' }] = await db.sql<{ hash: string }>(
    "SELECT encode(key_hash, 'hex') AS hash FROM check_definition",
  );
  expect(hash).toHaveLength(64);

  app.clock.ms += 66 * MINUTE;
  await judge();
  const missed = await detail(check.check_id);
  expect(missed).toMatchObject({ status: 'down', reason: 'heartbeat_missed' });
  expect(await alerts()).toMatchObject([{ metric_name: 'heartbeat_missed', tags: { hostname: 'nightly backup' } }]);
  await beat('/7');
  expect(await detail(check.check_id)).toMatchObject({ status: 'down', last_call: { kind: 'fail', exit_code: 7 } });
  await beat('/0');
  await judge();
  expect(await detail(check.check_id)).toMatchObject({ status: 'up' });
  expect(await alerts()).toEqual([]);
});

test('the start of the next run does not end an outage that a failed job began', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 3600 }, grace_seconds: 300 };
  const { check, heartbeat_key: key } = await create({ name: 'nightly backup', heartbeat });
  const statusAfter = async (ending: string) => {
    app.clock.ms += MINUTE;
    await app.call('POST', `/api/heartbeats/${key ?? ''}${ending}`);
    await judge();
    return (await detail(check.check_id)).status;
  };
  expect(await statusAfter('')).toBe('up');
  expect(await statusAfter('/1')).toBe('down');
  expect(await statusAfter('/start')).toBe('down');
  expect(await alerts()).toMatchObject([{ metric_name: 'heartbeat_missed' }]);
  expect(await statusAfter('/0')).toBe('up');
});

test('a miss between two looks is an outage all the same', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 60 }, grace_seconds: 0 };
  const { check, heartbeat_key: key } = await create({ name: 'sync', heartbeat });
  await app.call('GET', `/api/heartbeats/${key ?? ''}`);
  app.clock.ms += 5 * MINUTE;
  await app.call('GET', `/api/heartbeats/${key ?? ''}`);
  const { outages } = (await detail(check.check_id)) as {
    outages: { kind: string; began_at: string; ended_at: string }[];
  };
  const [outage] = outages.filter(({ kind }) => kind === 'down');
  expect(Date.parse(outage?.ended_at ?? '') - Date.parse(outage?.began_at ?? '')).toBe(4 * MINUTE);
});

test('of changes of one heartbeat at the same time none is lost', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 60 }, grace_seconds: 0 };
  const { check } = await create({ name: 'sync', heartbeat });
  const { checkResults } = db.storage();
  const [row] = await db.sql<{ key: number }>('SELECT key FROM check_definition WHERE id = $1', [check.check_id]);
  const key = row?.key ?? 0;
  const once = () =>
    checkResults.changeHeartbeat(key, ({ heartbeat: before, fold }) =>
      before === null
        ? null
        : { heartbeat: { ...before, durationMs: (before.durationMs ?? 0) + 1 }, fold, changes: [] },
    );
  expect(new Set(await Promise.all(Array.from({ length: 10 }, once)))).toEqual(new Set([false]));
  expect((await checkResults.listStates([key])).get(key)?.heartbeat?.durationMs).toBe(10);
});

test('a call is judged again if another one changed the state that it was judged on', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 60 }, grace_seconds: 0 };
  const { check } = await create({ name: 'sync', heartbeat });
  const { checkResults } = db.storage();
  const [row] = await db.sql<{ key: number }>('SELECT key FROM check_definition WHERE id = $1', [check.check_id]);
  const key = row?.key ?? 0;
  const seen: (number | null)[] = [];
  const judged = Promise.withResolvers<undefined>();
  const change: Parameters<typeof checkResults.changeHeartbeat>[1] = ({ heartbeat: before, fold }) => {
    if (before === null) return null;
    seen.push(before.durationMs);
    judged.resolve(undefined);
    return { heartbeat: { ...before, durationMs: (before.durationMs ?? 0) + 1 }, fold, changes: [] };
  };
  const other = Promise.withResolvers<boolean>();
  await db.transaction(async (client) => {
    const set = `UPDATE check_state SET heartbeat = heartbeat || '{"durationMs": 100}' WHERE check_key = $1`;
    await client.query(set, [key]);
    checkResults.changeHeartbeat(key, change).then(other.resolve, other.reject);
    // It has read the state from before, and its write waits for the end of this transaction.
    await judged.promise;
  });
  expect(await other.promise).toBe(false);
  expect(seen).toEqual([null, 100]);
  expect((await checkResults.listStates([key])).get(key)?.heartbeat?.durationMs).toBe(101);
});

test.each(['A'.repeat(43), 'short', 'x'.repeat(150), '..%2f..%2fetc'])(
  'an unknown key %s has one answer',
  async (key) => {
    const answers = [`/api/heartbeats/${key}`, `/api/heartbeats/${key}/start`, `/api/heartbeats/${key}/nonsense`];
    for (const path of answers) {
      const { status, json } = await app.call('GET', path);
      expect([status, json.code]).toEqual([404, 'not_found']);
    }
  },
);

test('HEAD does nothing, and a large body is cut', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 60 }, grace_seconds: 0 };
  const { check, heartbeat_key: key } = await create({ name: 'sync', heartbeat });
  await app.call('HEAD', `/api/heartbeats/${key ?? ''}`).catch(() => undefined);
  expect(await detail(check.check_id)).toMatchObject({ last_call: null });
  for (const body of [`${'x'.repeat(10_239)}é`, `${'x'.repeat(9)}é${'x'.repeat(3_000_000)}`]) {
    const { json } = await app.call('POST', `/api/heartbeats/${key ?? ''}`, { body });
    expect(json.data).toEqual({ accepted: true });
    const { last_call: last } = (await detail(check.check_id)) as { last_call: { output: string } };
    expect(last.output).toMatch(/^x+(éx+)? \(The output is longer: its first 10240 bytes are stored\.\)$/);
    expect(last.output.length).toBeLessThan(10_400);
  }
});

const ROOT = { name: 'db', places: { api: false }, probe: { kind: 'tcp', host: '127.0.0.1', port: 5432 }, retries: 0 };

test('a collector gets its checks, and its results are stored exactly once and vote', async () => {
  const [a, b] = [await app.newAgent(user, 'fra-1'), await app.newAgent(user, 'iad-1')];
  const none = await app.call('GET', '/api/agent/v1/config', { token: a.token });
  expect(none.json.data).toEqual({ config_rev: 0, checks: [] });
  const { check } = await create({ ...ROOT, places: { api: false, server_ids: [a.serverId, b.serverId] } });
  const config = (await app.call('GET', '/api/agent/v1/config', { token: a.token })).json.data as unknown as {
    config_rev: number;
    checks: { check_id: string; check_rev: number }[];
  };
  expect(config).toMatchObject({ config_rev: 1, checks: [{ check_id: check.check_id, check_rev: 1 }] });
  const result = (ok: boolean, age: number) => ({
    check_id: check.check_id,
    check_rev: 1,
    age_seconds: age,
    ok,
    reason: ok ? null : 'connection_refused',
    failed_phase: ok ? null : 'connect',
    dns_ms: null,
    connect_ms: 3,
    tls_ms: null,
    wait_ms: null,
    transfer_ms: null,
    total_ms: 4,
    status: null,
    size_bytes: null,
    text_found: null,
    answer: null,
    certificate: null,
  });
  let seq = 0;
  const report = async (agent: typeof a, ok: boolean, others: object[] = []) => {
    seq += 1;
    const item = { seq, ts: app.clock.now() / 1000, up: seq, kind: 'host', window_seconds: 60 };
    const body = reportsBody(agent, app.clock.now(), [{ ...item, check_results: [result(ok, 10), ...others] }], {
      up_now: seq,
    });
    const sent = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
    expect(sent).toMatchObject({ status: 200 });
    return { sent, body };
  };
  const { sent, body } = await report(a, true);
  expect((sent.json as unknown as { config_rev: number }).config_rev).toBe(1);
  await app.call('POST', '/api/agent/v1/reports', { token: a.token, body });
  const [{ rows } = { rows: 0 }] = await db.sql<{ rows: number }>(
    'SELECT count(*)::integer AS rows FROM check_result WHERE place_key > 0',
  );
  expect(rows).toBe(1);
  await report(b, true);
  await judge();
  expect(await detail(check.check_id)).toMatchObject({ status: 'up', needed: 2 });
  app.clock.ms += MINUTE;
  await report(a, false);
  await report(b, true);
  await judge();
  expect(await detail(check.check_id)).toMatchObject({ status: 'up' });
  app.clock.ms += MINUTE;
  await report(a, false);
  await report(b, false);
  await judge();
  expect(await detail(check.check_id)).toMatchObject({ status: 'down', votes: [{ vote: 'down' }, { vote: 'down' }] });
  // The second place goes silent: what the first one says alone is no vote of two.
  for (let minutes = 0; minutes < 6; minutes += 1) {
    app.clock.ms += MINUTE;
    await report(a, false);
    await judge();
  }
  expect(await detail(check.check_id)).toMatchObject({ status: 'unknown' });
  expect(await alerts()).toHaveLength(1);
});

test('an outage while the API was away is found in the reports that a collector kept', async () => {
  const agent = await app.newAgent(user, 'fra-1');
  const { check } = await create({ ...ROOT, retries: 0, places: { api: false, server_ids: [agent.serverId] } });
  let seq = 0;
  /** Reports of so many seconds ago, each with one result. */
  const report = async (kept: { ago: number; ok: boolean }[]) => {
    const up = app.clock.now() / 1000;
    const items = kept.map(({ ago, ok }) => {
      const { answer: _answer, text_found: _found, ...none } = notRun('not_run');
      const reason = ok ? null : 'connection_refused';
      const more = {
        ok,
        reason,
        answer: null,
        text_found: null,
        check_id: check.check_id,
        check_rev: 1,
        age_seconds: 1,
      };
      seq += 1;
      return {
        seq,
        ts: up - ago,
        up: up - ago,
        kind: 'host',
        window_seconds: 60,
        check_results: [{ ...none, ...more }],
      };
    });
    const body = reportsBody(agent, app.clock.now(), items, { up_now: up });
    expect(await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body })).toMatchObject({
      status: 200,
    });
  };
  await report([{ ago: 0, ok: true }]);
  await judge();
  app.clock.ms += 8 * MINUTE;
  const startedAt = app.clock.now();
  await judge(startedAt);
  app.clock.ms += 20 * SECOND;
  await report([
    { ago: 260, ok: true },
    { ago: 200, ok: false },
    { ago: 140, ok: false },
    { ago: 80, ok: true },
    { ago: 20, ok: true },
  ]);
  await judge(startedAt);
  const { status, outages } = (await detail(check.check_id)) as {
    status: string;
    outages: { kind: string; began_at: string }[];
  };
  expect(status).toBe('up');
  const down = outages.filter(({ kind }) => kind === 'down').map(({ began_at: began }) => Date.parse(began));
  expect(down).toEqual([app.clock.now() - 201 * SECOND]);
});

test('a server has no say about a check of another place or organisation', async () => {
  const agent = await app.newAgent(user, 'fra-1');
  const { check } = await create(http());
  const stranger = await app.newUser();
  const foreign = await app.newAgent(stranger, 'evil');
  for (const one of [agent, foreign]) {
    const result = {
      check_id: check.check_id,
      check_rev: 1,
      age_seconds: 1,
      ok: false,
      reason: 'timeout',
      failed_phase: 'wait',
    };
    const rest = { dns_ms: null, connect_ms: null, tls_ms: null, wait_ms: null, transfer_ms: null, total_ms: null };
    const more = { status: null, size_bytes: null, text_found: null, answer: null, certificate: null };
    const item = { seq: 1, ts: app.clock.now() / 1000, up: 1, kind: 'host', window_seconds: 60 };
    const body = reportsBody(one, app.clock.now(), [{ ...item, check_results: [{ ...result, ...rest, ...more }] }], {
      up_now: 1,
    });
    expect((await app.call('POST', '/api/agent/v1/reports', { token: one.token, body })).status).toBe(200);
  }
  expect(await db.sql('SELECT 1 FROM check_result WHERE place_key > 0')).toEqual([]);
});

test('secrets are sealed, never returned, kept for their host only, and go to servers that an admin named', async () => {
  const agent = await app.newAgent(user, 'fra-1');
  const headers = { authorization: 'Bearer top-secret-value' };
  const { check } = await create(http({ headers, body: '{"q":1}', method: 'POST' }));
  const found = await call('GET', `/api/checks/${check.check_id}`);
  expect(found.text).not.toContain('top-secret');
  expect(await detail(check.check_id)).toMatchObject({ header_names: ['authorization'], has_body: true });
  const [row] = await db.sql<{ text: string }>('SELECT row_to_json(c)::text AS text FROM check_definition c');
  expect(row?.text).not.toContain('top-secret');
  const put = (body: object) => call('PUT', `/api/checks/${check.check_id}`, body);
  const moved = { ...http({ method: 'POST' }), probe: { kind: 'http', url: 'https://evil.example/', method: 'POST' } };
  expect((await put(moved)).json).toMatchObject({ code: 'invalid_parameter', field: 'probe.headers' });
  const shared = { ...http({ method: 'POST' }), places: { api: true, server_ids: [agent.serverId] } };
  expect((await put(shared)).json).toMatchObject({ field: 'shares_secrets' });
  expect((await put({ ...shared, places: { api: true, tag: { key: 'env', value: null } } })).json).toMatchObject({
    field: 'places.tag',
  });
  expect((await put({ ...shared, shares_secrets: true })).status).toBe(200);
  const config = await app.call('GET', '/api/agent/v1/config', { token: agent.token });
  expect(config.json.data).toMatchObject({ checks: [{ probe: { headers, body: '{"q":1}' } }] });
});

test('a private address needs the setting of checks, and a collector an admin', async () => {
  const closed = testApp(db.storage(), { settings: { PLIMSOLL_ALLOWED_PRIVATE_RANGES: '127.0.0.0/8' } });
  const refused = await closed.call('POST', '/api/checks', { token: user.token, body: http() });
  expect(refused.json).toMatchObject({ code: 'invalid_parameter', field: 'probe.url' });
  const preview = await closed.call('POST', '/api/checks/preview', {
    token: user.token,
    body: { probe: { kind: 'tcp', host: 'localhost', port: target.port } },
  });
  expect(preview.json.data).toMatchObject({ result: { ok: false, reason: 'address_refused' } });
  expect(target.connections()).toBe(0);
  const { teams } = app.deps.storage.tenancy;
  expect(teams).toBeDefined();
  expect(ownerOf(user.organisationId).role).toBe('admin');
});

test('time in which no place has voted is unknown, and not up', async () => {
  const agent = await app.newAgent(user, 'fra-1');
  const { check } = await create({ ...ROOT, places: { api: false, server_ids: [agent.serverId] } });
  app.clock.ms += 60 * MINUTE;
  await judge();
  const { availability } = (await detail(check.check_id)) as { availability: object[] };
  expect(availability[0]).toEqual({
    days: 1,
    percent: null,
    down_seconds: 0,
    unknown_seconds: 3600,
    maintenance_seconds: 0,
  });
});

test('a preview returns the first result and stores nothing', async () => {
  const preview = await call('POST', '/api/checks/preview', { probe: http().probe });
  expect(preview.json.data).toMatchObject({ result: { ok: true, status: 200 } });
  expect(await db.sql('SELECT 1 FROM check_definition')).toEqual([]);
});

test('only one of two replicas runs a check', async () => {
  await create(http());
  const other = testApp(db.storage(), { clock: app.clock, settings: { PLIMSOLL_CHECK_NETWORKS: '127.0.0.0/8' } });
  for (let turn = 0; turn < 12; turn += 1) {
    await Promise.all([app.deps.checkRunner.tick(app.clock.now()), other.deps.checkRunner.tick(app.clock.now())]);
    await Promise.all([app.deps.checkRunner.idle(), other.deps.checkRunner.idle()]);
    app.clock.ms += 5 * SECOND;
  }
  // Once when it was written, once in its minute.
  expect(target.connections()).toBeLessThanOrEqual(2);
  expect(target.connections()).toBeGreaterThanOrEqual(1);
  await other.deps.checkRunner.stop();
});

test('a check is slow for the hold time of its rule before it is an alert, and a pause in between begins it again', async () => {
  const rule = {
    metric: 'check_slow',
    target: 'all',
    lines: [{ level: 'warning', threshold: 1000 }],
    for_seconds: 300,
  };
  expect(await call('POST', '/api/alerts/rules', rule)).toMatchObject({ status: 200 });
  const { check } = await create(http());
  const [row] = await db.sql<{ key: number; rev: string }>('SELECT key, rev FROM check_definition');
  const record = (totalMs: number) =>
    app.deps.storage.checkResults.record(user.organisationId, 0, app.clock.now(), [
      {
        checkKey: row?.key ?? 0,
        rev: Number(row?.rev ?? 1),
        at: app.clock.now(),
        ok: true,
        reason: null,
        failed_phase: null,
        status: 200,
        size_bytes: null,
        dns_ms: null,
        connect_ms: null,
        tls_ms: null,
        wait_ms: null,
        transfer_ms: null,
        total_ms: totalMs,
        certificate: null,
      },
    ]);
  const slowMinutes = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      app.clock.ms += MINUTE;
      await record(4000);
      await judge();
    }
  };
  await slowMinutes(4);
  // Its results of 15 minutes are gone: it is not slow any more.
  app.clock.ms += 20 * MINUTE;
  await judge();
  await slowMinutes(5);
  expect(await alerts()).toEqual([]);
  await slowMinutes(1);
  expect(await alerts()).toMatchObject([{ metric_name: 'check_slow', tags: { subject: check.check_id } }]);
  const { slow_line_ms: line, votes } = (await detail(check.check_id)) as {
    slow_line_ms: number;
    votes: { bars: unknown[] }[];
  };
  expect(line).toBe(1000);
  // Six minutes of results after a pause, and the one that is not over.
  expect(votes[0]?.bars.slice(-7)).toEqual(expect.arrayContaining(['up', 'up', 'up', 'up', 'up', 'up']));
  expect(votes[0]?.bars.filter((bar) => bar === 'up')).toHaveLength(10);
});

test('an editor can neither hand a check to collectors nor change one that they run', async () => {
  const agent = await app.newAgent(user, 'fra-1');
  const editor = await member(user, 'editor');
  const as = (method: string, path: string, body?: unknown) =>
    app.call(method, path, { token: editor.token, ...(body === undefined ? {} : { body }) });
  const own = await as('POST', '/api/checks', http());
  expect(own).toMatchObject({ status: 200 });
  const { check } = own.json.data as unknown as { check: { check_id: string } };
  const collectors = [
    { api: true, server_ids: [agent.serverId] },
    { api: false, server_ids: [agent.serverId] },
    { api: true, tag: { key: 'env', value: null } },
  ];
  for (const places of collectors) {
    expect(await as('POST', '/api/checks', { ...http(), places })).toMatchObject({ status: 403 });
    expect(await as('PUT', `/api/checks/${check.check_id}`, { ...http(), places })).toMatchObject({ status: 403 });
  }
  const { check: shared } = await create({ ...http(), places: { api: true, server_ids: [agent.serverId] } });
  // Neither its target, nor back to the API alone.
  for (const places of [{ api: true, server_ids: [agent.serverId] }, { api: true }])
    expect(await as('PUT', `/api/checks/${shared.check_id}`, { ...http(), places })).toMatchObject({ status: 403 });
  const config = await app.call('GET', '/api/agent/v1/config', { token: agent.token });
  const { checks } = config.json.data as unknown as { checks: { check_id: string }[] };
  expect(checks.map(({ check_id: id }) => id)).toEqual([shared.check_id]);
});

test('a check with a secret reaches no collector that an admin did not name, whatever is stored', async () => {
  const named = await app.newAgent(user, 'fra-1');
  const tagged = await app.newAgent(user, 'fra-2');
  expect(await call('PUT', `/api/servers/${tagged.serverId}`, { tags: { env: 'prod' } })).toMatchObject({
    status: 200,
  });
  const headers = { authorization: 'Bearer top-secret-value' };
  const body = { ...http({ headers }), shares_secrets: true, places: { api: true, server_ids: [named.serverId] } };
  const { check } = await create(body);
  const configOf = (agent: typeof named) => app.call('GET', '/api/agent/v1/config', { token: agent.token });
  expect((await configOf(named)).text).toContain('top-secret-value');
  expect((await configOf(tagged)).json.data).toMatchObject({ checks: [] });
  // The route refuses each of these; the endpoint of the collectors does not rely on it.
  await db.sql(`UPDATE check_definition SET tag_key = 'env' WHERE id = $1`, [check.check_id]);
  expect((await configOf(tagged)).json.data).toMatchObject({ checks: [] });
  await db.sql('UPDATE check_definition SET shares_secrets = false WHERE id = $1', [check.check_id]);
  for (const agent of [named, tagged]) {
    const config = await configOf(agent);
    expect(config.json.data).toMatchObject({ checks: [] });
    expect(config.text).not.toContain('top-secret');
  }
});

test('a target that is the name or the address of one node belongs to the server of that node', async () => {
  const agents = [
    await app.newAgent(user, 'host-a'),
    await app.newAgent(user, 'host-b'),
    await app.newAgent(user, 'c'),
  ];
  for (const uid of ['one', 'two'])
    await db.sql(
      'INSERT INTO cluster (organisation_id, uid, first_seen_at, last_seen_at) VALUES ($1, $2, now(), now())',
      [user.organisationId, uid],
    );
  const node = (cluster: string, uid: string, address: string, serverId: string | undefined) =>
    db.sql(
      `INSERT INTO kube_node (cluster_key, uid, name, server_id, first_seen_at, object)
       SELECT key, $3, $3, $4, now(), jsonb_build_object('internal_ip', $5::text) FROM cluster
       WHERE organisation_id = $1 AND uid = $2`,
      [user.organisationId, cluster, uid, serverId, address],
    );
  await node('one', 'node-1', '10.0.0.1', agents[0]?.serverId);
  await node('one', 'node-2', '10.0.0.2', agents[1]?.serverId);
  await node('two', 'node-3', '10.0.0.2', agents[2]?.serverId);
  const belongsTo = async (host: string) => {
    const places = { api: false, server_ids: [agents[2]?.serverId] };
    const { check } = await create({ name: host, probe: { kind: 'tcp', host, port: 22 }, places });
    return (await detail(check.check_id))['server_id'];
  };
  expect(await belongsTo('10.0.0.1')).toBe(agents[0]?.serverId);
  expect(await belongsTo('Node-2')).toBe(agents[1]?.serverId);
  // Two clusters have this address.
  expect(await belongsTo('10.0.0.2')).toBeNull();
  expect(await belongsTo('10.0.0.9')).toBeNull();
});
