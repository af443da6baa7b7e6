import { notFound } from '../../errors.ts';
import { refuseManaged } from '../../kubernetes/managed-object.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { putInForce, type InForceDeps } from './put-in-force.ts';
import { auditedRule } from './rule-target.ts';

/** Deletes an alert rule and resolves its open alerts. Throws `not_found`, `object_managed`. */
export async function deleteRule(
  deps: InForceDeps,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
): Promise<void> {
  await deps.storage.inTransaction(async (stores) => {
    const { tenancy, alertRules } = stores;
    // An import must not plan with a rule that this call deletes.
    await tenancy.teams.lock(owner);
    const rule = await alertRules.get(owner, id);
    refuseManaged('AlertRule', rule?.object ?? null);
    if (rule === null || !(await alertRules.delete(owner, id))) throw notFound('Rule');
    await tenancy.audit.record(by, 'alert_rule_deleted', await auditedRule(stores, owner, rule), deps.clock.now());
  });
  await putInForce(deps, owner.organisationId);
}
