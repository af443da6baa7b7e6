import type { Deps } from '../../deps.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { PersonId } from '../../tenancy/ids.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { Silence } from '../silence-match.ts';
import { auditedSilence } from './audited-silence.ts';
import { requireRoomForSilences } from './require-room.ts';
import { silenceDraft, type SilenceInput } from './silence-input.ts';

/**
 * Silences alerts until a time. Throws `not_found` for a server, cluster or alert that the owner does not have,
 * `invalid_parameter` for the period, and `plan_limit`.
 */
export async function createSilence(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by, personId }: { owner: Owner; by: Actor; personId: PersonId },
  input: SilenceInput,
): Promise<Silence> {
  const silence = await storage.inTransaction(async (stores) => {
    const now = clock.now();
    const draft = await silenceDraft(stores, owner, input, { now, stored: null });
    await requireRoomForSilences(stores, owner, 1, now);
    const created = await stores.silences.create(owner, draft, { personId, now });
    await stores.tenancy.audit.record(by, 'silence_created', await auditedSilence(stores, owner, created), now);
    return created;
  });
  changes.publish(owner.organisationId, { topic: 'alerts', serverId: null });
  return silence;
}
