import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import { hashToken, tokenType } from '../accounts/tokens.ts';
import { invalidInvitation } from './invalid-invitation.ts';
import type { OrganisationId } from './ids.ts';
import type { Teams } from './store.ts';
import type { Invitation } from './types.ts';

type OpenInvitation = Invitation & { organisationId: OrganisationId; organisation: string; codeHash: Buffer };

/** Finds an invitation by its code. Throws `invitation_invalid` for unknown, used, expired and withdrawn ones alike. */
export async function lookAtInvitation(
  { teams, clock }: { teams: Pick<Teams, 'peek'>; clock: Clock },
  code: string,
): Promise<OpenInvitation> {
  const codeHash = hashToken(code);
  const invitation = tokenType(code) === 'invite' ? await teams.peek(codeHash, clock.now()) : null;
  if (invitation === null) throw invalidInvitation();
  return { ...invitation, codeHash };
}

/** Throws `invalid_parameter` if the invitation is for another address. */
export function requireAddress({ email }: Pick<Invitation, 'email'>, own: string): void {
  if (email !== null && email !== own)
    throw new CodedError('invalid_parameter', 'email: the invitation is for another e-mail address', {
      field: 'email',
      remedy: 'Use the address that was invited, or request an invitation without one.',
    });
}
