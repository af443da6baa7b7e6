import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { normaliseEmail } from './normalise-email.ts';
import { hashToken, newToken } from './tokens.ts';

const CODE_MS = 15 * 60 * 1000;

/**
 * Lets the owner of an account back in who lost password or authenticator. Only the server's own terminal reaches this.
 * The code is not bound to a browser: it was read on that terminal. Throws `not_found`.
 */
export async function recoverAccount(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  email: string,
): Promise<string> {
  const code = newToken('code');
  await storage.inTransaction(async ({ accounts, signInCodes, identity, tenancy }) => {
    const now = clock.now();
    const account = await accounts.findByEmail(normaliseEmail(email));
    const member = account && (await tenancy.teams.memberOf(account.id));
    if (account === null || member === null) throw notFound(`Account ${email}`);
    const { id: personId } = account;
    await identity.secondFactors.remove(personId);
    await identity.devices.forget(personId, null);
    for (const { id } of await identity.sessionList.list(personId, now))
      await identity.sessionList.revoke(personId, id);
    const entry = { codeHash: hashToken(code), personId, bindingHash: null, expiresAt: now + CODE_MS };
    await signInCodes.create(entry, now);
    const by = { organisationId: member.organisationId, person: null, token: null, address: null };
    await tenancy.audit.record(by, 'recovered_on_server', { account: account.email }, now);
  });
  return code;
}
