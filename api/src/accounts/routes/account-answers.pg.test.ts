/** Checks every field of the calls about an account, and that no answer holds a secret. */
import { beforeEach, expect, test } from 'vitest';
import { testApp, TEST_PASSWORD, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { hashToken, newToken } from '../tokens.ts';

const db = testStorage();
const DAY = 86_400_000;
const UUID = /^[0-9a-f-]{36}$/;
let app: TestApp;
let user: TestUser;
const at = (ms: number): string => new Date(app.clock.now() + ms).toISOString();
const data = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const given = { token: user.token, ...(body !== undefined && { body }) };
  const { status, json } = await app.call(method, path, given);
  expect([path, status, json.success]).toEqual([path, 200, true]);
  return json.data;
};
beforeEach(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
});

test('GET /api/auth/profile', async () => {
  const created = at(0);
  expect(await data('GET', '/api/auth/profile')).toEqual({
    user: {
      id: user.personId,
      name: user.email.split('@')[0],
      email: user.email,
      avatar: null,
      github_username: null,
      is_active: true,
      role: 'admin',
      is_operator: true,
      created_at: created,
      last_login: null,
    },
    demo: false,
    public_url: null,
  });
  app.clock.pass(60);
  await app.call('POST', '/api/auth/local', { body: { email: user.email, password: TEST_PASSWORD } });
  const described = { name: 'Ada', avatarUrl: 'https://x.example/a.png', githubUsername: 'ada' };
  await db.storage().identity.identities.describe(user.personId, described);
  // The picture comes from us: the provider is not told who looks at the page.
  expect(await data('GET', '/api/auth/profile')).toMatchObject({
    user: { name: 'Ada', avatar: '/api/user/avatar', github_username: 'ada', created_at: created, last_login: at(0) },
  });
});

test('a sign-in with a password or by a code is the last login; a token that is renewed is not', async () => {
  const lastLogin = async (): Promise<unknown> => {
    const { user: shown } = (await data('GET', '/api/auth/profile')) as { user: { last_login: string | null } };
    return shown.last_login;
  };
  app.clock.pass(60);
  await app.call('POST', '/api/auth/local', { body: { email: user.email, password: TEST_PASSWORD } });
  expect(await lastLogin()).toBe(at(0));
  app.clock.pass(60);
  // A code ends a sign-in at a provider, and is in the links of a first start and of a recovery.
  const code = newToken('code');
  const entry = { codeHash: hashToken(code), personId: user.personId, bindingHash: null };
  await db.storage().signInCodes.create({ ...entry, expiresAt: app.clock.now() + 1000 }, app.clock.now());
  await app.call('POST', '/api/auth/exchange', { body: { code } });
  expect(await lastLogin()).toBe(at(0));
  app.clock.pass(60);
  const { token } = (await data('POST', '/api/auth/refresh')) as { token: string };
  user = { ...user, token };
  expect(await lastLogin()).toBe(at(-60_000));
});

test('GET /api/auth/profile of a member names its role', async () => {
  const member = await app.newUser();
  await db.sql('UPDATE membership SET organisation_id = $2, role = $3 WHERE account_id = $1', [
    member.personId,
    user.personId,
    'viewer',
  ]);
  const answer = await app.call('GET', '/api/auth/profile', member);
  expect(answer.json.data).toMatchObject({ user: { id: member.personId, role: 'viewer' } });
});

test('GET /api/auth/token and POST /api/auth/refresh', async () => {
  expect(await data('GET', '/api/auth/token')).toEqual({
    kind: 'session',
    scopes: ['read', 'write', 'transfer', 'session'],
    expires_at: at(DAY),
  });
  app.clock.pass(3600);
  const fresh = (await data('POST', '/api/auth/refresh')) as { token: string; expires_at: string };
  expect(fresh).toEqual({ token: expect.stringMatching(/^plm_/), expires_at: at(DAY) });
  expect((await app.call('GET', '/api/auth/token', user)).status).toBe(401);
  expect((await app.call('GET', '/api/auth/token', fresh)).status).toBe(200);
});

test('POST /api/auth/local sets a cookie a script cannot read and another site cannot send', async () => {
  const body = { email: user.email, password: TEST_PASSWORD };
  const plain = await app.call('POST', '/api/auth/local', { body });
  expect(plain.json.data).toEqual({ token: expect.stringMatching(/^plm_/), expires_at: at(DAY) });
  const { token } = plain.json.data as unknown as { token: string };
  expect(plain.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^auth_device=[^;]+; Max-Age=\d+; Path=\/api\/auth; HttpOnly; SameSite=Strict$/),
    `auth_token=${token}; Max-Age=86400; Path=/; HttpOnly; SameSite=Strict`,
  ]);
  const secure = testApp(db.storage(), { settings: { PLIMSOLL_PUBLIC_URL: 'https://plimsoll.example' } });
  const cookie = (await secure.call('POST', '/api/auth/local', { body })).headers.get('set-cookie');
  expect(cookie).toContain('; Secure');
});

test('POST /api/auth/logout takes the cookie back', async () => {
  const { headers } = await app.call('POST', '/api/auth/logout', user);
  expect(headers.get('set-cookie')).toBe('auth_token=; Max-Age=0; Path=/');
  expect((await app.call('GET', '/api/auth/profile', user)).json.code).toBe('unauthenticated');
});

test('GET /api/auth/sessions', async () => {
  expect(await data('GET', '/api/auth/sessions')).toEqual({
    sessions: [
      {
        id: expect.stringMatching(UUID),
        created_at: at(0),
        expires_at: at(DAY),
        user_agent: null,
        address: null,
        current: true,
      },
    ],
    total: 1,
  });
});

test('POST /api/user/generate-auth-token and GET /api/user/api-tokens', async () => {
  const made = (await data('POST', '/api/user/generate-auth-token')) as { token: string };
  const listed = {
    id: expect.stringMatching(UUID),
    name: 'permanent',
    last_four: made.token.slice(-4),
    scopes: ['read', 'write', 'transfer'],
    created_at: at(0),
    last_used_at: null,
    expires_at: null,
  };
  expect(made).toEqual({ ...listed, token: expect.stringMatching(/^plm_/), replaced: false });
  expect(await data('GET', '/api/user/api-tokens')).toEqual({ tokens: [listed], total: 1 });
  const [stored] = await db.sql<{ row: string }>('SELECT t::text AS row FROM api_token t WHERE account_id = $1', [
    user.personId,
  ]);
  expect(stored?.row).not.toContain(made.token.slice(8));
});

test('GET, PUT and reset of /api/user/retention-settings', async () => {
  const path = '/api/user/retention-settings';
  const defaults = { metrics_days: 365, alerts_days: 730, events_days: 365, processes_days: 14 };
  expect(await data('GET', path)).toEqual({ settings: defaults, is_default: true });
  const mine = { metrics_days: 30, alerts_days: 60, events_days: 90, processes_days: 7 };
  expect(await data('PUT', path, mine)).toEqual({ settings: mine, is_default: false });
  expect(await data('GET', path)).toEqual({ settings: mine, is_default: false });
  expect(await data('POST', `${path}/reset`)).toEqual({ settings: defaults, is_default: true });
  expect(await data('GET', '/api/user/audit-log?limit=1&offset=1')).toEqual({
    entries: [
      {
        id: expect.any(Number),
        at: at(0),
        action: 'retention_changed',
        person: { id: user.personId, name: user.email.split('@')[0] },
        token: null,
        address: expect.toSatisfy((text: unknown) => text === null || typeof text === 'string'),
        detail: { metrics: '30', alerts: '60', events: '90', processes: '7' },
      },
    ],
    total: 2,
  });
});

test('POST /api/user/enrolment-tokens and the cluster tokens', async () => {
  expect(await data('POST', '/api/user/enrolment-tokens')).toEqual({
    id: expect.stringMatching(UUID),
    token: expect.stringMatching(/^plm_/),
    expires_at: at(DAY),
    public_url: null,
    lan_addresses: expect.any(Array),
    kits: expect.any(Array),
    image_registry: null,
    image_tag: null,
  });
  const made = (await data('POST', '/api/user/cluster-tokens', { name: 'prod' })) as { id: string; token: string };
  expect(made).toEqual({ id: expect.stringMatching(UUID), token: expect.stringMatching(/^plm_/) });
  expect(await data('GET', '/api/user/cluster-tokens')).toEqual({
    tokens: [
      {
        id: made.id,
        name: 'prod',
        last_four: made.token.slice(-4),
        cluster_id: null,
        cluster_name: null,
        created_at: at(0),
        last_used_at: null,
        expires_at: at(86_400_000),
        is_replaced: false,
        created_by: { account_id: user.personId, name: expect.any(String) },
      },
    ],
    total: 1,
  });
  expect(await data('DELETE', `/api/user/cluster-tokens/${made.id}`)).toEqual({});
  expect(await data('GET', '/api/user/cluster-tokens')).toEqual({ tokens: [], total: 0 });
});

test('the deletion of the account, planned and taken back', async () => {
  const path = '/api/user/account/deletion';
  expect(await data('GET', path)).toEqual({ deletion_at: null });
  const planned = await data('DELETE', '/api/user/account', { email: user.email, in_days: 30 });
  expect(planned).toEqual({ deletion_at: at(30 * DAY) });
  expect(await data('GET', path)).toEqual({ deletion_at: at(30 * DAY) });
  expect(await data('DELETE', path)).toEqual({});
  expect(await data('GET', path)).toEqual({ deletion_at: null });
});

test('GET /api/ai/health, /api/auth/methods and /api/auth/totp', async () => {
  expect(await data('GET', '/api/ai/health')).toMatchObject({ api_key_valid: true, mode: 'analyser' });
  expect(await data('GET', '/api/auth/totp')).toEqual({ enabled: false });
  expect(await data('GET', '/api/auth/methods')).toMatchObject({ first_run: false, methods: expect.any(Array) });
});
