import type { Deps } from '../deps.ts';
import { CodedError, notFound } from '../errors.ts';
import type { Stores } from '../storage.ts';
import type { Actor } from './actor.ts';
import { ownOrganisationOf, type PersonId } from './ids.ts';
import { invalidInvitation } from './invalid-invitation.ts';
import { lookAtInvitation, requireAddress } from './look-at-invitation.ts';
import type { Owner } from './owner.ts';

interface Joining {
  owner: Owner;
  by: Actor;
  personId: PersonId;
  /** The session that joins, which goes on. */
  sessionId: string;
}

/**
 * Makes a person a member of the organisation that invited them, and ends their other sessions. Throws
 * `invitation_invalid`, `organisation_has_members`, `invalid_parameter`, `not_found`.
 */
export async function joinOrganisation(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  joining: Joining,
  code: string,
): Promise<void> {
  const { owner, by, personId } = joining;
  const now = clock.now();
  const readers = await storage.inTransaction(async (stores) => {
    const { teams, audit } = stores.tenancy;
    const found = await lookAtInvitation({ teams, clock }, code);
    const account = await stores.accounts.get(personId);
    if (account === null) throw notFound('Account');
    requireAddress(found, account.email);
    await requireNoMembers(stores, joining);
    if (!(await teams.join(found.codeHash, personId, now))) throw invalidInvitation();
    const { organisation, organisationId, role } = found;
    // Each side has a log of its own, and its readers see no other.
    if (organisationId !== owner.organisationId)
      await audit.record(by, 'member_removed', { id: personId, member: account.name, left: 'true' }, now);
    await audit.record({ ...by, organisationId }, 'member_joined', { organisation, role }, now);
    return endOtherSessions(stores, joining, now);
  });
  // Pages that are open show the organisation that was left.
  for (const reader of readers) streams.endSession(reader);
}

/** Throws `organisation_has_members`: they would be left with servers that no founder looks after. */
async function requireNoMembers({ tenancy: { teams } }: Stores, { owner, personId }: Joining): Promise<void> {
  if (owner.organisationId !== ownOrganisationOf(personId)) return;
  await teams.lock(owner);
  if (await teams.hasMembers(personId))
    throw new CodedError('organisation_has_members', 'Your own organisation has further members', {
      remedy: 'Remove them first, or join with another account.',
    });
}

/** Returns all sessions of the person, whose streams must end. */
async function endOtherSessions(
  { identity: { sessionList } }: Stores,
  { personId, sessionId }: Joining,
  now: number,
): Promise<string[]> {
  const ids = (await sessionList.list(personId, now)).map(({ id }) => id);
  for (const id of ids) if (id !== sessionId) await sessionList.revoke(personId, id);
  return ids;
}
