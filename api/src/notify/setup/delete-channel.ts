import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { requireUserChannel } from './require-channel.ts';

/** Deletes a channel with what waits in it. Throws `not_found`, `object_managed`, `channel_managed`. */
export async function deleteChannel(
  { storage, clock }: Pick<Deps, 'storage' | 'clock'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
): Promise<void> {
  await storage.inTransaction(async ({ notify: { channels }, tenancy }) => {
    const { name, type } = await requireUserChannel(channels, owner, id);
    if (!(await channels.delete(owner, id))) throw notFound('Channel');
    await tenancy.audit.record(by, 'channel_deleted', { id, name, type }, clock.now());
  });
}
