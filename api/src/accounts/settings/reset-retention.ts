import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';

/** Resets the retention of an organisation to the defaults. */
export async function resetRetention(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
): Promise<void> {
  await storage.inTransaction(async ({ identity, tenancy }) => {
    await identity.retention.reset(owner);
    await tenancy.audit.record(by, 'retention_changed', { reset: 'true' }, clock.now());
  });
}
