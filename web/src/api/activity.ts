import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import type { ActivityAnswer } from '@plimsoll/contract/wire/activity';
import type { TimelineAnswer } from '@plimsoll/contract/wire/timeline';
import { endingAt, rangeBounds } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';
import { request } from './client.ts';
import type { QueryValue } from './client.ts';
import { POLL, ROWS } from './polling.ts';
import { MOMENT, SCOPE_AND_MOMENT, type Ask } from './query.ts';

export interface ActivityFilter extends Record<string, QueryValue> {
  limit?: number;
  server_id?: string;
  start_date?: number;
  end_date?: number;
  event_type?: string;
  severity?: string;
  /** "folded" counts starts and stops of processes instead of listing them. */
  process_runs?: 'listed' | 'folded';
  /** "leading" puts crashes, updates and config changes first. */
  order?: 'newest' | 'leading';
}

/** Query for the activity of a range, on the Activity page. */
export const activityRangeQuery = (range: TimeRange, filter: ActivityFilter): Ask<ActivityAnswer> => ({
  queryKey: ['activity', 'range', range, filter],
  queryFn: ({ signal }, view) => {
    const shown = endingAt(range, view.at);
    const { from, to } = rangeBounds(shown, Date.now());
    const dates = shown.kind === 'relative' ? { start_date: from } : { start_date: from, end_date: to };
    return request('/api/data/activity', {
      query: { limit: ROWS.activity, ...dates, ...filter, scope: view.scope },
      signal,
    });
  },
  follows: filter.server_id === undefined ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval: POLL.dashboardActivity,
  placeholderData: (previous) => previous,
});

/** Query for the time line of a range: alerts, Kubernetes warnings and events of hosts together. */
export const timelineQuery = (
  range: TimeRange,
  filter: { kinds: string; q: string | undefined; server_id: string | undefined },
): Ask<TimelineAnswer> => ({
  queryKey: ['activity', 'timeline', range, filter],
  queryFn: ({ signal }, view) => {
    const { from, to } = rangeBounds(endingAt(range, view.at), Date.now());
    const isOpen = range.kind === 'relative' && view.at === undefined;
    const dates = isOpen ? { start_date: from } : { start_date: from, end_date: to };
    return request('/api/data/activity/timeline', {
      query: { limit: ROWS.timeline, ...dates, ...filter, scope: view.scope },
      signal,
    });
  },
  follows: filter.server_id === undefined ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval: POLL.dashboardActivity,
  placeholderData: (previous) => previous,
});

/** Returns the dates of what happened before a moment; a list that leads with crashes reaches a day back. */
const before = (at: number | undefined) => (at === undefined ? {} : { start_date: at - DAY_SECONDS, end_date: at + 1 });

export const activityQuery = (filter: ActivityFilter = {}): Ask<ActivityAnswer> => ({
  queryKey: ['activity', filter],
  queryFn: ({ signal }, view) =>
    request('/api/data/activity', {
      query: { limit: ROWS.dashboardActivityAsked, ...before(view.at), ...filter, scope: view.scope },
      signal,
    }),
  follows: filter.server_id === undefined ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval: POLL.dashboardActivity,
  placeholderData: (previous) => previous,
});

/** Query for the events under a server's charts, as many as one response holds. */
export const chartEventsQuery = (range: TimeRange, serverId: string): Ask<ActivityAnswer> => ({
  ...activityRangeQuery(range, { server_id: serverId, limit: ROWS.chartEvents }),
  refetchInterval: POLL.serverAlerts,
});

/** The events of a server so many seconds around a moment, epoch seconds. */
export const eventsAroundQuery = (serverId: string, at: number, seconds: number): Ask<ActivityAnswer> => ({
  queryKey: ['activity', 'around', { server_id: serverId }, at, seconds],
  queryFn: ({ signal }) =>
    request('/api/data/activity', {
      query: { limit: ROWS.activity, server_id: serverId, start_date: at - seconds, end_date: at + seconds + 1 },
      signal,
    }),
});
