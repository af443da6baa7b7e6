import { CodedError, notFound } from '../../errors.ts';
import { refuseManaged } from '../../kubernetes/managed-object.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { Channels } from '../store.ts';
import type { ChannelState } from '../types.ts';

/** Returns a channel of the owner. Throws `not_found`. */
export async function requireChannel(channels: Pick<Channels, 'get'>, owner: Owner, id: string): Promise<ChannelState> {
  const state = await channels.get(owner, id);
  if (state === null) throw notFound('Channel');
  return state;
}

/** Returns a channel that people change. Throws `not_found`, `object_managed`, `channel_managed`. */
export async function requireUserChannel(
  channels: Pick<Channels, 'get'>,
  owner: Owner,
  id: string,
): Promise<ChannelState> {
  const state = await requireChannel(channels, owner, id);
  refuseManaged('NotificationChannel', state.object);
  if (state.managedBy !== 'user')
    throw new CodedError(
      'channel_managed',
      'The environment of the API or the Helm values of a cluster manage this channel',
      {
        remedy: 'Change TELEGRAM_BOT_TOKEN or TELEGRAM_CHAT_ID and restart the API, or change the Helm values.',
      },
    );
  return state;
}
