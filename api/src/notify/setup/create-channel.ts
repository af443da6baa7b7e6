import { randomUUID } from 'node:crypto';
import { NOTIFY_LIMITS } from '@plimsoll/contract/rules/notify';
import type { ChannelRequest } from '@plimsoll/contract/wire/notify';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { ChannelState } from '../types.ts';
import { checkChannel } from './check-channel.ts';
import { requireChannel } from './require-channel.ts';

/** Creates a channel. Throws `invalid_parameter` with the field, `plan_limit`. */
export async function createChannel(
  deps: Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'drivers' | 'config'>,
  { owner, by }: { owner: Owner; by: Actor },
  request: ChannelRequest,
): Promise<ChannelState> {
  const { storage, clock } = deps;
  const entry = await checkChannel(deps, request, randomUUID(), null);
  return storage.inTransaction(async ({ notify: { channels }, tenancy }) => {
    await tenancy.teams.lock(owner);
    if ((await channels.list(owner)).length >= NOTIFY_LIMITS.channels)
      throw new CodedError('plan_limit', `An account has at most ${String(NOTIFY_LIMITS.channels)} channels`, {
        remedy: 'Delete a channel first.',
      });
    const { id, name, type } = entry;
    await channels.create(owner, entry, clock.now());
    await tenancy.audit.record(by, 'channel_created', { id, name, type }, clock.now());
    return requireChannel(channels, owner, id);
  });
}
