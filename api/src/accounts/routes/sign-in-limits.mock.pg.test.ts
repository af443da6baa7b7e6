/** Strangers cannot lock the owner of an account out, and cannot guess for ever either. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { recoverAccount } from '../recover.ts';
import { totpCode } from '../totp.ts';
import { createRates } from '../../http/limits/rate-limit.ts';
import { TEST_PASSWORD, testApp, type Answer, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';
import { totpSecretOf } from '../../testing/totp.ts';

// A hundred hashes would take minutes on a small machine; sign-in-flood.pg.test.ts has the real ones.
vi.mock(import('../passwords.ts'), () => ({
  hashPassword: (password) => Promise.resolve(`hash of ${password}`),
  verifyPassword: (password, stored) => Promise.resolve(stored === `hash of ${password}`),
  isOutdated: () => false,
}));

const db = testStorage();
beforeEach(() => db.sql('DELETE FROM rate_limit'));
const newApp = (): TestApp =>
  testApp(db.storage(), {
    rates: createRates(db.storage().rateLimits),
    settings: { PLIMSOLL_TRUSTED_PROXIES: '127.0.0.1' },
  });

interface Try {
  password?: string;
  totp?: string;
  from?: string;
  device?: string;
}
const signIn = (app: TestApp, email: string, { password = TEST_PASSWORD, totp, from = HOME, device }: Try = {}) =>
  app.call('POST', '/api/auth/local', {
    body: { email, password, ...(totp !== undefined && { totp }) },
    headers: { 'x-forwarded-for': from, ...(device !== undefined && { cookie: `auth_device=${device}` }) },
  });
const HOME = '198.51.100.1';
const stranger = (n: number): string => `203.0.113.${String(n)}`;
const deviceCookie = (answer: Answer): string =>
  answer.headers.getSetCookie().find((line) => line.startsWith('auth_device=')) ?? '';
const deviceOf = (answer: Answer): string => /^auth_device=([^;]+)/.exec(deviceCookie(answer))?.[1] ?? '';

describe('wrong passwords', () => {
  test('of strangers elsewhere leave the owner his tries', async () => {
    const app = newApp();
    const { email } = await app.newUser();
    for (let n = 0; n < 12; n += 1)
      expect((await signIn(app, email, { password: 'wrong', from: stranger(n) })).status).toBe(401);
    expect((await signIn(app, email)).status).toBe(200);
  });

  test('are ten a minute for an account and a network, 64 bits of IPv6', async () => {
    const app = newApp();
    const [{ email }, other] = [await app.newUser(), await app.newUser()];
    const from = (n: number): string => `2001:db8:1:2::${n.toString(16)}`;
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await signIn(app, email, { password: 'wrong', from: from(n) })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await signIn(app, email, { from: '2001:db8:1:3::1' })).status).toBe(200);
    // A colleague behind the same address.
    expect((await signIn(app, other.email, { from: from(1) })).status).toBe(200);
  });

  test('are thirty a minute for a network, whatever the accounts', async () => {
    const app = newApp();
    const statuses: number[] = [];
    for (let n = 0; n < 31; n += 1)
      statuses.push((await signIn(app, `spray${String(n)}@example.com`, { password: 'wrong' })).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
  });

  test('are a hundred an hour for an account, however many networks guess', async () => {
    const app = newApp();
    const [{ email }, other] = [await app.newUser(), await app.newUser()];
    const device = deviceOf(await signIn(app, email));
    const guess = async (n: number): Promise<number> =>
      (await signIn(app, email, { password: 'wrong', from: stranger(n) })).status;
    // The sign-in of the owner was the first try.
    for (let n = 0; n < 99; n += 1) expect(await guess(n)).toBe(401);
    const refused = await signIn(app, email, { from: '192.0.2.1' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '36']);
    expect((await signIn(app, other.email, { from: '192.0.2.1' })).status).toBe(200);
    // The owner is not locked out: a remembered device and a recovery link are not counted.
    expect((await signIn(app, email, { device })).status).toBe(200);
    const code = await recoverAccount({ storage: db.storage(), clock: app.clock }, email);
    expect((await app.call('POST', '/api/auth/exchange', { body: { code } })).status).toBe(200);
    app.clock.pass(36);
    expect(await guess(200)).toBe(401);
    expect(await guess(201)).toBe(429);
  });

  test('answer alike whether the account exists, up to the limit and over it', async () => {
    const app = newApp();
    const { email } = await app.newUser();
    const answersOf = async (address: string, from: string): Promise<unknown[]> => {
      const answers: unknown[] = [];
      for (let n = 0; n < 11; n += 1) {
        const { status, json, headers } = await signIn(app, address, { password: 'wrong', from });
        answers.push([status, json, headers.get('retry-after'), headers.getSetCookie()]);
      }
      return answers;
    };
    expect(await answersOf('nobody@example.com', stranger(2))).toEqual(await answersOf(email, stranger(1)));
  });
});

describe('a remembered device', () => {
  test('signs in from a network where strangers used up the tries', async () => {
    const app = newApp();
    const { email } = await app.newUser();
    const first = await signIn(app, email);
    expect(deviceCookie(first)).toMatch(
      /^auth_device=plm_device_\S{43}; Max-Age=15552000; Path=\/api\/auth; HttpOnly; SameSite=Strict$/,
    );
    for (let n = 0; n < 10; n += 1) await signIn(app, email, { password: 'wrong' });
    expect((await signIn(app, email)).status).toBe(429);
    expect((await signIn(app, email, { device: deviceOf(first) })).status).toBe(200);
  });

  test('has ten tries a minute of its own', async () => {
    const app = newApp();
    const { email } = await app.newUser();
    const device = deviceOf(await signIn(app, email));
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await signIn(app, email, { password: 'wrong', device, from: stranger(n) })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    app.clock.pass(6);
    expect((await signIn(app, email, { device })).status).toBe(200);
  });

  test('of another account, forged, expired or forgotten is a stranger', async () => {
    const app = newApp();
    const [mine, theirs] = [await app.newUser(), await app.newUser()];
    const [own, foreign] = [deviceOf(await signIn(app, mine.email)), deviceOf(await signIn(app, theirs.email))];
    for (let n = 0; n < 10; n += 1) await signIn(app, mine.email, { password: 'wrong' });
    for (const device of [foreign, `plm_device_${'x'.repeat(43)}`, 'garbage', own.replace('device', 'session')])
      expect((await signIn(app, mine.email, { device })).status).toBe(429);
    // The secret is kept as its hash.
    const rows = await db.sql<{ device_hash: Buffer }>('SELECT device_hash FROM remembered_device');
    expect(rows.some(({ device_hash }) => device_hash.toString('latin1').includes(own))).toBe(false);
    const { devices } = db.storage().identity;
    await devices.forget(mine.personId, null);
    expect((await signIn(app, mine.email, { device: own })).status).toBe(429);
    expect(await devices.find(Buffer.alloc(32), app.clock.now())).toBeNull();
  });

  test('is dropped after 180 days, and the oldest of more than twenty', async () => {
    const app = newApp();
    const { email, personId } = await app.newUser();
    const countOf = async (): Promise<number> =>
      (await db.sql('SELECT 1 FROM remembered_device WHERE account_id = $1', [personId])).length;
    const first = deviceOf(await signIn(app, email));
    const seen: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      app.clock.pass(60);
      seen.push(deviceOf(await signIn(app, email)));
    }
    expect(await countOf()).toBe(20);
    const bad = { password: 'wrong' };
    for (let n = 0; n < 10; n += 1) await signIn(app, email, bad);
    expect((await signIn(app, email, { device: first })).status).toBe(429);
    expect((await signIn(app, email, { device: seen.at(-1) ?? '' })).status).toBe(200);
    app.clock.pass(180 * 86_400);
    for (let n = 0; n < 10; n += 1) await signIn(app, email, bad);
    expect((await signIn(app, email, { device: seen.at(-1) ?? '' })).status).toBe(429);
    app.clock.pass(60);
    await signIn(app, email);
    expect(await countOf()).toBe(1);
  });

  test('is forgotten when the account is recovered, and when another session is ended', async () => {
    const app = newApp();
    const user = await app.newUser();
    const { email, personId } = user;
    const [kept, lost] = [deviceOf(await signIn(app, email)), await signIn(app, email)];
    const { sessions } = (await app.call('GET', '/api/auth/sessions', user)).json.data as unknown as {
      sessions: { id: string; current: boolean }[];
    };
    const other = sessions.find(({ current }) => !current)?.id ?? '';
    const headers = { cookie: `auth_device=${kept}` };
    expect((await app.call('DELETE', `/api/auth/sessions/${other}`, { token: user.token, headers })).status).toBe(200);
    for (let n = 0; n < 10; n += 1) await signIn(app, email, { password: 'wrong' });
    expect((await signIn(app, email, { device: deviceOf(lost) })).status).toBe(429);
    expect((await signIn(app, email, { device: kept })).status).toBe(200);
    await recoverAccount({ storage: db.storage(), clock: app.clock }, email);
    expect(await db.sql('SELECT 1 FROM remembered_device WHERE account_id = $1', [personId])).toEqual([]);
  });
});

describe('codes of the authenticator', () => {
  const withTotp = async (app: TestApp): Promise<TestUser & { code: () => string }> => {
    const user = await app.newUser();
    const begun = await app.call('POST', '/api/auth/totp/begin', { token: user.token, body: {} });
    const secret = totpSecretOf((begun.json.data as unknown as { secret: string }).secret);
    const code = (): string => totpCode(secret, Math.floor(app.clock.now() / 30_000));
    const done = await app.call('POST', '/api/auth/totp/confirm', { token: user.token, body: { code: code() } });
    expect(done.status).toBe(200);
    app.clock.pass(60);
    return { ...user, code };
  };

  test('cannot be guessed from many addresses, and the owner gets in on his device', async () => {
    const app = newApp();
    const { email, code } = await withTotp(app);
    const first = await signIn(app, email, { totp: code() });
    expect(first.status).toBe(200);
    app.clock.pass(1800);
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await signIn(app, email, { totp: '000000', from: stranger(n) })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await signIn(app, email, { totp: code() })).status).toBe(429);
    expect((await signIn(app, email, { totp: code(), device: deviceOf(first) })).status).toBe(200);
    // One more every three minutes: 480 of a million codes in a day.
    app.clock.pass(179);
    expect((await signIn(app, email, { totp: '000000', from: stranger(20) })).status).toBe(429);
    app.clock.pass(1);
    expect((await signIn(app, email, { totp: '000000', from: stranger(21) })).status).toBe(401);
  });

  test('with a session are counted for the account, apart from those at sign-in', async () => {
    const app = newApp();
    const { token, email, code } = await withTotp(app);
    const remove = (value: string, from: string) =>
      app.call('DELETE', '/api/auth/totp', { token, body: { code: value }, headers: { 'x-forwarded-for': from } });
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await remove('000000', stranger(n))).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await signIn(app, email, { totp: code() })).status).toBe(200);
  });
});

test('failed sign-ins are one entry of the audit log', async () => {
  const app = newApp();
  const user = await app.newUser();
  for (let n = 0; n < 12; n += 1) await signIn(app, user.email, { password: 'wrong', from: stranger(n) });
  await signIn(app, 'nobody@example.com', { password: 'wrong' });
  const { storage, clock, failedSignIns } = app.deps;
  await failedSignIns.record({ tenancy: storage.tenancy, clock });
  const { entries } = (await app.call('GET', '/api/user/audit-log', user)).json.data as unknown as {
    entries: { action: string; address: string; detail: object }[];
  };
  expect(entries).toMatchObject([
    { action: 'sign_in_failed', address: stranger(11), detail: { passwords: '12', codes: '0', addresses: '12' } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('wrong');
});
