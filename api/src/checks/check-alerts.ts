import { isCheckMetric } from '@plimsoll/contract/rules/alert-rule-limits';
import type { RuleCache } from '../alerts/rule-cache.ts';
import type { CheckAlertChange, CheckAlerts, OpenCheckAlert } from '../alerts/store.ts';
import type { ChangeFeed } from '../live/change-feed.ts';
import type { OrganisationId } from '../tenancy/ids.ts';
import type { CheckWorkloads } from './store.ts';
import { type CheckFacts, checkRules, wantedAlerts, type WantedAlert } from './rules/wanted-alerts.ts';

export interface CheckAlertDeps {
  checkAlerts: CheckAlerts;
  checkWorkloads: CheckWorkloads;
  alertRules: RuleCache;
  changes: ChangeFeed;
}
type Facts = Omit<CheckFacts, 'openLines'>;

interface Synced {
  changed: number;
  /** Checks that became slow or are slow no more, by key. */
  slow: Map<number, number | null>;
}

/** Opens, changes and ends the alerts of checks as they are now. Returns how many alerts changed. */
export async function syncCheckAlerts(deps: CheckAlertDeps, facts: readonly Facts[], now: number): Promise<Synced> {
  const open = await deps.checkAlerts.listOpen();
  const byOwner = Map.groupBy(facts, ({ check }) => check.organisationId);
  let changed = 0;
  const slow = new Map<number, number | null>();
  for (const organisationId of new Set([...byOwner.keys(), ...open.map((alert) => alert.organisationId)])) {
    const own = open.filter((alert) => alert.organisationId === organisationId);
    const rules = checkRules((await deps.alertRules.of(organisationId)).rules);
    const changes = changesOf(byOwner.get(organisationId) ?? [], own, rules, { now, slow });
    // Its incident may change with its server while the alert stays.
    if (changes.length === 0 && own.length === 0) continue;
    const alerted = new Set([...changes, ...own].map(({ checkId }) => checkId));
    const checks = (byOwner.get(organisationId) ?? []).map(({ check }) => check).filter(({ id }) => alerted.has(id));
    const served = await deps.checkWorkloads.of(organisationId, checks);
    const saved = await deps.checkAlerts.save(organisationId, changes, served, now);
    changed += saved;
    if (saved > 0) publish(deps.changes, organisationId);
  }
  return { changed, slow };
}

const publish = (changes: ChangeFeed, organisationId: OrganisationId): void =>
  changes.publish(organisationId, { topic: 'alerts', serverId: null });

function changesOf(
  facts: readonly Facts[],
  open: readonly OpenCheckAlert[],
  rules: ReturnType<typeof checkRules>,
  { now, slow }: { now: number; slow: Synced['slow'] },
): CheckAlertChange[] {
  const changes: CheckAlertChange[] = [];
  const seen = new Set<OpenCheckAlert>();
  for (const fact of facts) {
    const { id, name } = fact.check;
    const own = open.filter(({ checkId }) => checkId === id);
    const openLines = new Map(
      own.flatMap(({ metric, threshold }) => (isCheckMetric(metric) ? [[metric, threshold] as const] : [])),
    );
    const { wanted, unchanged, slowSince } = wantedAlerts({ ...fact, openLines }, rules, now);
    if (slowSince !== fact.state.slowSince) slow.set(fact.check.key, slowSince);
    for (const alert of wanted) {
      const before = own.find(({ metric, rule }) => metric === alert.metric && rule === alert.rule);
      if (before !== undefined) seen.add(before);
      if (before !== undefined && isSame(before, alert)) continue;
      changes.push({ ...alert, kind: before === undefined ? 'opened' : 'updated', checkId: id, name, at: now });
    }
    for (const alert of own)
      if (unchanged.some((metric) => metric === alert.metric) && isCheckMetric(alert.metric) && rules.has(alert.metric))
        seen.add(alert);
  }
  for (const alert of open) {
    if (seen.has(alert)) continue;
    const { checkId, rule, metric, level, value, threshold } = alert;
    const name = facts.find(({ check }) => check.id === checkId)?.check.name ?? '';
    const message = name === '' ? 'The check was deleted or switched off' : `${name}: back to normal`;
    changes.push({
      kind: 'resolved',
      checkId,
      name,
      rule,
      metric,
      level,
      title: '',
      message,
      value,
      threshold,
      at: now,
    });
  }
  return changes;
}

/** A certificate has one day less each day: only another line or another reason is news. */
const isSame = (before: OpenCheckAlert, alert: WantedAlert): boolean =>
  before.level === alert.level &&
  before.threshold === alert.threshold &&
  (before.message === alert.message ||
    (alert.value !== null && Math.floor(before.value ?? 0) === Math.floor(alert.value)));
