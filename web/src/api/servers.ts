import type { ServerAnswer, ServersAnswer, UpdateServerRequest } from '@plimsoll/contract/wire/servers';
import { request } from './client.ts';
import type { QueryValue } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { DATED, momentOf, SCOPED, scopeOf, type Ask } from './query.ts';

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
  queryFn: (context) =>
    request('/api/servers/list', {
      query: { ...filter, ...scopeOf(context), ...momentOf(context) },
      signal: context.signal,
    }),
  meta: { ...SCOPED, ...DATED },
  refetchInterval: POLL.servers,
  placeholderData: (previous) => previous,
});

export const serverQuery = (id: string): Ask<ServerAnswer> => ({
  queryKey: ['servers', 'one', id],
  queryFn: (context) =>
    request(`/api/servers/${encodeURIComponent(id)}`, { query: momentOf(context), signal: context.signal }),
  meta: DATED,
  refetchInterval: POLL.serverMetrics,
});

/** Gives a server a name and tags; null takes the name away. */
export const updateServer = (id: string, body: UpdateServerRequest) =>
  request<ServerAnswer>(`/api/servers/${encodeURIComponent(id)}`, { method: 'PUT', body });

export const deleteServer = (id: string) =>
  request<unknown>('/api/servers/delete', { method: 'DELETE', body: { server_id: id } });
