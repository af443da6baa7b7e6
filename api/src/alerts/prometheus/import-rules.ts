import { CodedError } from '../../errors.ts';
import { nameOf } from '../../servers/fleet.ts';
import type { Stores } from '../../storage.ts';
import type { Actor } from '../../tenancy/actor.ts';
import { nameList } from '../../tenancy/name-list.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { isRewritten, putInForce, type InForceDeps } from '../rules/put-in-force.ts';
import { targetWords } from '../rules/rule-target.ts';
import { ruleText } from '../rules/rule-text.ts';
import type { AlertRule } from '../types.ts';
import { ALL_RULES, knownIds, planImport, type ImportPlan, type Places, type PlannedRule } from './plan-import.ts';
import { readPrometheusRules, type ReadRules } from './read-rules.ts';

/** A plan, with the ids of the rules that were created. */
interface ImportResult extends ImportPlan {
  ids: ReadonlyMap<PlannedRule, string>;
}

/** The planned rules by what an import does with them. */
export const ofAction = (rules: readonly PlannedRule[], action: PlannedRule['action']): PlannedRule[] =>
  rules.filter((rule) => rule.action === action);

/** Returns what an import of the file would do. Writes nothing. */
export async function rehearseImport({ storage }: InForceDeps, owner: Owner, yaml: string): Promise<ImportResult> {
  const read = await readFile(storage, owner, yaml);
  return { ...planImport(read, ...(await accountOf(storage, owner))), ids: new Map() };
}

/**
 * Imports all rules of a file that the export wrote, or none. Throws `invalid_parameter` with the first error of the
 * file, and `rules_changed`.
 */
export async function importRules(
  deps: InForceDeps,
  { owner, by }: { owner: Owner; by: Actor },
  yaml: string,
): Promise<ImportResult> {
  const read = await readFile(deps.storage, owner, yaml);
  const { result, rewritten, isChanged } = await deps.storage.inTransaction(async (stores) => {
    const { tenancy } = stores;
    // Every call that writes rules takes this lock, so the plan stays true until it is carried out.
    await tenancy.teams.lock(owner);
    const [existing, places] = await accountOf(stores, owner);
    const planned = planImport(read, existing, places);
    refuseErrors(planned);
    const now = deps.clock.now();
    const saved = await save(stores, owner, planned.rules, now);
    const names = [...saved.created, ...saved.changed].map((rule) => nameOfRule(rule, places));
    const counts = { created: String(saved.created.length), changed: String(saved.changed.length) };
    if (names.length > 0)
      await tenancy.audit.record(by, 'alert_rules_imported', { ...counts, rules: nameList(names) }, now);
    return { result: { ...planned, ids: saved.ids }, rewritten: saved.rewritten, isChanged: names.length > 0 };
  });
  if (isChanged) await putInForce(deps, owner.organisationId, rewritten);
  return result;
}

/** Rules that exist do not count as new ones, so their ids are read before the file. */
async function readFile({ alertRules }: Pick<Stores, 'alertRules'>, owner: Owner, yaml: string): Promise<ReadRules> {
  const { rules } = await alertRules.list(owner, ALL_RULES);
  return readPrometheusRules(yaml, knownIds(rules));
}

/** Returns all rules of the account, and what they can target. */
async function accountOf(
  { alertRules, servers, kubernetes }: Pick<Stores, 'alertRules' | 'servers' | 'kubernetes'>,
  owner: Owner,
): Promise<[existing: AlertRule[], places: Places]> {
  const { rules } = await alertRules.list(owner, ALL_RULES);
  const fleet = await servers.listAll(owner);
  const clusters = await kubernetes.views.clusters(owner);
  const places = {
    server: fleet.map(({ server }) => ({ id: server.id, name: nameOf(server) })),
    cluster: clusters.map(({ id, name }) => ({ id, name: name ?? id })),
  };
  return [rules, places];
}

function nameOfRule(rule: AlertRule, places: Places): string {
  const { target } = rule;
  const nameIn = (kind: keyof Places, id: string | null): string | null =>
    places[kind].find((place) => place.id === id)?.name ?? null;
  const on = targetWords(target, {
    server: nameIn('server', 'serverId' in target ? target.serverId : null),
    cluster: nameIn('cluster', 'clusterId' in target ? target.clusterId : null),
  });
  return `“${ruleText(rule)}”${on === '' ? '' : ` for ${on}`}`;
}

function refuseErrors({ rules, errors, notChecked }: ImportPlan): void {
  const [first] = errors;
  if (first === undefined) return;
  const total = String(rules.length + errors.length + notChecked);
  const wrong = `${notChecked > 0 ? 'At least ' : ''}${String(errors.length)} of ${total} rules are wrong`;
  throw new CodedError(
    'invalid_parameter',
    `yaml: ${first.name}: ${first.field} ${first.detail} ${wrong}, so none is imported`,
    { field: 'yaml', remedy: 'Correct the file. With dry_run the call lists the errors.' },
  );
}

interface Saved {
  created: AlertRule[];
  changed: AlertRule[];
  ids: Map<PlannedRule, string>;
  /** Ids of rules with another metric or other levels. */
  rewritten: Set<string>;
}

/** Throws `rules_changed` if a rule is gone: a server that is deleted takes its rules along. */
async function save(
  { alertRules }: Pick<Stores, 'alertRules'>,
  owner: Owner,
  rules: readonly PlannedRule[],
  now: number,
): Promise<Saved> {
  const created = ofAction(rules, 'created');
  const changes = rules.flatMap(({ action, before, draft }) =>
    action === 'changed' && before !== null ? [{ before, draft }] : [],
  );
  const wanted = {
    created: created.map(({ draft }) => draft),
    changed: changes.map(({ before, draft }) => ({ id: before.id, draft })),
  };
  const saved = await alertRules.saveAll(owner, wanted, now);
  if (saved === null)
    throw new CodedError('rules_changed', 'A rule was deleted while the file was read, so nothing was imported', {
      remedy: 'Import the file again.',
    });
  const ids = new Map<PlannedRule, string>();
  for (const [index, { id }] of saved.created.entries()) {
    const planned = created[index];
    if (planned !== undefined) ids.set(planned, id);
  }
  const rewritten = changes.flatMap(({ before, draft }) => (isRewritten(before, draft) ? [before.id] : []));
  return { ...saved, ids, rewritten: new Set(rewritten) };
}
