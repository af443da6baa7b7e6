import { ALERT_RULE_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import { CodedError } from '../../errors.ts';
import type { Stores } from '../../storage.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { AlertRule, RuleDraft } from '../types.ts';
import { putInForce, type InForceDeps } from './put-in-force.ts';
import { auditedRule, requireTarget } from './rule-target.ts';

/** The organisation is locked, so that no other call creates a rule after the count. */
async function requireRoom({ alertRules }: Pick<Stores, 'alertRules'>, owner: Owner): Promise<void> {
  const total = await alertRules.countOwn(owner);
  if (total >= ALERT_RULE_LIMITS.perAccount)
    throw new CodedError('invalid_parameter', `metric: this account has ${String(total)} rules, no more fit`, {
      field: 'metric',
      remedy: 'Delete a rule, or use one rule with a tag for several servers.',
    });
}

/**
 * Creates an alert rule, which overrides less specific rules of its metric. Throws `not_found` for a target that the
 * owner does not have, and `invalid_parameter` when no more rules fit.
 */
export async function createRule(
  deps: InForceDeps,
  { owner, by }: { owner: Owner; by: Actor },
  draft: RuleDraft,
): Promise<AlertRule> {
  const rule = await deps.storage.inTransaction(async (stores) => {
    const { tenancy, alertRules } = stores;
    await tenancy.teams.lock(owner);
    await requireTarget(stores, owner, draft.target);
    await requireRoom(stores, owner);
    const now = deps.clock.now();
    const created = await alertRules.create(owner, draft, now);
    await tenancy.audit.record(by, 'alert_rule_created', await auditedRule(stores, owner, created), now);
    return created;
  });
  await putInForce(deps, owner.organisationId);
  return rule;
}
