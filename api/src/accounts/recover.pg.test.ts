import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { recoverAccount } from './recover.ts';

const db = testStorage();

test('ends sessions, switches the second factor off and lets in once', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  await db.sql("UPDATE account SET totp_secret = 'x', totp_confirmed_at = now() WHERE id = $1", [user.personId]);
  const code = await recoverAccount({ storage: db.storage(), clock: app.clock }, user.email.toUpperCase());
  expect((await app.call('GET', '/api/auth/profile', user)).status).toBe(401);
  const signedIn = await app.call('POST', '/api/auth/exchange', { body: { code } });
  const { token } = signedIn.json.data as unknown as { token: string };
  expect((await app.call('GET', '/api/auth/totp', { token })).json.data).toEqual({ enabled: false });
  expect((await app.call('POST', '/api/auth/exchange', { body: { code } })).json.code).toBe('code_invalid');
  const log = await app.call('GET', '/api/user/audit-log', { token });
  expect(log.text).toContain('recovered_on_server');
});

test('the code is good for a quarter of an hour, and nobody else is signed out', async () => {
  const app = testApp(db.storage());
  const [user, other] = [await app.newUser(), await app.newUser()];
  const lettingIn = async (seconds: number): Promise<number> => {
    const code = await recoverAccount({ storage: db.storage(), clock: app.clock }, user.email);
    app.clock.pass(seconds);
    return (await app.call('POST', '/api/auth/exchange', { body: { code } })).status;
  };
  expect(await lettingIn(899)).toBe(200);
  expect(await lettingIn(900)).toBe(401);
  expect((await app.call('GET', '/api/auth/profile', other)).status).toBe(200);
});

test('an unknown address is an error', async () => {
  const app = testApp(db.storage());
  await expect(recoverAccount({ storage: db.storage(), clock: app.clock }, 'no@example.com')).rejects.toMatchObject({
    code: 'not_found',
  });
});
