import { INVITATIONS } from '@plimsoll/contract/rules/limits';
import type { Clock } from '../clock.ts';
import { CodedError, notFound } from '../errors.ts';
import { type LocalAccount, localAccountOf } from './local.ts';
import type { Owner } from './owner.ts';
import { hashPassword } from './passwords.ts';
import { requireStrongPassword } from './weak-passwords.ts';
import type { Account, Accounts, Teams } from './store.ts';
import { hashToken, newToken, tokenType } from './tokens.ts';
import type { Invitation } from './types.ts';

const DAY_MS = 86_400_000;

export interface InvitationDeps {
  teams: Teams;
  accounts: Pick<Accounts, 'get'>;
  clock: Clock;
}

/** The code for the link. It is kept as SHA-256, so that nobody can read it again. Throws `plan_limit`. */
export async function invite(
  { teams, clock }: Pick<InvitationDeps, 'teams' | 'clock'>,
  owner: Owner,
  { role, email, days }: Pick<Invitation, 'role' | 'email'> & { days: number },
): Promise<{ invitation: Invitation; code: string }> {
  const code = newToken('invite');
  const now = clock.now();
  const draft = { codeHash: hashToken(code), role, email, expiresAt: now + days * DAY_MS };
  const invitation = await teams.invite(owner, draft, INVITATIONS.open, now);
  if (invitation === null)
    throw new CodedError('plan_limit', `${String(INVITATIONS.open)} invitations are open, and no more can be`, {
      remedy: 'Withdraw one that nobody will use.',
    });
  return { invitation, code };
}

/** Throws `invitation_invalid` for unknown, used, expired and withdrawn ones alike. */
export async function lookAt(
  { teams, clock }: Pick<InvitationDeps, 'teams' | 'clock'>,
  code: string,
): Promise<Invitation & { organisation: string; codeHash: Buffer }> {
  const codeHash = hashToken(code);
  const invitation = tokenType(code) === 'invite' ? await teams.peek(codeHash, clock.now()) : null;
  if (invitation === null) throw invalidInvitation();
  return { ...invitation, codeHash };
}

/** Makes the account a member. Throws `invitation_invalid`, `organisation_has_members`. */
export async function join(
  { teams, accounts, clock }: InvitationDeps,
  code: string,
  { self, owner }: { self: Owner; owner: Owner },
): Promise<Invitation & { organisation: string }> {
  const found = await lookAt({ teams, clock }, code);
  const account = await accounts.get(self.accountId);
  if (account === null) throw notFound('Account');
  requireAddress(found, account.email);
  // Its members would be left with servers that no founder looks after.
  if (owner.organisationId === self.accountId && (await teams.hasMembers(self)))
    throw new CodedError('organisation_has_members', 'Your own organisation has further members', {
      remedy: 'Remove them first, or join with another account.',
    });
  if (!(await teams.join(found.codeHash, self, clock.now()))) throw invalidInvitation();
  return found;
}

/** Creates the account of an invited person. Throws `invitation_invalid`, `email_taken`, `overloaded`. */
export async function signUpInvited(
  { teams, clock }: Pick<InvitationDeps, 'teams' | 'clock'>,
  code: string,
  given: LocalAccount,
): Promise<Account & { invitation: Invitation }> {
  const found = await lookAt({ teams, clock }, code);
  const account = localAccountOf(given);
  requireAddress(found, account.email);
  // Before the invitation is used up: a weak password or a full queue must not cost the link.
  await requireStrongPassword(given.password, account.email, 'password');
  const passwordHash = await hashPassword(given.password);
  const created = await teams.signUp(found.codeHash, { ...account, passwordHash }, clock.now());
  if (created === null) throw invalidInvitation();
  return { ...created, invitation: found };
}

function requireAddress({ email }: Invitation, own: string): void {
  if (email !== null && email !== own)
    throw new CodedError('invalid_parameter', 'email: the invitation is for another e-mail address', {
      field: 'email',
      remedy: 'Use the address that was invited, or request an invitation without one.',
    });
}

export const invalidInvitation = (): CodedError =>
  new CodedError('invitation_invalid', 'This invitation is used, expired or withdrawn', {
    remedy: 'Ask an admin of the organisation for a new link.',
  });
