import { ALERT_RULE_LIMITS, RULE_IMPORT_LIMITS } from '@plimsoll/contract/rules/alert-rule-limits';
import { CUSTOM_LIMITS } from '@plimsoll/contract/rules/custom-resources';
import { draftOf } from '../rules/rule-draft.ts';
import { DEFAULT_DRAFTS } from '../rules/rules.ts';
import type { AlertRule, RuleDraft } from '../types.ts';
import type { ImportProblem, ReadRule, ReadRules } from './read-rules.ts';

export interface PlannedRule {
  name: string;
  action: 'created' | 'changed' | 'unchanged';
  /** The rule that is there; null for one to create and for a default rule. */
  before: AlertRule | null;
  draft: RuleDraft;
}
export interface ImportPlan {
  rules: PlannedRule[];
  /** At most `RULE_IMPORT_LIMITS.errors`. */
  errors: ImportProblem[];
  /** Rules that were not read or not planned. */
  notChecked: number;
}

/** Servers and clusters of an account, for the targets of rules. */
export type Places = Record<'server' | 'cluster', readonly { id: string; name: string }[]>;

/** All rules of an account: the API limits those of users and those of custom resources. */
export const ALL_RULES = { limit: ALERT_RULE_LIMITS.perAccount + 10 * CUSTOM_LIMITS.objects, offset: 0 };

const DEFAULT_IDS: ReadonlySet<string> = new Set(DEFAULT_DRAFTS.map(({ id }) => id));

/** Returns the ids of rules that an import changes or leaves alone, the default rules among them. */
export const knownIds = (existing: readonly AlertRule[]): ReadonlySet<string> =>
  new Set([...DEFAULT_IDS, ...existing.map(({ id }) => id)]);

/** Returns what an import of the rules would do. `existing`: all rules of the account. */
export function planImport(read: ReadRules, existing: readonly AlertRule[], places: Places): ImportPlan {
  const errors = [...read.errors];
  const rules: PlannedRule[] = [];
  let { notChecked } = read;
  const choose = chooserOf(existing);
  for (const rule of read.rules) {
    if (errors.length >= RULE_IMPORT_LIMITS.errors) {
      notChecked += 1;
      continue;
    }
    const found = withPlaces(rule, places);
    const planned = 'field' in found ? found : planRule(rule, found.draft, choose);
    if ('field' in planned) errors.push(planned);
    else rules.push(planned);
  }
  const own = existing.filter(({ object }) => object === null).length;
  const created = rules.filter(({ action }) => action === 'created').length;
  if (own + created > ALERT_RULE_LIMITS.perAccount && errors.length < RULE_IMPORT_LIMITS.errors)
    errors.push({
      name: 'file',
      field: 'yaml',
      detail: `holds ${String(created)} new rules, and the account has ${String(own)} of at most ${String(ALERT_RULE_LIMITS.perAccount)}. Delete rules first.`,
    });
  return { rules, errors, notChecked };
}

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

type Choose = (id: string | null, draft: RuleDraft) => AlertRule | null;

/** Returns a function that chooses the exported rule by its id, else one with the same metric and target; each once. */
function chooserOf(existing: readonly AlertRule[]): Choose {
  const byId = new Map(existing.map((rule) => [rule.id, rule]));
  const byPlace = Map.groupBy(existing, placeOf);
  const taken = new Set<string>();
  return (id, draft) => {
    const same = id === null ? undefined : byId.get(id);
    const free = same === undefined || taken.has(same.id) ? undefined : same;
    const chosen = free ?? byPlace.get(placeOf(draft))?.find((rule) => !taken.has(rule.id)) ?? null;
    if (chosen !== null) taken.add(chosen.id);
    return chosen;
  };
}

function planRule({ name, id }: ReadRule, draft: RuleDraft, choose: Choose): PlannedRule | ImportProblem {
  if (id !== null && DEFAULT_IDS.has(id) && DEFAULT_CONTENTS.has(contentOf(draft)))
    return { name, action: 'unchanged', before: null, draft };
  const before = choose(id, draft);
  if (before === null) return { name, action: 'created', before, draft };
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
const DEFAULT_CONTENTS: ReadonlySet<string> = new Set(DEFAULT_DRAFTS.map(contentOf));
