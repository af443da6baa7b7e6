import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from './actor.ts';
import { requireNotFounder } from './founder-stays.ts';
import type { Owner } from './owner.ts';
import type { Role } from './role.ts';

/** Changes the role of a member. Throws `founder_stays`, `not_found`. */
export async function changeRole(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  { memberId, role }: { memberId: string; role: Role },
): Promise<void> {
  requireNotFounder(owner, memberId);
  await storage.inTransaction(async ({ tenancy }) => {
    const changed = await tenancy.teams.setRole(owner, memberId, role);
    if (changed === null) throw notFound('Member');
    await tenancy.audit.record(by, 'member_changed', { id: memberId, member: changed.name, role }, clock.now());
  });
}
