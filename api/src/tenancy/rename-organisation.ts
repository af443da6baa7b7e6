import type { Deps } from '../deps.ts';
import type { Actor } from './actor.ts';
import type { Owner } from './owner.ts';

/** Renames an organisation. */
export async function renameOrganisation(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  name: string,
): Promise<void> {
  await storage.inTransaction(async ({ tenancy }) => {
    await tenancy.teams.rename(owner, name);
    await tenancy.audit.record(by, 'organisation_renamed', { name }, clock.now());
  });
}
