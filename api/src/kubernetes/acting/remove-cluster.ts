import { putInForce, type InForceDeps } from '../../alerts/rules/put-in-force.ts';
import type { AlertRules } from '../../alerts/store.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';

/** More rules than an organisation can have. */
const EVERY = { limit: 100_000, offset: 0 };

/**
 * Deletes a cluster: its objects, the servers of its nodes, its alerts, its tokens and the rules that concern only it. Open
 * alerts end as removed: their rows and the messages that wait for them are deleted, so no channel sends "Resolved".
 * Collectors that still run are refused from then on. Throws `not_found`.
 */
export async function removeCluster(
  deps: InForceDeps,
  { owner, by }: { owner: Owner; by: Actor },
  clusterId: string,
): Promise<void> {
  const now = deps.clock.now();
  await deps.storage.inTransaction(async ({ kubernetes: { administration }, servers, alertRules, tenancy }) => {
    const known = await administration.lock(owner, clusterId);
    if (known === null) throw notFound('Cluster');
    for (const id of await rulesOf(alertRules, owner, clusterId)) await alertRules.delete(owner, id);
    for (const key of await administration.serverKeys(known.clusterKey)) await servers.purge(key, now);
    await administration.remove(known.clusterKey);
    const detail = {
      id: clusterId,
      cluster: known.name ?? clusterId,
      nodes: String(known.nodes),
      alerts: String(known.openAlerts),
      tokens: String(known.tokens),
    };
    await tenancy.audit.record(by, 'cluster_removed', detail, now);
  });
  deps.changes.publish(owner.organisationId, { topic: 'kubernetes', serverId: null });
  deps.changes.publish(owner.organisationId, { topic: 'servers', serverId: null });
  await putInForce(deps, owner.organisationId);
}

/** Returns the rules that users wrote for this cluster alone. Those of its custom resources go with it. */
async function rulesOf(alertRules: Pick<AlertRules, 'list'>, owner: Owner, clusterId: string): Promise<string[]> {
  const { rules } = await alertRules.list(owner, EVERY);
  return rules.flatMap(({ id, object, target }) =>
    object === null && 'clusterId' in target && target.clusterId === clusterId ? [id] : [],
  );
}
