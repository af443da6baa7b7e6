import type { Deps } from '../../deps.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';
import type { RuleDraft } from '../types.ts';
import { resolveUnruled } from './resolve-unruled.ts';

/** A line that a track belongs to is known by its place: with other levels the tracks mean something else. */
export const isRewritten = (before: RuleDraft, after: RuleDraft): boolean =>
  before.metric !== after.metric || levelsOf(before) !== levelsOf(after);
const levelsOf = ({ lines }: RuleDraft): string => lines.map(({ level }) => level).join(' ');

export type InForceDeps = Pick<Deps, 'storage' | 'clock' | 'changes' | 'alertRules'>;

/**
 * Puts committed changes of rules into force: drops the cached rules first, then resolves the alerts that no rule covers.
 * `rewritten`: ids of rules with another metric or other levels, whose open alerts are resolved too.
 */
export async function putInForce(
  { storage: { alertStates }, clock, changes, alertRules }: InForceDeps,
  organisationId: OrganisationId,
  rewritten: ReadonlySet<string> = new Set(),
): Promise<void> {
  changes.publish(organisationId, { topic: 'alerts', serverId: null });
  await resolveUnruled({ alertStates, alertRules, changes }, clock.now(), { organisationId, rewritten });
}
