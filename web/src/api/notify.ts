import type {
  ChannelRequest,
  ChannelsAnswer,
  ChannelTestAnswer,
  ChannelView,
  DeliveriesAnswer,
  MessageSettingsView,
} from '@plimsoll/contract/wire/notify';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import type { Ask } from './query.ts';

const CHANNELS = '/api/notify/channels';
const channelPath = (id: string) => `${CHANNELS}/${encodeURIComponent(id)}`;

export const channelsQuery = (): Ask<ChannelsAnswer> => ({
  queryKey: ['notify', 'channels'],
  queryFn: ({ signal }) => request(CHANNELS, { signal }),
  refetchInterval: POLL.deliveries,
});

const SETTINGS = '/api/notify/settings';

/** Settings of the messages of all channels. */
export const messageSettingsQuery = (): Ask<MessageSettingsView> => ({
  queryKey: ['notify', 'settings'],
  queryFn: ({ signal }) => request(SETTINGS, { signal }),
});
export const saveMessageSettings = (body: MessageSettingsView) =>
  request<MessageSettingsView>(SETTINGS, { method: 'PUT', body });

/** Returns the newest attempts to send, of one channel or of all. */
export const deliveriesQuery = (
  channelId: string,
  page: { limit: number; offset?: number } = { limit: ROWS.deliveries },
): Ask<DeliveriesAnswer> => ({
  queryKey: ['notify', 'deliveries', channelId, page],
  queryFn: ({ signal }) => request('/api/notify/deliveries', { query: { ...page, channel_id: channelId }, signal }),
  refetchInterval: POLL.deliveries,
  placeholderData: (previous) => previous,
});

/** Creates a channel, or changes the one with the id. A secret that is left out stays as it is; null removes an optional one. */
export const saveChannel = (id: string | null, body: ChannelRequest) =>
  id === null
    ? request<ChannelView>(CHANNELS, { method: 'POST', body })
    : request<ChannelView>(channelPath(id), { method: 'PUT', body });
export const deleteChannel = (id: string) => request<unknown>(channelPath(id), { method: 'DELETE' });
/** Sends a test message now; the answer is the provider's verdict. */
export const testChannel = (id: string) => request<ChannelTestAnswer>(`${channelPath(id)}/test`, { method: 'POST' });
