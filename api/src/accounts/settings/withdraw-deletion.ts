import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';

/** Cancels the planned deletion of the caller's account, if one is planned. */
export async function withdrawDeletion(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { by, personId }: { by: Actor; personId: PersonId },
): Promise<void> {
  await storage.inTransaction(async ({ identity: { accountDeletion }, tenancy }) => {
    if ((await accountDeletion.deletionAt(personId)) === null) return;
    await accountDeletion.planDeletion(personId, null);
    await tenancy.audit.record(by, 'deletion_withdrawn', {}, clock.now());
  });
}
