import { matchesScope, type Scope, type ScopedSubject } from '@plimsoll/contract/rules/scope';
import type { Owner } from '../accounts/owner.ts';
import { serverStatus } from './server-status.ts';
import type { Servers } from './store.ts';
import type { ScopeFacts } from './types.ts';

export const subjectOf = (facts: ScopeFacts, now: number): ScopedSubject => ({
  tags: facts.tags,
  region: facts.region,
  clusters: facts.clusters,
  status: serverStatus(facts, now),
});

/** Returns the keys of the owner's servers in the scope; undefined if that is every server, whose sums are stored. */
export async function serversInScope(
  servers: Servers,
  owner: Owner,
  scope: Scope | undefined,
  now: number,
): Promise<readonly number[] | undefined> {
  if (scope === undefined || scope.length === 0) return undefined;
  const facts = await servers.scopeFacts(owner);
  const chosen = facts.filter((server) => matchesScope(subjectOf(server, now), scope));
  return chosen.length === facts.length ? undefined : chosen.map(({ key }) => key);
}
