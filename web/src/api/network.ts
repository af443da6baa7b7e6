import type {
  NetworkConnectionsAnswer,
  NetworkMetricsAnswer,
  NetworkTimeseriesAnswer,
} from '@plimsoll/contract/wire/network';
import type { TimeRange } from '../time/range.ts';
import { rangeQuery } from '../time/range.ts';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { SCOPED, scopeOf, type Ask } from './query.ts';

export const networkTimeseriesQuery = (range: TimeRange, serverId?: string): Ask<NetworkTimeseriesAnswer> => ({
  queryKey: ['network', 'timeseries', serverId ?? null, range],
  queryFn: (context) =>
    request('/api/data/network/timeseries', {
      query: { ...rangeQuery(range), server_id: serverId, ...scopeOf(context) },
      signal: context.signal,
    }),
  meta: serverId === undefined ? SCOPED : {},
  refetchInterval: range.kind === 'relative' ? POLL.networkTimeseries : false,
  placeholderData: (previous) => previous,
});

/** The newest rates and connection counts; of one server, or of all. */
export const networkMetricsQuery = (serverId?: string): Ask<NetworkMetricsAnswer> => ({
  queryKey: ['network', 'metrics', serverId ?? null],
  queryFn: (context) =>
    request('/api/data/network/metrics', {
      query: { server_id: serverId, limit: 1, ...scopeOf(context) },
      signal: context.signal,
    }),
  meta: serverId === undefined ? SCOPED : {},
  refetchInterval: serverId === undefined ? POLL.networkMetrics : POLL.serverNetwork,
});

export const connectionsQuery = (serverId: string): Ask<NetworkConnectionsAnswer> => ({
  queryKey: ['network', 'connections', serverId],
  queryFn: ({ signal }) =>
    request('/api/data/network/connections', {
      query: { server_id: serverId, limit: ROWS.serverConnections },
      signal,
    }),
  refetchInterval: POLL.serverNetwork,
});
