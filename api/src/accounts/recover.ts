import type { Clock } from '../clock.ts';
import { ownerOf } from './owner.ts';
import { notFound } from '../errors.ts';
import type { Accounts, SignInCodes } from './store.ts';
import type { Identity } from './store.ts';
import { normaliseEmail } from './local.ts';
import { hashToken, newToken } from './tokens.ts';

const CODE_MS = 15 * 60 * 1000;

export interface RecoverDeps {
  accounts: Accounts;
  signInCodes: SignInCodes;
  identity: Identity;
  clock: Clock;
}

/**
 * Lets the owner of an account back in who lost password or authenticator. Only the server's own terminal reaches this.
 * The code is not bound to a browser: it was read on that terminal. Throws `not_found`.
 */
export async function recoverAccount(
  { accounts, signInCodes, identity, clock }: RecoverDeps,
  email: string,
): Promise<string> {
  const account = await accounts.findByEmail(normaliseEmail(email));
  if (account === null) throw notFound(`Account ${email}`);
  const now = clock.now();
  const owner = ownerOf(account.id);
  await identity.secondFactors.remove(account.id);
  await identity.devices.forget(account.id, null);
  for (const { id } of await identity.sessionList.list(owner, now)) await identity.sessionList.revoke(owner, id);
  const code = newToken('code');
  const entry = { codeHash: hashToken(code), accountId: account.id, bindingHash: null, expiresAt: now + CODE_MS };
  await signInCodes.create(entry, now);
  const trail = { accountId: account.id, action: 'recovered_on_server', address: null, detail: {} };
  await identity.audit.record(trail, now);
  return code;
}
