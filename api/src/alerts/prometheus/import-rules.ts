import { ALERT_RULE_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import { CUSTOM_LIMITS } from '@plimsoll/contract/rules/custom-resources';
import type { Owner } from '../../accounts/owner.ts';
import type { Storage } from '../../storage.ts';
import { nameOf } from '../../servers/fleet.ts';
import type { Servers } from '../../servers/store.ts';
import { draftOf } from '../rules/rule-draft.ts';
import { DEFAULT_DRAFTS } from '../rules/rules.ts';
import type { AlertRules } from '../store.ts';
import type { AlertRule, RuleDraft } from '../types.ts';
import { readPrometheusRules, type ImportProblem, type ReadRule } from './read-rules.ts';

export interface PlannedRule {
  name: string;
  action: 'created' | 'changed' | 'unchanged';
  /** The rule that is there; null for one to create and for a default rule. */
  before: AlertRule | null;
  draft: RuleDraft;
}
export interface ImportPlan {
  rules: PlannedRule[];
  errors: ImportProblem[];
}

interface Stores {
  alertRules: AlertRules;
  servers: Servers;
  kubernetes: Storage['kubernetes'];
}
/** All rules of an account: the API limits those of users and those of custom resources. */
export const ALL_RULES = { limit: ALERT_RULE_LIMITS.perAccount + 10 * CUSTOM_LIMITS.objects, offset: 0 };

/** Returns what an import of the file would do. Changes nothing. */
export async function planImport(stores: Stores, owner: Owner, yaml: string): Promise<ImportPlan> {
  const read = readPrometheusRules(yaml);
  const [{ rules: existing }, servers, clusters] = await Promise.all([
    stores.alertRules.list(owner, ALL_RULES),
    stores.servers.listAll(owner),
    stores.kubernetes.views.clusters(owner),
  ]);
  const places = {
    server: servers.map(({ server }) => ({ id: server.id, name: nameOf(server) })),
    cluster: clusters.map(({ id, name }) => ({ id, name: name ?? id })),
  };
  const errors = [...read.errors];
  const rules: PlannedRule[] = [];
  const taken = new Set<string>();
  for (const rule of read.rules) {
    const found = withPlaces(rule, places);
    if ('field' in found) {
      errors.push(found);
      continue;
    }
    const planned = planRule(rule, found.draft, existing, taken);
    if ('field' in planned) errors.push(planned);
    else rules.push(planned);
  }
  const own = existing.filter(({ object }) => object === null).length;
  const created = rules.filter(({ action }) => action === 'created').length;
  if (own + created > ALERT_RULE_LIMITS.perAccount)
    errors.push({
      name: 'file',
      field: 'yaml',
      detail: `holds ${String(created)} new rules, and the account has ${String(own)} of at most ${String(ALERT_RULE_LIMITS.perAccount)}. Delete rules first.`,
    });
  return { rules, errors };
}

type Places = Record<'server' | 'cluster', readonly { id: string; name: string }[]>;

/** Returns the rule with the server and the cluster of this account: by id, else by a name that only one has. */
function withPlaces(rule: ReadRule, places: Places): { draft: RuleDraft } | ImportProblem {
  const request = { ...rule.request };
  for (const kind of ['server', 'cluster'] as const) {
    const id = request[`${kind}_id`] ?? null;
    if (id === null || places[kind].some((place) => place.id === id)) continue;
    const name = rule[kind];
    const named = places[kind].filter((place) => place.name === name);
    const [one] = named;
    if (one === undefined || named.length > 1) {
      const problem = one === undefined ? `names no ${kind} of this account` : `names ${String(named.length)} ${kind}s`;
      const called = name === null ? '' : `, and ${JSON.stringify(name)} ${problem}`;
      return {
        name: rule.name,
        field: `${kind}_id`,
        detail: `is no ${kind} of this account${called}. Change it in annotations.plimsoll.`,
      };
    }
    request[`${kind}_id`] = one.id;
  }
  return { draft: draftOf(request) };
}

/** The exported rule by its id, else one with the same metric and target. */
function planRule(
  { name, id }: ReadRule,
  draft: RuleDraft,
  existing: readonly AlertRule[],
  taken: Set<string>,
): PlannedRule | ImportProblem {
  const isDefault = DEFAULT_DRAFTS.some((one) => one.id === id);
  if (isDefault && DEFAULT_DRAFTS.some((one) => contentOf(one) === contentOf(draft)))
    return { name, action: 'unchanged', before: null, draft };
  const free = existing.filter((rule) => !taken.has(rule.id));
  const before = free.find((rule) => rule.id === id) ?? free.find((rule) => placeOf(rule) === placeOf(draft)) ?? null;
  if (before === null) return { name, action: 'created', before, draft };
  taken.add(before.id);
  if (contentOf(before) === contentOf(draft)) return { name, action: 'unchanged', before, draft };
  if (before.object !== null)
    return {
      name,
      field: 'labels.plimsoll_rule',
      detail: `belongs to the custom resource ${before.object.namespace}/${before.object.name}. Change it there, or remove the rule from the file.`,
    };
  return { name, action: 'changed', before, draft };
}

const sorted = (object: object): string =>
  JSON.stringify(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
const placeOf = ({ metric, target }: RuleDraft): string => `${metric} ${sorted(target)}`;
const contentOf = (rule: RuleDraft): string =>
  JSON.stringify([
    placeOf(rule),
    rule.lines.map(({ level, threshold }) => [level, threshold]),
    rule.forMs,
    rule.keepFiringForMs,
    rule.hysteresisPoints,
    rule.enabled,
  ]);
