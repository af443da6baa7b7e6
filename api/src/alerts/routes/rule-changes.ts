import type { Deps } from '../../deps.ts';
import { audit } from '../../http/audit.ts';
import type { Http, SignedIn } from '../../http/define-route.ts';
import { resolveUnruled } from '../rules/resolve-unruled.ts';
import { ruleText } from '../rules/rule-text.ts';
import type { AlertRule, RuleDraft } from '../types.ts';

/** A line that a track belongs to is known by its place: with other levels the tracks mean something else. */
export const isRewritten = (before: RuleDraft, after: RuleDraft): boolean =>
  before.metric !== after.metric || levelsOf(before) !== levelsOf(after);
const levelsOf = ({ lines }: RuleDraft): string => lines.map(({ level }) => level).join(' ');

type AuditedChange = 'alert_rule_created' | 'alert_rule_changed' | 'alert_rule_deleted';

/** Puts a change of a rule into force: the cache first, then the alerts that the rule no longer covers. */
export async function applyChange(
  deps: Deps,
  { actor, http }: { actor: SignedIn; http: Http },
  change: { action: AuditedChange; rule: AlertRule; isRewritten?: boolean },
): Promise<void> {
  const { action, rule } = change;
  const { accountId } = actor.owner;
  deps.changes.publish(accountId, { topic: 'alerts', serverId: null });
  await audit(deps, http, accountId, action, {
    id: rule.id,
    by: actor.accountId,
    target: rule.target.kind,
    rule: ruleText(rule),
  });
  const rewrittenRuleId = change.isRewritten === true ? rule.id : null;
  const { alertRules, changes, clock } = deps;
  const { alertStates } = deps.storage;
  await resolveUnruled({ alertStates, alertRules, changes }, clock.now(), { accountId, rewrittenRuleId });
}
