import { notFound } from '../../errors.ts';
import { refuseManaged } from '../../kubernetes/managed-object.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { AlertRule, RuleDraft } from '../types.ts';
import { isRewritten, putInForce, type InForceDeps } from './put-in-force.ts';
import { auditedRule, requireTarget } from './rule-target.ts';

/**
 * Replaces an alert rule and resolves open alerts that it no longer covers. Throws `not_found` for the rule or its
 * target, and `object_managed`.
 */
export async function updateRule(
  deps: InForceDeps,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
  draft: RuleDraft,
): Promise<AlertRule> {
  const { before, rule } = await deps.storage.inTransaction(async (stores) => {
    const { tenancy, alertRules } = stores;
    // An import must not plan with a rule that this call replaces.
    await tenancy.teams.lock(owner);
    const stored = await alertRules.get(owner, id);
    if (stored === null) throw notFound('Rule');
    refuseManaged('AlertRule', stored.object);
    await requireTarget(stores, owner, draft.target);
    const now = deps.clock.now();
    const updated = await alertRules.update(owner, id, draft, now);
    if (updated === null) throw notFound('Rule');
    await tenancy.audit.record(by, 'alert_rule_changed', await auditedRule(stores, owner, updated), now);
    return { before: stored, rule: updated };
  });
  await putInForce(deps, owner.organisationId, new Set(isRewritten(before, rule) ? [rule.id] : []));
  return rule;
}
