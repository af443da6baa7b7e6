import type { ChannelRequest } from '@plimsoll/contract/wire/notify';
import type { Deps } from '../../deps.ts';
import { CodedError, notFound } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { ChannelState } from '../types.ts';
import { checkChannel } from './check-channel.ts';
import { requireChannel, requireUserChannel } from './require-channel.ts';

/**
 * Replaces a channel; a secret that is left out stays. Throws `not_found`, `object_managed`, `channel_managed`, and
 * `invalid_parameter` with the field.
 */
export async function changeChannel(
  deps: Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'drivers' | 'config'>,
  { owner, by }: { owner: Owner; by: Actor },
  id: string,
  request: ChannelRequest,
): Promise<ChannelState> {
  const { storage, clock } = deps;
  const stored = await requireUserChannel(storage.notify.channels, owner, id);
  if (stored.type !== request.type)
    throw new CodedError('invalid_parameter', 'type: cannot change', {
      field: 'type',
      remedy: `Use ${stored.type}, or add another channel.`,
    });
  const entry = await checkChannel(deps, request, id, stored);
  return storage.inTransaction(async ({ notify: { channels }, tenancy }) => {
    // Settings and secrets are written as the pair that was checked, so the later of two changes at once wins whole.
    if (!(await channels.update(owner, entry, clock.now()))) throw notFound('Channel');
    const { name, type } = entry;
    await tenancy.audit.record(by, 'channel_changed', { id, name, type }, clock.now());
    return requireChannel(channels, owner, id);
  });
}
