import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { Actor } from './actor.ts';
import { endChosen, type AccessChoices, type ReplacedToken } from './end-access.ts';
import { requireNotFounder } from './founder-stays.ts';
import type { Owner } from './owner.ts';

const NOTHING: AccessChoices = { revoke: [], replace: [] };

/**
 * Ends a membership, by an admin or by the member. Ends every session of the account too, so that no open page shows what
 * is no longer its own, and the chosen access that the member made. Returns the new cluster tokens. Throws
 * `founder_stays`, `not_found`, `invalid_parameter`.
 */
export async function removeMember(
  { storage, clock, streams }: Pick<Deps, 'storage' | 'clock' | 'streams'>,
  { owner, by }: { owner: Owner; by: Actor },
  memberId: string,
  choices: AccessChoices = NOTHING,
): Promise<ReplacedToken[]> {
  requireNotFounder(owner, memberId);
  const { readers, replaced } = await storage.inTransaction(async (stores) => {
    const { teams, audit } = stores.tenancy;
    const now = clock.now();
    await teams.lock(owner);
    const member = await teams.remove(owner, memberId);
    if (member === null) throw notFound('Member');
    const isChosen = choices.revoke.length + choices.replace.length > 0;
    const ended = isChosen
      ? await endChosen(stores, { owner, by, personId: memberId, now }, choices)
      : { replaced: [], detail: {} };
    const left = memberId === by.person?.id;
    const detail = { id: memberId, member: member.name, ...(left && { left: 'true' }), ...ended.detail };
    await audit.record(by, 'member_removed', detail, now);
    return { readers: member.readers, replaced: ended.replaced };
  });
  for (const reader of readers) streams.endSession(reader);
  return replaced;
}
