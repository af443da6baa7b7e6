import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from './actor.ts';
import type { Owner } from './owner.ts';

/** Withdraws an open invitation. Throws `not_found`. */
export async function withdrawInvitation(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
): Promise<void> {
  await storage.inTransaction(async ({ tenancy }) => {
    const withdrawn = await tenancy.teams.withdraw(owner, id);
    if (withdrawn === null) throw notFound('Invitation');
    const detail = { id, role: withdrawn.role, email: withdrawn.email ?? '' };
    await tenancy.audit.record(by, 'invitation_withdrawn', detail, clock.now());
  });
}
