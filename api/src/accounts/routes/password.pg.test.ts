import { beforeEach, describe, expect, test } from 'vitest';
import { createRates } from '../../http/limits/rate-limit.ts';
import { hashToken, newToken } from '../tokens.ts';
import { TEST_PASSWORD, testApp, type Answer, type TestApp, type TestUser } from '../../testing/app.ts';
import { testStorage } from '../../testing/postgres.ts';

const NEXT = 'another battery staple';
const db = testStorage();
let app: TestApp;
let user: TestUser;

beforeEach(async () => {
  app = testApp(db.storage());
  user = await app.newUser();
});

const signIn = (password: string): Promise<Answer> =>
  app.call('POST', '/api/auth/local', { body: { email: user.email, password } });
const tokenOf = ({ json }: Answer): string => (json.data as unknown as { token: string }).token;
const change = (token: string, current: string | null, next = NEXT): Promise<Answer> =>
  app.call('PUT', '/api/auth/password', { token, body: { current_password: current, new_password: next } });

/** A session that a link began, as after recovery on the machine. */
async function sessionByLink(): Promise<string> {
  const code = newToken('code');
  const { personId } = user;
  const kept = { codeHash: hashToken(code), personId, bindingHash: null, expiresAt: app.clock.now() + 60_000 };
  await db.storage().signInCodes.create(kept, app.clock.now());
  return tokenOf(await app.call('POST', '/api/auth/exchange', { body: { code } }));
}

describe('a change of the password', () => {
  test('needs the current one, and the next sign-in needs the new one', async () => {
    const token = tokenOf(await signIn(TEST_PASSWORD));
    expect((await change(token, TEST_PASSWORD)).status).toBe(200);
    expect((await signIn(TEST_PASSWORD)).status).toBe(401);
    expect((await signIn(NEXT)).status).toBe(200);
  });

  test.each([
    ['not the right one', 'current_password: is wrong'],
    [null, 'current_password: is required'],
  ])('with %s is refused, changes nothing and keeps the session', async (current, detail) => {
    const token = tokenOf(await signIn(TEST_PASSWORD));
    const { status, json } = await change(token, current);
    expect([status, json.field, json.detail]).toEqual([400, 'current_password', detail]);
    expect((await app.call('GET', '/api/auth/profile', { token })).status).toBe(200);
    expect((await signIn(TEST_PASSWORD)).status).toBe(200);
  });

  test('to one that is easily guessed is refused, and the old one stays', async () => {
    const token = tokenOf(await signIn(TEST_PASSWORD));
    const { status, json } = await change(token, TEST_PASSWORD, `${user.email.split('@')[0] ?? ''}-2026-x`);
    expect([status, json.field, json.detail]).toEqual([
      400,
      'new_password',
      'new_password: contains the name of the e-mail address',
    ]);
    expect((await signIn(TEST_PASSWORD)).status).toBe(200);
  });

  test('ends the other sessions and is in the log', async () => {
    const other = tokenOf(await signIn(TEST_PASSWORD));
    const token = tokenOf(await signIn(TEST_PASSWORD));
    await change(token, TEST_PASSWORD);
    expect((await app.call('GET', '/api/auth/profile', { token: other })).status).toBe(401);
    expect((await app.call('GET', '/api/auth/profile', { token })).status).toBe(200);
    const log = await app.call('GET', '/api/user/audit-log', { token });
    expect(log.text).toContain('password_changed');
    expect(log.text).not.toContain(NEXT);
  });

  test('is slowed like a sign-in', async () => {
    const { token } = user;
    app = testApp(db.storage(), { rates: createRates(db.storage().rateLimits) });
    const tries: number[] = [];
    for (let i = 0; i < 11; i += 1) tries.push((await change(token, 'not the right one')).status);
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 400), 429]);
  });
});

describe('without the current one', () => {
  test('is for a session that a link has just begun, such as a recovery', async () => {
    const token = await sessionByLink();
    expect((await change(token, null)).status).toBe(200);
    expect((await signIn(NEXT)).status).toBe(200);
  });

  test('is refused ten minutes later', async () => {
    const token = await sessionByLink();
    app.clock.pass(601);
    expect((await change(token, null)).json.field).toBe('current_password');
  });

  test('gives an account of a provider its first password', async () => {
    await db.sql('UPDATE account SET password_hash = NULL WHERE id = $1', [user.personId]);
    const token = await sessionByLink();
    expect((await change(token, TEST_PASSWORD)).json.detail).toBe('current_password: is wrong');
    expect((await change(token, null)).status).toBe(200);
    expect((await signIn(NEXT)).status).toBe(200);
  });
});
