import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { issueEnrolmentToken } from '../servers/enrol.ts';
import { newToken } from '../accounts/tokens.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { listen, type Listening } from '../http/listen.ts';
import { RATES, RateLimit } from '../http/limits/rate-limit.ts';
import { machineHash, reportsBody, testApp, type TestAgent, type TestApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const UNKNOWN = {
  success: false,
  detail: 'Agent token is unknown or revoked. Enrol again: plimsoll enrol --token …',
  code: 'agent_token_unknown',
};
const REPORTS = '/api/agent/v1/reports';

describe('enrolling', () => {
  test('takes the gzip body a collector sends, and no bomb in it', async () => {
    const app = testApp(db.storage());
    const { token } = await issueEnrolmentToken(
      { enrolmentTokens: db.storage().enrolmentTokens, clock: app.clock },
      ownerOf((await app.newUser()).organisationId),
      { createdBy: null },
    );
    const packed = (value: unknown) => new Uint8Array(gzipSync(JSON.stringify(value)));
    const headers = { 'content-encoding': 'gzip' };
    const request = { enrolment_token: token, machine_hash: machineHash('z'), hostname: 'z' };
    const bomb = { ...request, hostname: 'z'.repeat(10_000_000) };
    const refused = await app.call('POST', '/api/agent/v1/enrol', { body: packed(bomb), headers });
    expect([refused.status, refused.json.code]).toEqual([413, 'body_too_large']);
    expect((await app.call('POST', '/api/agent/v1/enrol', { body: packed(request), headers })).status).toBe(200);
  });

  test('the same machine and owner keep their server id, the old token dies', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const first = await app.newAgent(user, 'same');
    const second = await app.newAgent(user, 'same');
    expect(second.serverId).toBe(first.serverId);
    const old = await app.call('POST', REPORTS, { token: first.token, body: {} });
    expect([old.status, old.json]).toEqual([401, UNKNOWN]);
    expect((await app.newAgent(await app.newUser(), 'same')).serverId).not.toBe(first.serverId);
  });

  test.each([
    ['unknown', newToken('enrol'), 401, 'enrolment_token_unknown'],
    ['of another type', newToken('session'), 401, 'enrolment_token_unknown'],
    ['garbage', "' OR 1=1", 401, 'enrolment_token_unknown'],
    ['empty', '', 400, 'invalid_parameter'],
  ])('a token that is %s', async (_name, token, status, code) => {
    const body = { enrolment_token: token, machine_hash: machineHash('x'), hostname: 'x' };
    const answer = await testApp(db.storage()).call('POST', '/api/agent/v1/enrol', { body });
    expect([answer.status, answer.json.code, answer.json.field]).toEqual([status, code, 'enrolment_token']);
  });
});

describe('what may report', () => {
  test.each([undefined, 'x', newToken('agent'), newToken('session')])('not the token %j', async (token) => {
    const answer = await testApp(db.storage()).call('POST', REPORTS, { body: {}, ...(token && { token }) });
    expect([answer.status, answer.json]).toEqual([401, UNKNOWN]);
  });

  test('not a token that died after it had reported, whatever it sends and whatever is remembered', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const [first, gone] = [await app.newAgent(user, 'again'), await app.newAgent(user)];
    const send = (agent: TestAgent, body: unknown) => app.call('POST', REPORTS, { token: agent.token, body });
    const stored = (agent: TestAgent) =>
      db.sql('SELECT FROM host_sample JOIN server s ON s.key = server_key WHERE s.id = $1', [agent.serverId]);
    for (const agent of [first, gone])
      expect((await send(agent, reportsBody(agent, app.clock.now(), [{}]))).status).toBe(200);
    await app.newAgent(user, 'again');
    app.clock.pass(60);
    for (const body of [reportsBody(first, app.clock.now(), [{}, {}]), {}, 'no JSON']) {
      const answer = await send(first, body);
      expect([answer.status, answer.json]).toEqual([401, UNKNOWN]);
    }
    expect(await stored(first)).toHaveLength(1);
    await app.call('DELETE', '/api/servers/delete', { token: user.token, body: { server_id: gone.serverId } });
    const answer = await send(gone, reportsBody(gone, app.clock.now(), [{}, {}]));
    expect([answer.status, answer.json.code]).toEqual([410, 'server_deleted']);
  });

  test('not for another server', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const [mine, other] = [await app.newAgent(user), await app.newAgent(user)];
    const body = reportsBody(other, app.clock.now(), [{}]);
    const answer = await app.call('POST', REPORTS, { token: mine.token, body });
    expect([answer.status, answer.json.code]).toEqual([403, 'server_mismatch']);
  });

  test('eleven requests at once are one too many; a second later one more may come', async () => {
    const base = testApp(db.storage()).deps.rates;
    const app = testApp(db.storage(), { rates: { ...base, agent: new RateLimit(RATES.agent) } });
    const agent = await app.newAgent(await app.newUser());
    const body = reportsBody(agent, app.clock.now(), []);
    const send = async () => (await app.call('POST', REPORTS, { token: agent.token, body })).status;
    const statuses = [];
    for (let i = 0; i < 11; i += 1) statuses.push(await send());
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    app.clock.pass(1);
    expect(await send()).toBe(200);
  });
});

describe('one bad item', () => {
  test('is rejected by name while its neighbours are stored', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const agent = await app.newAgent(user);
    const cpu = {
      percent: 7,
      io_wait_percent: 0,
      steal_percent: 0,
      user_percent: 7,
      system_percent: 0,
      per_core_percent: [],
    };
    const now = app.clock.now();
    const at = (seq: number) => ({ seq, ts: now / 1000 - 60 * (9 - seq), up: 100_000 - 60 * (9 - seq) });
    const items = [
      { ...at(1), cpu },
      { ...at(2), seq: 2, up: -1, cpu },
      { ...at(3), kind: 'gpu' },
      { ...at(4), boot_id: 'earlier', ts: 9.4e12 },
      { ...at(5), cpu },
      { ...at(5), cpu },
      'nonsense',
    ];
    const body = reportsBody(agent, now, []);
    const reports = items.map((item) =>
      typeof item === 'string' ? item : { kind: 'host', window_seconds: 60, ...item },
    );
    const answer = await app.call('POST', REPORTS, { token: agent.token, body: { ...body, reports } });
    expect(answer.status).toBe(207);
    expect(answer.json).toMatchObject({
      ack: { upto: 5, also: [] },
      rejected: [
        { seq: 2, index: 1, code: 'invalid_item', detail: expect.stringMatching(/^up: /) },
        { seq: 3, index: 2, code: 'kind_unknown' },
        { seq: 4, index: 3, code: 'time_out_of_range' },
        { seq: 5, index: 5, code: 'seq_repeated' },
        { seq: null, index: 6, code: 'invalid_item' },
      ],
    });
    const stored = await db.sql<{ n: string }>(
      'SELECT count(*) AS n FROM host_sample JOIN server ON key = server_key WHERE id = $1',
      [agent.serverId],
    );
    expect(Number(stored[0]?.n)).toBe(2);
    const replay = await app.call('POST', REPORTS, { token: agent.token, body: { ...body, reports } });
    expect(replay.json).toMatchObject({ ack: { upto: 5 } });
  });

  test('the same seq with other content is another machine on the same stream', async () => {
    const app = testApp(db.storage());
    const agent = await app.newAgent(await app.newUser());
    const send = (ts: number) =>
      app.call('POST', REPORTS, { token: agent.token, body: reportsBody(agent, app.clock.now(), [{ ts }]) });
    expect((await send(1000)).status).toBe(200);
    const clash = await send(2000);
    expect([clash.status, clash.json.code]).toEqual([409, 'stream_conflict']);
  });
});

/** Memory of this process without what nobody uses any more: when that is collected is chance. */
function held(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage.rss();
}

/** One kept body of 4 MiB a round would make 80 MiB. */
const MOST_GROWTH = 64 << 20;

describe('hostile bodies over real HTTP', () => {
  let app: TestApp;
  let agent: TestAgent;
  let server: Listening;
  beforeAll(async () => {
    app = testApp(db.storage());
    agent = await app.newAgent(await app.newUser());
    server = await listen(createApp(app.deps).fetch, { host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${String(server.port)}${REPORTS}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json', ...headers },
    });
    const { code } = (await answer.json()) as { code?: string };
    return [answer.status, code];
  };
  const envelope = (reports: string): string =>
    JSON.stringify(reportsBody(agent, app.clock.now(), [])).replace('"reports":[]', `"reports":[${reports}]`);
  const gzip = { 'content-encoding': 'gzip' };
  /** Members of 1 MiB one after the other: as one stream to whoever inflates it, without 512 MiB in this process. */
  const bombOf = (mebibytes: number): Uint8Array<ArrayBuffer> => {
    const member = gzipSync(Buffer.alloc(1 << 20, 0x20), { level: 9 });
    return new Uint8Array(Buffer.concat(Array.from({ length: mebibytes }, () => member)));
  };

  test('each gets a clear error, memory stays flat, and good reports still come through', async () => {
    const bomb = bombOf(512);
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    const nothing: unknown[] = [207, undefined];
    const cases: [string, () => Promise<unknown[]>, unknown[]][] = [
      ['5 MB plain', () => post('x'.repeat(5 << 20)), [413, 'body_too_large']],
      ['gzip bomb of 512 MiB', () => post(bomb, gzip), [413, 'body_too_large']],
      ['broken gzip', () => post('not gzip', gzip), [400, 'invalid_gzip']],
      ['cut gzip', () => post(bomb.slice(0, 500), gzip), [400, 'invalid_gzip']],
      ['unknown encoding', () => post('{}', { 'content-encoding': 'br' }), [415, 'unsupported_media_type']],
      ['a form', () => post('a=1', { 'content-type': 'text/plain' }), [415, 'unsupported_media_type']],
      ['10,000 levels', () => post(deep), [400, 'nesting_too_deep']],
      ['no JSON', () => post('{"v":1,'), [400, 'invalid_json']],
      ['no object', () => post('null'), [400, 'invalid_parameter']],
      ['version 99', () => post('{"v":99}'), [426, 'version_not_spoken']],
      ['121 reports', () => post(envelope(Array.from({ length: 121 }, () => '0').join())), [400, 'invalid_parameter']],
      ['NUL and lone surrogates', () => post(envelope('{"seq":1,"kind":"\\u0000\\ud800"}')), nothing],
      ['1e400', () => post(envelope('{"seq":2,"kind":"host","ts":1e400,"up":1,"window_seconds":1}')), nothing],
      ['year 300000', () => post(envelope('{"seq":3,"kind":"host","ts":9.4e12,"up":1e9,"window_seconds":1}')), nothing],
    ];
    const round = async (): Promise<void> => {
      for (const [name, send, expected] of cases) expect([name, ...(await send())]).toEqual([name, ...expected]);
    };
    // The heap grows to its working size first, client's 5 MB bodies included.
    for (let i = 0; i < 20; i += 1) await round();
    // A leak grows in every stretch of 20 rounds; the allocator's own growth, on a busy machine, ends after one or two.
    let grown = Number.POSITIVE_INFINITY;
    for (let stretch = 0; stretch < 3 && grown >= MOST_GROWTH; stretch += 1) {
      const before = held();
      for (let i = 0; i < 20; i += 1) await round();
      grown = held() - before;
      console.log(`hostile bodies: ${String(grown >> 20)} MiB more RSS after 20 rounds`);
    }
    expect(grown).toBeLessThan(MOST_GROWTH);
    const text = '\\u0000\\ud800 ok';
    const system = `{"hostname":"${text}","platform":"linux","os_type":"","os_name":"","os_version":"","kernel":"","architecture":"","cpu_model":null,"cpu_cores":1,"uptime_seconds":1,"region":null,"collector_version":"","virtualization":null}`;
    const good = `{"seq":9,"kind":"host","ts":${String(app.clock.now() / 1000)},"up":100000,"window_seconds":60,"system":${system}}`;
    expect(await post(new Uint8Array(gzipSync(envelope(good))), { 'content-encoding': 'GZIP' })).toEqual([
      200,
      undefined,
    ]);
    const rows = await db.sql<{ n: string }>(
      'SELECT count(*) AS n FROM host_sample JOIN server ON key = server_key WHERE id = $1',
      [agent.serverId],
    );
    expect(Number(rows[0]?.n)).toBe(1);
  });
});

test('texts of the envelope that PostgreSQL cannot store are made safe, not refused for ever', async () => {
  const app = testApp(db.storage());
  const agent = await app.newAgent(await app.newUser());
  const bad = 'spool\0full\ud800\u0007';
  const dropped = [{ from: 1, to: 3, n: 3, why: bad }];
  const item = { seq: 4, boot_id: bad };
  const body = reportsBody(agent, app.clock.now(), [item], { dropped, boot_id: bad });
  const answer = await app.call('POST', REPORTS, { token: agent.token, body });
  expect([answer.status, answer.json.code]).toEqual([200, undefined]);
  const rows = await db.sql<{ why: string }>("SELECT why FROM dropped_report WHERE why LIKE 'spool full%'");
  expect(rows.map(({ why }) => why)).toEqual(['spool full\ufffd\ufffd']);
});

test('a range of dropped reports that is not valid costs no report, and is named', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  for (const [dropped, wanted, note] of [
    [
      [{ from: 0, to: 3, n: 1, why: 'x' }, null, { from: 4, to: 5, n: 2, why: 'y'.repeat(99) }],
      '4-5',
      '2 of 3 entries',
    ],
    [Array.from({ length: 1200 }, () => ({ from: 4, to: 5, n: 2, why: 'z' })), '4-5', '200 of 1200'],
    ['none', null, 'dropped: '],
    [null, null, 'dropped: '],
  ] as const) {
    const agent = await app.newAgent(user);
    const items = [{ seq: 8, up: 99_000 }, { seq: 9 }];
    const body = reportsBody(agent, app.clock.now(), items, { dropped });
    const answer = await app.call('POST', REPORTS, { token: agent.token, body });
    expect([answer.status, answer.json['rejected']]).toEqual([200, []]);
    const rows = await db.sql<{ range: string }>(
      `SELECT DISTINCT seq_from || '-' || seq_to AS range FROM dropped_report d
        JOIN report_stream t ON t.key = d.stream_key JOIN server s ON s.key = t.server_key WHERE s.id = $1`,
      [agent.serverId],
    );
    expect(rows.map(({ range }) => range)).toEqual(wanted === null ? [] : [wanted]);
    const { text } = await app.call('GET', `/api/servers/${agent.serverId}`, { token: user.token });
    expect(text).toContain(note);
  }
});

test('the interval the operator sets reaches collectors and the server list', async () => {
  const app = testApp(db.storage(), { settings: { PLIMSOLL_REPORT_INTERVAL_SECONDS: '15' } });
  const user = await app.newUser();
  const agent = await app.newAgent(user, 'every-15');
  const body = reportsBody(agent, app.clock.now(), []);
  const answer = await app.call('POST', REPORTS, { token: agent.token, body });
  expect(answer.json).toMatchObject({ next: { interval: 15 } });
  const intervalOf = async () => {
    const list = await app.call('GET', '/api/servers/list', { token: user.token });
    return (list.json.data as unknown as { servers: { report_interval_seconds: number }[] }).servers[0];
  };
  expect(await intervalOf()).toMatchObject({ report_interval_seconds: 15 });
  await db.storage().agents.setReportInterval(120);
  expect(await intervalOf()).toMatchObject({ report_interval_seconds: 120 });
});
