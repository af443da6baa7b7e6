import type { AlertRules } from '../alerts/store.ts';
import { putInForce, type InForceDeps } from '../alerts/rules/put-in-force.ts';
import { notFound } from '../errors.ts';
import type { ObjectName } from '../kubernetes/object-rows.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { isOwnTarget } from './authority.ts';

/** More rules than an organisation can have. */
const EVERY = { limit: 100_000, offset: 0 };

/**
 * Lets the custom resources of a cluster set rules of the whole organisation, or ends that and deletes the rules that they
 * set. Throws `not_found`.
 */
export async function changePermission(
  deps: InForceDeps,
  { owner, by }: { owner: Owner; by: Actor },
  { clusterId, allowed }: { clusterId: string; allowed: boolean },
): Promise<void> {
  const isChanged = await deps.storage.inTransaction(async ({ managedObjects, alertRules, tenancy }) => {
    const now = deps.clock.now();
    const set = await managedObjects.setRulesOrganisation(owner, clusterId, allowed);
    if (set === null) throw notFound('Cluster');
    if (!set.isChanged) return false;
    if (!allowed)
      await alertRules.ofObjects.deleteOthers(set.cluster, await ownRules(alertRules, owner, clusterId), now);
    const detail = { id: clusterId, cluster: set.name ?? clusterId, organisation_rules: allowed ? 'on' : 'off' };
    await tenancy.audit.record(by, 'cluster_changed', detail, now);
    return true;
  });
  if (isChanged && !allowed) await putInForce(deps, owner.organisationId);
}

/** Returns the objects of the cluster whose rules concern no more than the cluster. */
async function ownRules(alertRules: Pick<AlertRules, 'list'>, owner: Owner, clusterId: string): Promise<ObjectName[]> {
  const { rules } = await alertRules.list(owner, EVERY);
  return rules.flatMap(({ object, target }) =>
    object !== null && object.clusterId === clusterId && isOwnTarget(target) ? [object] : [],
  );
}
