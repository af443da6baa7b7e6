import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { refuseManaged } from '../../kubernetes/managed-object.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { Silence } from '../silence-match.ts';
import { auditedSilence } from './audited-silence.ts';
import { requireRoomForSilences } from './require-room.ts';
import { silenceDraft, type SilenceInput } from './silence-input.ts';

/**
 * Replaces a silence; alerts that it no longer matches are sent at once. Throws `not_found` for the silence or what it
 * names, `invalid_parameter` for the period, `plan_limit` for one that has ended, and `object_managed`.
 */
export async function updateSilence(
  { storage, clock, changes }: Pick<Deps, 'storage' | 'clock' | 'changes'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
  input: SilenceInput,
): Promise<Silence> {
  const silence = await storage.inTransaction(async (stores) => {
    const now = clock.now();
    const stored = await stores.silences.get(owner, id);
    if (stored === null) throw notFound('Silence');
    refuseManaged('Silence', stored.object);
    const draft = await silenceDraft(stores, owner, input, { now, stored });
    // The limit counts silences that have not ended, so a new end can make one more of them.
    if (stored.endsAt <= now) await requireRoomForSilences(stores, owner, 1, now);
    const updated = await stores.silences.update(owner, id, draft, now);
    if (updated === null) throw notFound('Silence');
    await stores.tenancy.audit.record(by, 'silence_changed', await auditedSilence(stores, owner, updated), now);
    return updated;
  });
  changes.publish(owner.organisationId, { topic: 'alerts', serverId: null });
  return silence;
}
