import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { INVITATIONS } from '@plimsoll/contract/rules/limits';
import { hashToken, newToken } from '../accounts/tokens.ts';
import type { Deps } from '../deps.ts';
import { CodedError } from '../errors.ts';
import type { Actor } from './actor.ts';
import type { Owner } from './owner.ts';
import type { Invitation } from './types.ts';

/**
 * Invites a member. Returns the code for the link; it is kept as SHA-256, so that nobody can read it again. Throws
 * `plan_limit`.
 */
export async function inviteMember(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  { role, email, days }: Pick<Invitation, 'role' | 'email'> & { days: number },
): Promise<{ invitation: Invitation; code: string }> {
  const code = newToken('invite');
  const now = clock.now();
  const draft = {
    codeHash: hashToken(code),
    role,
    email,
    expiresAt: now + days * DAY_MS,
    createdBy: by.person?.id ?? null,
  };
  const invitation = await storage.inTransaction(async ({ tenancy }) => {
    await tenancy.teams.lock(owner);
    const created = await tenancy.teams.invite(owner, draft, INVITATIONS.open, now);
    if (created === null)
      throw new CodedError('plan_limit', `${String(INVITATIONS.open)} invitations are open, and no more can be`, {
        remedy: 'Withdraw one that nobody will use.',
      });
    await tenancy.audit.record(by, 'member_invited', { id: created.id, role, email: email ?? '' }, now);
    return created;
  });
  return { invitation, code };
}
