import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';

/** Revokes a cluster token; its collectors are refused from then on. Throws `not_found`. */
export async function revokeClusterToken(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
): Promise<void> {
  await storage.inTransaction(async ({ kubernetes: { tokens }, tenancy }) => {
    const revoked = await tokens.revoke(owner, id);
    if (revoked === null) throw notFound('Cluster token');
    await tenancy.audit.record(by, 'cluster_token_revoked', { id, name: revoked.name }, clock.now());
  });
}
