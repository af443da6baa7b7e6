import { describe, expect, test } from 'vitest';
import { prepareFirstRun } from '../first-run.ts';
import { hashToken, newToken } from '../tokens.ts';
import { createRates } from '../../http/limits/rate-limit.ts';
import { TEST_PASSWORD, testApp } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const wrongCode = { code: `plm_code_${'x'.repeat(43)}` };

describe('first run', () => {
  const db = testStorage();

  test('the link creates the first account once, and no code works after it', async () => {
    const app = testApp(db.storage());
    const before = await app.call('GET', '/api/auth/methods');
    expect(before.json.data).toMatchObject({ first_run: true });
    const code = await prepareFirstRun({ storage: db.storage(), clock: app.clock }, null);
    const second = await prepareFirstRun({ storage: db.storage(), clock: app.clock }, null);
    const account = { email: 'Ada@Example.com', password: TEST_PASSWORD, name: 'Ada' };

    const bare = await app.call('POST', '/api/auth/exchange', { body: { code } });
    expect([bare.status, bare.json.code, bare.json.field]).toEqual([400, 'account_required', 'account']);
    const short = await app.call('POST', '/api/auth/exchange', {
      body: { code, account: { ...account, password: 'x' } },
    });
    expect([short.status, short.json.field]).toEqual([400, 'account.password']);
    const frequent = await app.call('POST', '/api/auth/exchange', {
      body: { code, account: { ...account, password: 'Password1234' } },
    });
    expect([frequent.status, frequent.json.field, frequent.json.remedy]).toEqual([
      400,
      'account.password',
      'Use several words that do not belong together, or a password manager.',
    ]);
    const wrong = await app.call('POST', '/api/auth/exchange', { body: { ...wrongCode, account } });
    expect([wrong.status, wrong.json.code]).toEqual([401, 'code_invalid']);

    const done = await app.call('POST', '/api/auth/exchange', { body: { code, account } });
    expect(done.status).toBe(200);
    const cookie = done.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/auth_token=plm_session_\S+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Strict/);
    const { token } = done.json.data as unknown as { token: string };
    const profile = await app.call('GET', '/api/auth/profile', { token });
    expect(profile.json.data).toMatchObject({ user: { email: 'ada@example.com', name: 'Ada', is_active: true } });

    const again = await app.call('POST', '/api/auth/exchange', { body: { code, account } });
    expect([again.status, again.json.code]).toEqual([401, 'code_invalid']);
    const late = await app.call('POST', '/api/auth/exchange', { body: { code: second, account } });
    expect([late.status, late.json.code]).toEqual([409, 'first_run_over']);
    expect(await prepareFirstRun({ storage: db.storage(), clock: app.clock }, null)).toBeNull();
    expect((await app.call('GET', '/api/auth/methods')).json.data).toMatchObject({ first_run: false });
  });
});

describe('two first-run links at once', () => {
  const db = testStorage();

  test('create one account', async () => {
    const app = testApp(db.storage());
    const { accounts } = db.storage();
    const begin = () => prepareFirstRun({ storage: db.storage(), clock: app.clock }, null);
    const codes = [await begin(), await begin(), await begin()];
    const exchange = (code: string | null, n: number) => {
      const account = { email: `first${String(n)}@example.com`, password: TEST_PASSWORD };
      return app.call('POST', '/api/auth/exchange', { body: { code, account } });
    };
    const answers = await Promise.all(codes.map(exchange));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ json }) => json.code === 'first_run_over')).toHaveLength(2);
    expect(await accounts.count()).toBe(1);
  });
});

describe('first run unattended', () => {
  const db = testStorage();
  test('e-mail and password from the environment make the account; a second start changes nothing', async () => {
    const app = testApp(db.storage());
    const { accounts } = db.storage();
    const admin = { email: 'root@example.com', password: TEST_PASSWORD };
    expect(await prepareFirstRun({ storage: db.storage(), clock: app.clock }, admin)).toBeNull();
    await prepareFirstRun({ storage: db.storage(), clock: app.clock }, { ...admin, password: 'another password' });
    expect(await accounts.count()).toBe(1);
    const signedIn = await app.call('POST', '/api/auth/local', { body: admin });
    expect(signedIn.status).toBe(200);
  });
});

describe('a first-run code', () => {
  const db = testStorage();
  test('dies after 24 hours', async () => {
    const app = testApp(db.storage());
    const code = await prepareFirstRun({ storage: db.storage(), clock: app.clock }, null);
    app.clock.pass(24 * 3600 + 1);
    const account = { email: 'a@example.com', password: TEST_PASSWORD };
    const answer = await app.call('POST', '/api/auth/exchange', { body: { code, account } });
    expect([answer.status, answer.json.code]).toEqual([401, 'code_invalid']);
  });
});

describe('sessions', () => {
  const db = testStorage();

  test('local sign-in: right, wrong, unknown and malformed', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser('local');
    const signIn = (body: unknown) => app.call('POST', '/api/auth/local', { body });
    const good = await signIn({ email: ' LOCAL@example.com'.trim(), password: TEST_PASSWORD });
    expect(good.status).toBe(200);
    const wrong = await signIn({ email: user.email, password: 'wrong' });
    const unknown = await signIn({ email: 'nobody@example.com', password: 'wrong' });
    expect(wrong.status).toBe(401);
    expect(unknown.text).toBe(wrong.text);
    const bad = await signIn({ email: 'not-an-address', password: 'x' });
    expect([bad.status, bad.json.field]).toEqual([400, 'email']);
  });

  test('the eleventh try within a minute is refused with the time to wait', async () => {
    const app = testApp(db.storage(), { rates: createRates(db.storage().rateLimits) });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1)
      statuses.push((await app.call('POST', '/api/auth/exchange', { body: wrongCode })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    const refused = await app.call('POST', '/api/auth/exchange', { body: wrongCode });
    expect(refused.headers.get('retry-after')).toBe('6');
    app.clock.pass(6);
    expect((await app.call('POST', '/api/auth/exchange', { body: wrongCode })).status).toBe(401);
  });

  test('the call describes the token, refresh replaces it, logout ends it at once', async () => {
    const app = testApp(db.storage());
    const { token } = await app.newUser();
    const kind = await app.call('GET', '/api/auth/token', { token });
    expect(kind.json.data).toMatchObject({ kind: 'session' });
    expect(kind.text).not.toContain(token);
    const refreshed = await app.call('POST', '/api/auth/refresh', { token });
    const { token: next } = refreshed.json.data as unknown as { token: string };
    expect((await app.call('GET', '/api/auth/profile', { token })).status).toBe(401);
    expect((await app.call('GET', '/api/auth/profile', { token: next })).status).toBe(200);
    const logout = await app.call('POST', '/api/auth/logout', { token: next, body: {} });
    expect(logout.headers.get('set-cookie')).toContain('auth_token=; Max-Age=0');
    expect((await app.call('GET', '/api/auth/profile', { token: next })).status).toBe(401);
    expect((await app.call('GET', '/api/auth/profile', { cookie: next })).status).toBe(401);
  });

  test('a session ends after 24 hours', async () => {
    const app = testApp(db.storage());
    const { token } = await app.newUser();
    app.clock.pass(24 * 3600 - 1);
    expect((await app.call('GET', '/api/auth/profile', { token })).status).toBe(200);
    app.clock.pass(2);
    expect((await app.call('GET', '/api/auth/profile', { token })).status).toBe(401);
  });

  test('where there are both the header decides, for reading and for changing', async () => {
    const app = testApp(db.storage());
    const [mine, theirs] = [await app.newUser(), await app.newUser()];
    const both = { token: mine.token, cookie: theirs.token };
    const emailOf = async () => {
      const { json } = await app.call('GET', '/api/auth/profile', both);
      return (json.data as unknown as { user: { email: string } }).user.email;
    };
    expect(await emailOf()).toBe(mine.email);
    const ended = await app.call('POST', '/api/auth/logout', { ...both, body: {} });
    expect(ended.status).toBe(200);
    const reads = await Promise.all([mine, theirs].map(({ token }) => app.call('GET', '/api/auth/profile', { token })));
    expect(reads.map(({ status }) => status)).toEqual([401, 200]);
  });

  test('the cookie reads but changes nothing; a wrong header is not rescued by a good cookie', async () => {
    const app = testApp(db.storage());
    const { token } = await app.newUser();
    expect((await app.call('GET', '/api/auth/profile', { cookie: token })).status).toBe(200);
    const change = await app.call('POST', '/api/auth/refresh', { cookie: token });
    expect([change.status, change.json.code]).toEqual([403, 'bearer_required']);
    expect((await app.call('GET', '/api/auth/profile', { cookie: token, token: newToken('session') })).status).toBe(
      401,
    );
  });

  test('a code of the callback works once and only in its browser', async () => {
    const app = testApp(db.storage());
    const user = await app.newUser();
    const { signInCodes } = db.storage();
    const issue = async (): Promise<string> => {
      const code = newToken('code');
      const now = app.clock.now();
      const entry = {
        codeHash: hashToken(code),
        personId: user.personId,
        bindingHash: hashToken('mine'),
        expiresAt: now + 300_000,
      };
      await signInCodes.create(entry, now);
      return code;
    };
    const code = await issue();
    const exchange = (cookie: string) =>
      app.call('POST', '/api/auth/exchange', { body: { code }, headers: { cookie: `auth_binding=${cookie}` } });
    const other = await exchange('theirs');
    expect([other.status, other.json.code]).toEqual([401, 'code_invalid']);
    expect((await exchange('mine')).status).toBe(200);
    expect((await exchange('mine')).json.code).toBe('code_invalid');
  });

  test.each(['github', 'google', 'oidc'])('%s not configured names the settings', async (provider) => {
    const app = testApp(db.storage());
    const answer = await app.call('GET', `/api/auth/${provider}`);
    expect([answer.status, answer.json.code]).toEqual([409, 'sign_in_not_configured']);
    expect(answer.json.remedy).toContain(`${provider.toUpperCase()}_CLIENT_ID`);
  });
});
