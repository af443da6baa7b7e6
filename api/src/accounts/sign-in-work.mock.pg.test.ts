import * as crypto from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';
import { TestClock, TEST_PASSWORD } from '../testing/app.ts';
import { noLimits } from '../testing/no-limits.ts';
import { testStorage } from '../testing/postgres.ts';
import { FailedSignIns } from './failed-sign-ins.ts';
import { createLocalAccount, signInLocally, type LocalDeps } from './local.ts';
import { SecretBox, SEALING_KEY_BYTES } from './secret-encryption.ts';

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>();
  return { ...original, scrypt: vi.fn<typeof crypto.scrypt>(original.scrypt) };
});

const db = testStorage();
const clock = new TestClock();
const secretBox = new SecretBox(Buffer.alloc(SEALING_KEY_BYTES, 3));

function deps() {
  const storage = db.storage();
  const local: LocalDeps = { storage, clock, secretBox, rates: noLimits(), failedSignIns: new FailedSignIns() };
  return { ...local, accounts: storage.accounts };
}

/** Returns the key length and the costs of each derivation that a refused sign-in caused. */
async function derivationsOf(email: string, password: string): Promise<unknown[]> {
  vi.mocked(crypto.scrypt).mockClear();
  const attempt = { email, password, address: '203.0.113.1', network: '203.0.113.1', userAgent: null };
  await expect(signInLocally(deps(), attempt)).rejects.toMatchObject({ code: 'credentials_invalid' });
  return vi.mocked(crypto.scrypt).mock.calls.map(([, , keyBytes, costs]) => ({ keyBytes, costs }));
}

beforeEach(() => db.sql('DELETE FROM account'));

// Counts the work instead of timing it: a timed test is not reliable on a busy machine.
test('a refused sign-in derives one key at the same cost, whether the account exists or not', async () => {
  await createLocalAccount(deps(), { email: 'known@example.org', password: TEST_PASSWORD });
  const off = await createLocalAccount(deps(), { email: 'off@example.org', password: TEST_PASSWORD });
  await db.sql('UPDATE account SET is_active = false WHERE id = $1', [off.id]);
  const withoutPassword = { email: 'oauth@example.org', name: 'O', passwordHash: null };
  await db.storage().accounts.create(withoutPassword, clock.now());

  const known = await derivationsOf('known@example.org', 'wrong');
  expect(known).toEqual([{ keyBytes: 32, costs: expect.objectContaining({ N: 2 ** 15, r: 8, p: 3 }) as unknown }]);
  expect(await derivationsOf('nobody@example.org', 'wrong')).toEqual(known);
  expect(await derivationsOf('oauth@example.org', 'wrong')).toEqual(known);
  expect(await derivationsOf('off@example.org', TEST_PASSWORD)).toEqual(known);
});
