import type {
  NetworkConnectionsAnswer,
  NetworkMetricsAnswer,
  NetworkTimeseriesAnswer,
} from '@plimsoll/contract/wire/network';
import type { TimeRange } from '../time/range.ts';
import { endingAt, rangeQuery } from '../time/range.ts';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { MOMENT, SCOPE, SCOPE_AND_MOMENT, type Ask } from './query.ts';

export const networkTimeseriesQuery = (range: TimeRange, serverId?: string): Ask<NetworkTimeseriesAnswer> => ({
  queryKey: ['network', 'timeseries', serverId ?? null, range],
  queryFn: ({ signal }, view) =>
    request('/api/data/network/timeseries', {
      query: { ...rangeQuery(endingAt(range, view.at)), server_id: serverId, scope: view.scope },
      signal,
    }),
  follows: serverId === undefined ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval: range.kind === 'relative' ? POLL.networkTimeseries : false,
  placeholderData: (previous) => previous,
});

/** A report this long before a moment still describes it, in seconds. */
const REACH_SECONDS = 900;
/** The newest sample of a server up to the moment. */
const newestBefore = (at: number | undefined) =>
  at === undefined ? {} : { start_date: at - REACH_SECONDS, end_date: at + 1 };

/** The newest rates and connection counts; of one server, or of all. Only those of one have a past. */
export const networkMetricsQuery = (serverId?: string): Ask<NetworkMetricsAnswer> => ({
  queryKey: ['network', 'metrics', serverId ?? null],
  queryFn: ({ signal }, view) =>
    request('/api/data/network/metrics', {
      query: { server_id: serverId, limit: 1, ...newestBefore(view.at), scope: view.scope },
      signal,
    }),
  follows: serverId === undefined ? SCOPE : MOMENT,
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
