import { ALERT_RULE_METRICS } from '@plimsoll/contract/rules/alert-rule-limits';
import type { ChangeFeed } from '../../live/change-feed.ts';
import { isInForce } from './effective-rules.ts';
import { withoutRules } from '../evaluation/evaluate.ts';
import type { RuleCache } from '../rule-cache.ts';
import type { AlertStates } from '../store.ts';
import type { AlertChange, OpenAlert } from '../types.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

interface Deps {
  alertStates: AlertStates;
  alertRules: RuleCache;
  changes: ChangeFeed;
}
interface Scope {
  /** null: every account. */
  organisationId: OrganisationId | null;
  /** Ids of rules that were rewritten: their alerts are resolved although they are in force. */
  rewritten: ReadonlySet<string>;
}

const MOST_TRIES = 5;

/**
 * Resolves open alerts whose rule was deleted, is disabled, or is overridden by another one. Returns how many. The job
 * repeats it, so an alert that another process opened with the rules from before the change is resolved too.
 */
export async function resolveUnruled(
  deps: Deps,
  now: number,
  { organisationId, rewritten }: Scope = { organisationId: null, rewritten: new Set() },
): Promise<number> {
  const open = await deps.alertStates.listOpen(ALERT_RULE_METRICS, organisationId);
  let resolved = 0;
  for (const [serverKey, alerts] of Map.groupBy(open, (alert) => alert.serverKey)) {
    const [first] = alerts;
    if (first === undefined) continue;
    const rules = (await deps.alertRules.of(first.organisationId)).of(first.serverId);
    const unruled = alerts.filter(
      ({ rule, metric, subject }) => rewritten.has(rule) || !isInForce(rules, rule, metric, subject),
    );
    if (unruled.length === 0 || !(await resolve(deps.alertStates, serverKey, unruled, now))) continue;
    resolved += unruled.length;
    deps.changes.publish(first.organisationId, { topic: 'alerts', serverId: first.serverId });
  }
  return resolved;
}

/** False: reports of the server kept changing the state. The next run of the job tries again. */
async function resolve(
  states: AlertStates,
  serverKey: number,
  alerts: readonly OpenAlert[],
  now: number,
): Promise<boolean> {
  const ids = new Set(alerts.map(({ rule }) => rule));
  const changes = alerts.map(({ rule, metric, subject, level, title, message, value, threshold }): AlertChange => ({
    kind: 'resolved',
    at: now,
    rule,
    metric,
    subject,
    level,
    title,
    message,
    value,
    threshold,
  }));
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    const known = await states.load(serverKey, [now]);
    if (await states.save(serverKey, known.version, withoutRules(ids, known.tracks), changes)) return true;
  }
  return false;
}
