import type { Deps } from '../deps.ts';
import { invalidInvitation } from '../tenancy/invalid-invitation.ts';
import { lookAtInvitation, requireAddress } from '../tenancy/look-at-invitation.ts';
import { type LocalAccount, localAccountOf } from './local.ts';
import { hashPassword } from './passwords.ts';
import { type Browser, startSession, type StartedSession } from './sessions/start-session.ts';
import { requireStrongPassword } from './weak-passwords.ts';

/**
 * Creates the account of an invited person and signs it in. Throws `invitation_invalid`, `email_taken`,
 * `invalid_parameter`, `overloaded`.
 */
export async function signUpInvited(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  code: string,
  given: LocalAccount,
  browser: Browser,
): Promise<StartedSession> {
  const found = await lookAtInvitation({ teams: storage.tenancy.teams, clock }, code);
  const account = localAccountOf(given);
  requireAddress(found, account.email);
  // Before the invitation is used up: a weak password or a full queue must not cost the link.
  await requireStrongPassword(given.password, account.email, 'password');
  const passwordHash = await hashPassword(given.password);
  return storage.inTransaction(async (stores) => {
    const created = await stores.tenancy.teams.signUp(found.codeHash, { ...account, passwordHash }, clock.now());
    if (created === null) throw invalidInvitation();
    return startSession(stores, clock, { personId: created.id, method: 'invitation' }, browser);
  });
}
