import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';

/**
 * Gives a cluster the name that every screen shows; null returns to the name that its collector reports. Returns the name
 * shown from then on; null: the collector reports none. Throws `not_found`.
 */
export async function renameCluster(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by }: { owner: Owner; by: Actor },
  { clusterId, name }: { clusterId: string; name: string | null },
): Promise<string | null> {
  const shown = await storage.inTransaction(async ({ kubernetes: { administration }, tenancy }) => {
    const known = await administration.lock(owner, clusterId);
    if (known === null) throw notFound('Cluster');
    const isSame = name === null ? !known.isRenamed : known.isRenamed && known.name === name;
    if (isSame) return known.name;
    const next = await administration.rename(known.clusterKey, name);
    const detail = { id: clusterId, cluster: known.name ?? clusterId, to: next ?? clusterId };
    await tenancy.audit.record(by, 'cluster_renamed', detail, clock.now());
    return next;
  });
  changes.publish(owner.organisationId, { topic: 'kubernetes', serverId: null });
  return shown;
}
