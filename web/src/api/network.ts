import type {
  NetworkConnectionsAnswer,
  NetworkMetricsAnswer,
  NetworkTimeseriesAnswer,
} from '@plimsoll/contract/wire/network';
import type { TimeRange } from '../time/range.ts';
import { endingAt, rangeQuery } from '../time/range.ts';
import { request } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { DATED, momentOf, SCOPED, scopeOf, type Ask } from './query.ts';

export const networkTimeseriesQuery = (range: TimeRange, serverId?: string): Ask<NetworkTimeseriesAnswer> => ({
  queryKey: ['network', 'timeseries', serverId ?? null, range],
  queryFn: (context) =>
    request('/api/data/network/timeseries', {
      query: { ...rangeQuery(endingAt(range, momentOf(context).at)), server_id: serverId, ...scopeOf(context) },
      signal: context.signal,
    }),
  meta: serverId === undefined ? { ...SCOPED, ...DATED } : DATED,
  refetchInterval: range.kind === 'relative' ? POLL.networkTimeseries : false,
  placeholderData: (previous) => previous,
});

/** A report this long before a moment still describes it, in seconds. */
const REACH_SECONDS = 900;
/** The newest sample of a server up to the moment. */
const newestBefore = ({ at }: { at: number | undefined }) =>
  at === undefined ? {} : { start_date: at - REACH_SECONDS, end_date: at + 1 };

/** The newest rates and connection counts; of one server, or of all. Only those of one have a past. */
export const networkMetricsQuery = (serverId?: string): Ask<NetworkMetricsAnswer> => ({
  queryKey: ['network', 'metrics', serverId ?? null],
  queryFn: (context) =>
    request('/api/data/network/metrics', {
      query: { server_id: serverId, limit: 1, ...newestBefore(momentOf(context)), ...scopeOf(context) },
      signal: context.signal,
    }),
  meta: serverId === undefined ? SCOPED : DATED,
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
