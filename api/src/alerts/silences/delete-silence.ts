import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { refuseManaged } from '../../kubernetes/managed-object.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { auditedSilence } from './audited-silence.ts';

/** Ends a silence; alerts that still fire are sent at once. Throws `not_found`, `object_managed`. */
export async function deleteSilence(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by, personId }: { owner: Owner; by: Actor; personId: PersonId },
  id: string,
): Promise<void> {
  await storage.inTransaction(async (stores) => {
    const { silences, tenancy } = stores;
    const now = clock.now();
    const stored = await silences.get(owner, id);
    refuseManaged('Silence', stored?.object ?? null);
    if (stored === null || !(await silences.delete(owner, id, { personId, now }))) throw notFound('Silence');
    await tenancy.audit.record(by, 'silence_deleted', await auditedSilence(stores, owner, stored), now);
  });
  changes.publish(owner.organisationId, { topic: 'alerts', serverId: null });
}
