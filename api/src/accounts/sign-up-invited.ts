import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Stores } from '../storage.ts';
import type { PersonId } from '../tenancy/ids.ts';
import { invalidInvitation } from '../tenancy/invalid-invitation.ts';
import { lookAtInvitation, requireAddress } from '../tenancy/look-at-invitation.ts';
import { type LocalAccount, localAccountOf } from './local.ts';
import { hashPassword } from './passwords.ts';
import { type Browser, startSession, type StartedSession } from './sessions/start-session.ts';
import type { NewAccount } from './types.ts';
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
    const personId = await createMember(stores, found.codeHash, { ...account, passwordHash }, clock.now());
    return startSession(stores, clock, { personId, method: 'invitation' }, browser);
  });
}

/**
 * Creates an account and makes it a member of the organisation that invited it. Call it within a transaction, so that a
 * failure costs neither the invitation nor leaves an account. Throws `invitation_invalid`, `email_taken`.
 */
export async function createMember(
  { accounts, tenancy: { teams } }: Pick<Stores, 'accounts' | 'tenancy'>,
  codeHash: Buffer,
  account: NewAccount,
  now: number,
): Promise<PersonId> {
  const { id } = await accounts.create(account, now).catch((error: unknown) => {
    if (!(error instanceof CodedError) || error.code !== 'email_taken') throw error;
    throw new CodedError('email_taken', error.message, {
      field: 'email',
      remedy: 'Sign in with it and open the invitation again.',
    });
  });
  if (!(await teams.join(codeHash, id, now))) throw invalidInvitation();
  return id;
}
