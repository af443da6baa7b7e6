import { matchesScope, type Scope } from '@plimsoll/contract/rules/scope';
import type { Owner } from '../tenancy/owner.ts';
import { subjectOf } from './scope-subject.ts';
import type { Servers } from './store.ts';

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
