import { scryptSync } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { TestClock, TEST_PASSWORD } from '../testing/app.ts';
import { noLimits } from '../testing/no-limits.ts';
import { testStorage } from '../testing/postgres.ts';
import { totpSecretOf } from '../testing/totp.ts';
import { FailedSignIns } from './failed-sign-ins.ts';
import { createLocalAccount, signInLocally, type LocalDeps } from './local.ts';
import { SecretBox, SEALING_KEY_BYTES } from './secret-encryption.ts';
import { beginTotp, settleTotp } from './second-factor.ts';
import { findSession } from './session.ts';
import { totpCode } from './totp.ts';
import { personIdOf } from '../tenancy/ids.ts';

const db = testStorage();
const clock = new TestClock();
const secretBox = new SecretBox(Buffer.alloc(SEALING_KEY_BYTES, 3));
const failedSignIns = new FailedSignIns();
const deps = () => {
  const storage = db.storage();
  const { accounts, sessions, identity } = storage;
  const local: LocalDeps = { storage, clock, secretBox, rates: noLimits(), failedSignIns };
  return { ...local, accounts, sessions, secondFactors: identity.secondFactors };
};
const signIn = (email: string, password = TEST_PASSWORD, totp?: string) =>
  signInLocally(deps(), { email, password, totp, address: '203.0.113.1', network: '203.0.113.1', userAgent: null });
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'let in',
    ({ code, message }: { code: string; message: string }) => [code, message],
  );
const create = (email: string, name?: string) => createLocalAccount(deps(), { email, password: TEST_PASSWORD, name });

describe('a local account', () => {
  test('is known by its address in any case, and named by it when no name is given', async () => {
    expect(await create(' Ada@Example.ORG ')).toMatchObject({ email: 'ada@example.org', name: 'ada' });
    expect(await create('b@example.org', '  Grace  ')).toMatchObject({ name: 'Grace' });
    expect(await create('c@example.org', '   ')).toMatchObject({ name: 'c' });
    await expect(create('ADA@example.org')).rejects.toMatchObject({ code: 'email_taken' });
    const { personId, token } = await signIn('ADA@EXAMPLE.org ');
    expect((await findSession(deps(), token))?.personId).toBe(personId);
  });

  test('answers a wrong password, an unknown address, one without a password and one switched off alike', async () => {
    const off = await create('off@example.org');
    await db.sql('UPDATE account SET is_active = false WHERE id = $1', [off.id]);
    const none = { email: 'oauth@example.org', name: 'O', passwordHash: null };
    await db.storage().accounts.create(none, clock.now());
    await create('right@example.org');
    const answers = await Promise.all([
      refusalOf(signIn('right@example.org', 'wrong')),
      refusalOf(signIn('nobody@example.org')),
      refusalOf(signIn('oauth@example.org')),
      refusalOf(signIn('oauth@example.org', '')),
      refusalOf(signIn('off@example.org')),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual(['credentials_invalid', 'E-mail or password is wrong']);
  });
});

describe('a password hash of earlier costs', () => {
  const N = 2 ** 14;
  const salt = Buffer.from('0123456789abcdef');
  const key = scryptSync(TEST_PASSWORD, salt, 32, { N, r: 8, p: 1 });
  const earlier = `scrypt$${N}$8$1$${salt.toString('base64')}$${key.toString('base64')}`;
  const hashOf = async (email: string) => (await db.storage().accounts.findByEmail(email))?.passwordHash;

  test('is replaced at the next sign-in, and only by a right password', async () => {
    const email = 'earlier@example.org';
    await db.storage().accounts.create({ email, name: 'E', passwordHash: earlier }, clock.now());
    await expect(signIn(email, 'wrong')).rejects.toMatchObject({ code: 'credentials_invalid' });
    expect(await hashOf(email)).toBe(earlier);
    await signIn(email);
    const replaced = await hashOf(email);
    expect(replaced).toMatch(/^scrypt\$32768\$8\$3\$/);
    await signIn(email);
    expect(await hashOf(email)).toBe(replaced);
  });

  test('stays when it was changed meanwhile', async () => {
    const { accounts } = db.storage();
    const email = 'changed@example.org';
    const { id } = await accounts.create({ email, name: 'C', passwordHash: 'changed' }, clock.now());
    await accounts.replaceHash(id, earlier, 'late');
    expect(await hashOf(email)).toBe('changed');
  });
});

describe('its session', () => {
  test('ends after a day to the second, and no other token is one', async () => {
    await create('day@example.org');
    const { token, expiresAt } = await signIn('day@example.org');
    expect(expiresAt).toBe(clock.now() + 86_400_000);
    clock.pass(86_399);
    expect(await findSession(deps(), token)).not.toBeNull();
    clock.pass(1);
    expect(await findSession(deps(), token)).toBeNull();
    for (const other of ['', `${token}x`, token.replace('plm_', 'xxx_'), token.toUpperCase()])
      expect([other, await findSession(deps(), other)]).toEqual([other, null]);
  });
});

describe('its second factor', () => {
  const step = (): number => Math.floor(clock.now() / 30_000);
  let personId = personIdOf('');
  let secret: Buffer;
  beforeAll(async () => {
    const account = await create('two@example.org');
    personId = account.id;
    secret = totpSecretOf((await beginTotp(deps(), account)).secret);
  });

  test('is not asked for before its first code was confirmed', async () => {
    expect((await signIn('two@example.org')).personId).toBe(personId);
    await settleTotp(deps(), personId, totpCode(secret, step()));
    expect(await refusalOf(signIn('two@example.org'))).toEqual(['totp_required', expect.any(String)]);
  });

  test('is asked for only after the right password: a wrong one tells nothing of it', async () => {
    expect(await refusalOf(signIn('two@example.org', 'wrong', '000000'))).toEqual([
      'credentials_invalid',
      expect.any(String),
    ]);
  });

  test('takes each code once, and one step early or late', async () => {
    clock.pass(120);
    const code = totpCode(secret, step());
    expect((await signIn('two@example.org', TEST_PASSWORD, code)).personId).toBe(personId);
    expect(await refusalOf(signIn('two@example.org', TEST_PASSWORD, code))).toEqual([
      'totp_invalid',
      expect.any(String),
    ]);
    expect((await signIn('two@example.org', TEST_PASSWORD, totpCode(secret, step() + 1))).personId).toBe(personId);
    clock.pass(120);
    expect(await refusalOf(signIn('two@example.org', TEST_PASSWORD, totpCode(secret, step() + 2)))).toEqual([
      'totp_invalid',
      expect.any(String),
    ]);
  });

  test('cannot be begun over while it is on, and its secret is of no use in another account’s row', async () => {
    const account = { id: personId, email: 'two@example.org' };
    await expect(beginTotp(deps(), account)).rejects.toMatchObject({ code: 'totp_enabled' });
    const other = await create('thief@example.org');
    await db.sql('UPDATE account SET totp_secret = (SELECT totp_secret FROM account WHERE id = $2) WHERE id = $1', [
      other.id,
      personId,
    ]);
    await expect(settleTotp(deps(), other.id, totpCode(secret, step()))).rejects.toThrow(/authenticate|unable/i);
  });
});
