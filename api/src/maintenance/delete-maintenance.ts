import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';

/**
 * Ends a maintenance and its running period; alerts that still fire are sent at once. Periods that are over stay, because
 * availability leaves them out. Throws `not_found`.
 */
export async function deleteMaintenance(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
): Promise<void> {
  await storage.inTransaction(async ({ maintenances, tenancy }) => {
    const now = clock.now();
    const stored = await maintenances.get(owner, id);
    if (stored === null || !(await maintenances.delete(owner, id, now))) throw notFound('Maintenance');
    await tenancy.audit.record(by, 'maintenance_deleted', { id, name: stored.name }, now);
  });
  changes.publish(owner.organisationId, { topic: 'alerts', serverId: null });
}
