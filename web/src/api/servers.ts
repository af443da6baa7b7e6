import type { ServerAnswer, ServersAnswer, UpdateServerRequest } from '@plimsoll/contract/wire/servers';
import { request } from './client.ts';
import type { QueryValue } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { MOMENT, NOTHING, SCOPE_AND_MOMENT, type Ask } from './query.ts';

export interface ServersFilter extends Record<string, QueryValue> {
  limit?: number;
  offset?: number;
  status?: string;
  search?: string;
  platform?: string;
  sort?: string;
}

export const serversQuery = (filter: ServersFilter = { limit: ROWS.dashboardServers }): Ask<ServersAnswer> => ({
  queryKey: ['servers', 'list', filter],
  queryFn: ({ signal }, view) =>
    request('/api/servers/list', {
      query: { ...filter, ...view },
      signal,
    }),
  follows: SCOPE_AND_MOMENT,
  refetchInterval: POLL.servers,
  placeholderData: (previous) => previous,
});

/** Every server, whatever the view: to choose from. */
export const allServersQuery = (): Ask<ServersAnswer> => ({
  ...serversQuery({ limit: ROWS.allServers }),
  follows: NOTHING,
});

export const serverQuery = (id: string): Ask<ServerAnswer> => ({
  queryKey: ['servers', 'one', id],
  queryFn: ({ signal }, view) => request(`/api/servers/${encodeURIComponent(id)}`, { query: { at: view.at }, signal }),
  follows: MOMENT,
  refetchInterval: POLL.serverMetrics,
});

/** Gives a server a name and tags; null takes the name away. */
export const updateServer = (id: string, body: UpdateServerRequest) =>
  request<ServerAnswer>(`/api/servers/${encodeURIComponent(id)}`, { method: 'PUT', body });

export const deleteServer = (id: string) =>
  request<unknown>('/api/servers/delete', { method: 'DELETE', body: { server_id: id } });
