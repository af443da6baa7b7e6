import { randomUUID } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { issueClusterToken } from '../cluster-tokens.ts';
import { nameAddresses, refusedRival } from '../rival.ts';

/**
 * Gives the second cluster with the uid of this one an identity of its own, and a token for its collectors. The token is
 * shown once. Nothing of the first cluster changes. Throws `not_found`, `no_second_cluster`.
 */
export async function separateCluster(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by }: { owner: Owner; by: Actor },
  clusterId: string,
): Promise<{ clusterId: string; tokenId: string; token: string }> {
  const now = clock.now();
  const separated = await storage.inTransaction(async ({ kubernetes: { tokens, reports }, tenancy }) => {
    const known = await reports.findForSeparation(owner, clusterId);
    if (known === null) throw notFound('Cluster');
    const rival = refusedRival(known.rival, now);
    if (rival === null)
      throw new CodedError('no_second_cluster', 'No second collector reports for this cluster', {
        remedy: 'Reload the page: the second collector stopped, or somebody separated it before.',
      });
    const name = `copy of ${known.name ?? clusterId} at ${nameAddresses(rival.addresses)}`;
    const issued = await issueClusterToken({ tokens, clock }, owner, {
      name,
      createdBy: by.person?.id ?? null,
    });
    const ownId = randomUUID();
    await reports.separate(known.clusterKey, { clusterId: ownId, name, rival, tokenId: issued.id }, now);
    const detail = {
      id: clusterId,
      cluster: known.name ?? clusterId,
      copy: ownId,
      addresses: nameAddresses(rival.addresses),
    };
    await tenancy.audit.record(by, 'cluster_separated', detail, now);
    return { clusterId: ownId, tokenId: issued.id, token: issued.token };
  });
  changes.publish(owner.organisationId, { topic: 'kubernetes', serverId: null });
  return separated;
}
