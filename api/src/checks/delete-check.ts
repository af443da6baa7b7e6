import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';

/** Deletes a check with its outages; the next look ends its alerts. Throws `not_found`. */
export async function deleteCheck(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
): Promise<void> {
  await storage.inTransaction(async ({ checks, tenancy }) => {
    const check = await checks.get(owner, id);
    if (check === null || !(await checks.delete(owner, id))) throw notFound('Check');
    await checks.bumpConfig(owner);
    await tenancy.audit.record(by, 'check_deleted', { id, name: check.name, kind: check.kind }, clock.now());
  });
}
