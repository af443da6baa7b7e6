import type { HiddenPart, HiddenPartsAnswer } from '@plimsoll/contract/wire/hidden-parts';
import { request } from './client.ts';
import { POLL } from './polling.ts';
import type { Ask } from './query.ts';

const pathOf = (serverId: string): string => `/api/servers/${encodeURIComponent(serverId)}/hidden`;

/** Hidden parts of a server: they neither alert nor count in its headroom. */
export const hiddenPartsQuery = (serverId: string): Ask<HiddenPartsAnswer> => ({
  queryKey: ['servers', 'hidden', serverId],
  queryFn: ({ signal }) => request(pathOf(serverId), { signal }),
  refetchInterval: POLL.servers,
});

export const hidePart = (serverId: string, part: HiddenPart) =>
  request<HiddenPartsAnswer>(pathOf(serverId), { method: 'PUT', body: part });

export const showPart = (serverId: string, part: HiddenPart) =>
  request<HiddenPartsAnswer>(pathOf(serverId), { method: 'DELETE', body: part });
