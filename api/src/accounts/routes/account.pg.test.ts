import { describe, expect, test } from 'vitest';
import type {
  ApiTokensAnswer,
  AuditAnswer,
  GenerateTokenAnswer,
  SessionsAnswer,
} from '@plimsoll/contract/wire/accounts/account';
import { totpCode } from '../totp.ts';
import { openSession } from '../session.ts';
import { accountJobs } from '../jobs.ts';
import type { PlanInForce } from '../plans.ts';
import { reportsBody, testApp, TEST_PASSWORD, type Answer, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { totpSecretOf } from '../../testing/totp.ts';

const db = testStorage();
const dataOf = (answer: Answer): unknown => answer.json.data;
const auditOf = async (app: TestApp, user: TestUser): Promise<string[]> =>
  (dataOf(await app.call('GET', '/api/user/audit-log', user)) as AuditAnswer).entries.map((e) => e.action);

describe('permanent tokens', () => {
  const generate = async (app: TestApp, user: TestUser, body?: unknown): Promise<GenerateTokenAnswer> =>
    dataOf(
      await app.call('POST', '/api/user/generate-auth-token', { ...user, ...(body !== undefined && { body }) }),
    ) as GenerateTokenAnswer;

  test('generated without a body, listed without the secret, replaced by the next', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const first = await generate(app, user);
    expect(first).toMatchObject({ name: 'permanent', scopes: ['read', 'write', 'transfer'], replaced: false });
    expect((await app.call('GET', '/api/auth/profile', first)).status).toBe(200);
    expect((await app.call('GET', '/api/auth/token', first)).json.data).toMatchObject({
      kind: 'api',
      expires_at: null,
    });
    const second = await generate(app, user);
    expect(second.replaced).toBe(true);
    expect((await app.call('GET', '/api/auth/profile', first)).status).toBe(401);
    const listed = await app.call('GET', '/api/user/api-tokens', user);
    expect(dataOf(listed) as ApiTokensAnswer).toMatchObject({
      total: 1,
      tokens: [{ last_four: second.token.slice(-4) }],
    });
    expect(listed.text).not.toContain(second.token);
    expect(await auditOf(app, user)).toEqual(['token_created', 'token_created']);
  });

  test('replaced or revoked, its streams end, and the log names it', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const ended: string[] = [];
    app.deps.streams.relayTo((reader) => ended.push(reader));
    const body = { name: 'ci', scopes: ['read'], expires_in_days: null };
    const [first, second] = [await generate(app, user, body), await generate(app, user, body)];
    expect((await app.call('DELETE', `/api/user/api-tokens/${second.id}`, user)).status).toBe(200);
    expect(ended).toEqual([first.id, second.id]);
    const log = dataOf(await app.call('GET', '/api/user/audit-log?limit=1', user)) as AuditAnswer;
    expect(log.entries).toMatchObject([{ action: 'token_revoked', detail: { id: second.id, name: 'ci' } }]);
  });

  test('holds its scopes and never those of a session', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const agent = await app.newAgent(user);
    const reader = await generate(app, user, { name: 'ci', scopes: ['read'] });
    expect((await app.call('GET', '/api/servers/list', reader)).status).toBe(200);
    for (const [method, path, body] of [
      ['DELETE', '/api/servers/delete', { server_id: agent.serverId }],
      ['POST', '/api/user/generate-auth-token', {}],
      ['GET', '/api/auth/sessions', undefined],
      ['POST', '/api/auth/refresh', undefined],
    ] as const) {
      const answer = await app.call(method, path, { token: reader.token, ...(body && { body }) });
      expect([path, answer.status, answer.json.code]).toEqual([path, 403, 'scope_missing']);
    }
  });

  test('stops working when its days are over, and says when that is', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const DAY = 86_400;
    const made = await generate(app, user, { name: 'mcp', scopes: ['read'], expires_in_days: 30 });
    const expiresAt = new Date(app.clock.now() + 30 * DAY * 1000).toISOString();
    expect(made).toMatchObject({ name: 'mcp', expires_at: expiresAt });
    expect((await app.call('GET', '/api/auth/token', made)).json.data).toMatchObject({ expires_at: expiresAt });
    app.clock.pass(30 * DAY - 1);
    expect((await app.call('GET', '/api/servers/list', made)).status).toBe(200);
    app.clock.pass(1);
    expect((await app.call('GET', '/api/servers/list', made)).status).toBe(401);
  });

  test('says when it was last used, and is dead once revoked', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const { id, token } = await generate(app, user, { name: 'ci' });
    await app.call('GET', '/api/servers/list', { token });
    const used = dataOf(await app.call('GET', '/api/user/api-tokens', user)) as ApiTokensAnswer;
    expect(used.tokens[0]?.last_used_at).toBe(new Date(app.clock.now()).toISOString());
    expect((await app.call('DELETE', `/api/user/api-tokens/${id}`, user)).status).toBe(200);
    expect((await app.call('GET', '/api/servers/list', { token })).status).toBe(401);
    expect((await app.call('DELETE', `/api/user/api-tokens/${id}`, user)).status).toBe(404);
  });

  test.each([
    [{ scopes: [] }, 'scopes'],
    [{ scopes: ['root'] }, 'scopes[0]'],
    [{ name: '' }, 'name'],
    [{ owner: 'x' }, 'owner'],
    [{ expires_in_days: 0 }, 'expires_in_days'],
    [{ expires_in_days: 4000 }, 'expires_in_days'],
  ])('%j is refused naming %s', async (body, field) => {
    const app = testApp(db.storage());
    const answer = await app.call('POST', '/api/user/generate-auth-token', { ...(await app.newUser()), body });
    expect([answer.status, answer.json.field]).toEqual([400, field]);
  });
});

describe('sessions', () => {
  test('are listed with where they came from; one can end another', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const body = { email: user.email, password: TEST_PASSWORD };
    const signedIn = await app.call('POST', '/api/auth/local', { body, headers: { 'user-agent': 'Firefox' } });
    const { token } = signedIn.json.data as unknown as { token: string };
    const list = dataOf(await app.call('GET', '/api/auth/sessions', user)) as SessionsAnswer;
    expect(list.sessions.map((s) => [s.user_agent, s.current])).toEqual(
      expect.arrayContaining([
        ['Firefox', false],
        [null, true],
      ]),
    );
    const other = list.sessions.find((s) => !s.current)?.id ?? '';
    expect((await app.call('DELETE', `/api/auth/sessions/${other}`, user)).status).toBe(200);
    expect((await app.call('GET', '/api/auth/profile', { token })).status).toBe(401);
    expect(await auditOf(app, user)).toEqual(['session_revoked', 'signed_in']);
  });
});

describe('second factor', () => {
  const secretOf = (url: string): Buffer => totpSecretOf(new URL(url).searchParams.get('secret') ?? '');

  test('begun, confirmed, required at sign-in, each code good once, switched off', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const begun = await app.call('POST', '/api/auth/totp/begin', user);
    const secret = secretOf((begun.json.data as unknown as { otpauth_url: string }).otpauth_url);
    const code = (): string => totpCode(secret, Math.floor(app.clock.now() / 30_000));
    const signIn = (totp?: string) =>
      app.call('POST', '/api/auth/local', {
        body: { email: user.email, password: TEST_PASSWORD, ...(totp && { totp }) },
      });
    expect((await signIn()).status).toBe(200);
    const wrong = await app.call('POST', '/api/auth/totp/confirm', { ...user, body: { code: '000000' } });
    expect([wrong.status, wrong.json.code]).toEqual([401, 'totp_invalid']);
    expect((await app.call('POST', '/api/auth/totp/confirm', { ...user, body: { code: code() } })).status).toBe(200);

    expect((await signIn()).json.code).toBe('totp_required');
    expect((await signIn(code())).json.code).toBe('totp_invalid');
    app.clock.pass(30);
    expect((await signIn(code())).status).toBe(200);
    expect((await signIn(code())).json.code).toBe('totp_invalid');
    expect((await app.call('POST', '/api/auth/totp/begin', user)).json.code).toBe('totp_enabled');

    app.clock.pass(30);
    expect((await app.call('DELETE', '/api/auth/totp', { ...user, body: { code: code() } })).status).toBe(200);
    expect((await signIn()).status).toBe(200);
    expect(await auditOf(app, user)).toEqual(expect.arrayContaining(['second_factor_on', 'second_factor_off']));
    const rows = await db.sql<{ totp_secret: Buffer | null }>('SELECT totp_secret FROM account WHERE email = $1', [
      user.email,
    ]);
    expect(rows[0]?.totp_secret).toBeNull();
  });

  test('the secret is sealed at rest', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const begun = await app.call('POST', '/api/auth/totp/begin', user);
    const secret = secretOf((begun.json.data as unknown as { otpauth_url: string }).otpauth_url);
    const rows = await db.sql<{ totp_secret: Buffer }>('SELECT totp_secret FROM account WHERE email = $1', [
      user.email,
    ]);
    expect(rows[0]?.totp_secret.includes(secret)).toBe(false);
  });
});

describe('retention', () => {
  const path = '/api/user/retention-settings';

  test('defaults, own settings, reset', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const defaults = { metrics_days: 365, alerts_days: 730, events_days: 365, processes_days: 14 };
    expect(dataOf(await app.call('GET', path, user))).toEqual({ settings: defaults, is_default: true });
    const body = { ...defaults, metrics_days: 7 };
    expect(dataOf(await app.call('PUT', path, { ...user, body }))).toEqual({ settings: body, is_default: false });
    expect(dataOf(await app.call('GET', path, user))).toEqual({ settings: body, is_default: false });
    expect(dataOf(await app.call('POST', `${path}/reset`, user))).toEqual({ settings: defaults, is_default: true });
    const bad = await app.call('PUT', path, { ...user, body: { ...body, metrics_days: 0 } });
    expect([bad.status, bad.json.field]).toEqual([400, 'metrics_days']);
  });

  /** Sends a report of eight and of six days ago from a new server of each. */
  async function aWeekOf(app: TestApp, users: TestUser[], ages: readonly number[]): Promise<void> {
    const started = app.clock.now();
    for (const user of users) {
      app.clock.ms = started;
      const agent = await app.newAgent(user);
      for (const [index, ageDays] of ages.entries()) {
        app.clock.ms = started - ageDays * 86_400_000;
        const body = reportsBody(agent, app.clock.now(), [{ seq: index + 1 }]);
        await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
      }
    }
    app.clock.ms = started;
  }
  const samples = async () => (await db.sql<{ n: number }>('SELECT count(*)::integer AS n FROM host_sample'))[0]?.n;
  const prune = (now: number, plan: PlanInForce) =>
    accountJobs(db.storage(), plan)
      .find(({ name }) => name === 'prune-accounts')
      ?.run(now);

  test('seven days: the next prune removes what is older, of this account only, and says how much', async () => {
    const app = testApp(db.storage());
    const [short, long] = [await app.newUser(), await app.newUser()];
    await aWeekOf(app, [short, long], [8, 6]);
    const settings = { metrics_days: 7, alerts_days: 30, events_days: 30, processes_days: 7 };
    await app.call('PUT', path, {
      token: (await openSession({ sessions: db.storage().sessions, clock: app.clock }, short.personId)).token,
      body: settings,
    });
    const before = (await samples()) ?? 0;
    expect(await prune(app.clock.now(), null)).toEqual({ removed: { samples: 1 } });
    expect(await samples()).toBe(before - 1);
  });

  test('a plan in force shows no older history, and deletes it a week after it went out of sight', async () => {
    const free = testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } });
    const user = await free.newUser();
    await db.sql('DELETE FROM host_sample');
    await aWeekOf(free, [user], [15, 13, 6]);
    expect(dataOf(await free.call('GET', path, user))).toMatchObject({
      settings: { metrics_days: 7, alerts_days: 730, events_days: 7, processes_days: 7 },
    });
    const now = free.clock.now();
    expect(await prune(now, null)).not.toMatchObject({ removed: { samples: expect.any(Number) } });
    expect(await prune(now, 'free')).toMatchObject({ removed: { samples: 1 } });
    expect(await prune(now + 1.5 * 86_400_000, 'pro')).toBeNull();
    expect(await prune(now + 1.5 * 86_400_000, 'free')).toMatchObject({ removed: { samples: 1 } });
    expect(await samples()).toBe(1);
  });

  test('a plan in force names its limit and the remedy', async () => {
    const app = testApp(db.storage(), { settings: { PLIMSOLL_PLAN_LIMITS: 'free' } });
    const user = await app.newUser();
    const body = { metrics_days: 8, alerts_days: 7, events_days: 7, processes_days: 7 };
    const answer = await app.call('PUT', path, { ...user, body });
    expect([answer.status, answer.json.code, answer.json.detail]).toEqual([
      422,
      'plan_limit',
      'history: at most 7 days on Free',
    ]);
    const server = (await app.newAgent(user, 'a')).serverId;
    const longAgo = `start_date=${String(app.clock.now() / 1000 - 8 * 86_400)}`;
    for (const call of [
      '/api/data/metrics/timeseries?hours=169',
      `/api/data/metrics/timeseries?${longAgo}`,
      '/api/data/network/timeseries?hours=720',
      `/api/data/metrics?server_id=${server}&${longAgo}`,
      `/api/data/network/metrics?server_id=${server}&${longAgo}`,
      `/api/data/network/connections?${longAgo}`,
      `/api/data/processes?${longAgo}`,
      `/api/data/activity?${longAgo}`,
      `/api/data/notifications?${longAgo}`,
    ]) {
      const refused = await app.call('GET', call, user);
      expect([call, refused.status, refused.json.detail]).toEqual([call, 422, 'history: at most 7 days on Free']);
    }
    expect((await app.call('GET', '/api/data/metrics/timeseries?hours=168', user)).status).toBe(200);
    for (const name of ['b', 'c', 'c']) await app.newAgent(user, name);
    await expect(app.newAgent(user, 'd')).rejects.toThrow('servers: at most 3 on Free');
  });
});

describe('the account itself', () => {
  test('the export is one JSON document with everything but secrets, and nothing of others', async () => {
    const app = testApp(db.storage());
    const [user, other] = [await app.newUser(), await app.newUser()];
    const agent = await app.newAgent(user, 'mine');
    const foreign = await app.newAgent(other, 'theirs');
    for (const { agent: sender, id } of [
      { agent, id: 'mine' },
      { agent: foreign, id: 'theirs' },
    ]) {
      const event = { event_type: 'service_stop', service_name: null, process_name: null, severity: 'warning', ts: 0 };
      await app.call('POST', '/api/agent/v1/reports', {
        token: sender.token,
        body: reportsBody(sender, app.clock.now(), [{ events: [{ ...event, id, message: `${id} stopped` }] }]),
      });
    }
    const answer = await app.call('GET', '/api/user/export', user);
    expect(answer.json).toMatchObject({
      account: { email: user.email },
      servers: [{ hostname: 'mine' }],
      events: [{ serverId: agent.serverId, event_type: 'service_stop', message: 'mine stopped' }],
      samples: [{ serverId: agent.serverId, sampleAt: app.clock.now() }],
      audit_log: [{ action: 'export_started' }],
    });
    for (const secret of [user.token, agent.token, foreign.serverId, other.email, 'theirs stopped', 'scrypt'])
      expect(answer.text).not.toContain(secret);
  });

  test('deleted at once it is gone with all its data; its agents must stop', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const agent = await app.newAgent(user);
    const wrong = await app.call('DELETE', '/api/user/account', { ...user, body: { email: 'x@example.com' } });
    expect([wrong.status, wrong.json.field]).toEqual([400, 'email']);
    const body = { email: user.email.toUpperCase() };
    expect((await app.call('DELETE', '/api/user/account', { ...user, body })).status).toBe(200);
    expect((await app.call('GET', '/api/auth/profile', user)).status).toBe(401);
    expect((await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body: {} })).json.code).toBe(
      'server_deleted',
    );
    const tables = ['account', 'session', 'server', 'api_token', 'audit_log', 'enrolment_token'];
    const owner = (table: string): string =>
      table === 'account' ? 'id' : ['session', 'api_token'].includes(table) ? 'account_id' : 'organisation_id';
    for (const table of tables)
      expect([table, await db.sql(`SELECT FROM ${table} WHERE ${owner(table)} = $1`, [user.personId])]).toEqual([
        table,
        [],
      ]);
  });

  test('planned, it can be withdrawn; due, it happens', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const run = async (): Promise<unknown> =>
      accountJobs(db.storage(), null)
        .find(({ name }) => name === 'delete-accounts')
        ?.run(app.clock.now());
    const plan = () => app.call('DELETE', '/api/user/account', { ...user, body: { email: user.email, in_days: 1 } });
    await plan();
    expect(
      (dataOf(await app.call('GET', '/api/user/account/deletion', user)) as { deletion_at: string }).deletion_at,
    ).toBe(new Date(app.clock.now() + 86_400_000).toISOString());
    await app.call('DELETE', '/api/user/account/deletion', user);
    app.clock.pass(86_401);
    expect(await run()).toBeNull();
    app.clock.pass(-86_401);
    await plan();
    app.clock.pass(86_401);
    expect(await run()).toEqual({ deleted: 1 });
    expect(await db.storage().accounts.get(user.personId)).toBeNull();
  });
});
