import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';

/** Revokes the token of an install command. Servers that enrolled with it keep reporting. Throws `not_found`. */
export async function revokeEnrolmentToken(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
): Promise<void> {
  await storage.inTransaction(async ({ enrolmentTokens, tenancy }) => {
    if (!(await enrolmentTokens.revoke(owner, id))) throw notFound('Enrolment token');
    await tenancy.audit.record(by, 'enrolment_token_revoked', { id }, clock.now());
  });
}
