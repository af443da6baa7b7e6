import type { LatestMetricsAnswer, SparksAnswer, TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import type { TimeRange } from '../time/range.ts';
import { endingAt, rangeQuery } from '../time/range.ts';
import { request } from './client.ts';
import { POLL } from './polling.ts';
import { MOMENT, SCOPE_AND_MOMENT, type Ask } from './query.ts';

/** The latest figures of every server, or of one. */
export const latestMetricsQuery = (serverId?: string): Ask<LatestMetricsAnswer> => ({
  queryKey: ['metrics', 'latest', serverId ?? null],
  queryFn: ({ signal }, view) =>
    request('/api/data/metrics', {
      query: { server_id: serverId, ...view },
      signal,
    }),
  follows: serverId === undefined ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval: serverId === undefined ? POLL.dashboardMetrics : POLL.serverMetrics,
});

/** Buckets over the range; without a server, all of them put together. */
/** `buckets`: at most how many the range is cut into; 400 when left out. */
export const timeseriesQuery = (range: TimeRange, serverId?: string, buckets?: number): Ask<TimeseriesAnswer> => ({
  queryKey: ['metrics', 'timeseries', serverId ?? null, range, buckets ?? null],
  queryFn: ({ signal }, view) =>
    request('/api/data/metrics/timeseries', {
      query: {
        ...rangeQuery(endingAt(range, view.at)),
        server_id: serverId,
        buckets,
        scope: view.scope,
      },
      signal,
    }),
  follows: serverId === undefined ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval: range.kind === 'relative' ? POLL.metricsTimeseries : false,
  placeholderData: (previous) => previous,
});

/**
 * The small charts of these servers' cards, a day of each. A key of its own: a key that every report makes stale would
 * fetch a whole day again.
 */
export const sparksQuery = (serverIds: readonly string[]): Ask<SparksAnswer> => ({
  queryKey: ['sparks', serverIds],
  queryFn: ({ signal }) => request('/api/data/metrics/sparks', { query: { server_ids: serverIds.join(',') }, signal }),
  enabled: serverIds.length > 0,
  refetchInterval: POLL.cardSparks,
  placeholderData: (previous) => previous,
});
