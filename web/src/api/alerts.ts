import { SECOND_MS } from '@plimsoll/contract/rules/durations';
import type { Alert, AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import type { IncidentAnswer } from '@plimsoll/contract/wire/alerts/incidents';
import { endingAt, rangeBounds } from '../time/range.ts';
import type { TimeRange } from '../time/range.ts';
import { request } from './client.ts';
import type { QueryValue } from './client.ts';
import { POLL, ROWS, STALE } from './polling.ts';
import { MOMENT, SCOPE_AND_MOMENT, useQuery, type Ask, type Asked } from './query.ts';

/** An incident is one row and one number: its cause stands for the alerts that it explains. */
const UNFOLDED = { folded: false } as const;

const alertsQuery = (query: Record<string, QueryValue>, refetchInterval: number): Ask<AlertsAnswer> => ({
  queryKey: ['alerts', query],
  queryFn: ({ signal }, { scope, at }) => {
    // The status of an alert is that of now; `at` alone selects what was open then.
    const then = at === undefined ? {} : { status: null, at };
    return request('/api/data/notifications', {
      query: { ...query, ...then, scope },
      signal,
    });
  },
  follows: query['server_id'] === undefined ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval,
  staleTime: STALE.alerts,
  placeholderData: (previous) => previous,
});

/** One query for the badge, the palette and the tab's title. */
export const sidebarAlertsQuery = () => alertsQuery({ limit: ROWS.sidebarAlerts, ...UNFOLDED }, POLL.sidebarAlerts);

export const activeAlertsQuery = () =>
  alertsQuery({ limit: ROWS.dashboardAlertsAsked, status: 'active', ...UNFOLDED }, POLL.sidebarAlerts);

/**
 * The active alerts of the view, and others while the list of the frame holds all: then one call serves the badge and the
 * panel. Only a longer list is requested by itself.
 */
export function useActiveAlerts(): Asked<AlertsAnswer> {
  const all = useQuery(sidebarAlertsQuery());
  const isCut = all.data !== undefined && all.data.total > all.data.alerts.length;
  const active = useQuery({ ...activeAlertsQuery(), enabled: isCut });
  return isCut ? active : all;
}

export const serverAlertsQuery = (serverId: string) =>
  alertsQuery({ limit: ROWS.serverAlertsAsked, status: 'active', ...UNFOLDED, server_id: serverId }, POLL.serverAlerts);

/** The alerts that were firing in a range. Its ends are reckoned when it is asked, so that a running range runs. */
export const listAlertsQuery = (
  range: TimeRange,
  serverId?: string,
  limit: number = ROWS.alerts,
): Ask<AlertsAnswer> => ({
  queryKey: ['alerts', 'range', serverId ?? null, range, ...(limit === ROWS.alerts ? [] : [limit])],
  queryFn: ({ signal }, { scope, at }) => {
    const { from, to } = rangeBounds(endingAt(range, at), Date.now());
    const dates = range.kind === 'relative' ? { start_date: from, at } : { start_date: from, end_date: to, at };
    return request('/api/data/notifications', {
      query: { limit, ...dates, ...UNFOLDED, server_id: serverId, scope },
      signal,
    });
  },
  follows: serverId === undefined ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval: POLL.alerts,
  staleTime: STALE.alerts,
  placeholderData: (previous) => previous,
});

/** Every alert that is open, of one server or of all. For a page whose first answer says that there are more than it holds. */
const openAlertsQuery = (serverId: string): Ask<AlertsAnswer> => ({
  queryKey: ['alerts', 'open', serverId],
  queryFn: ({ signal }, { scope, at }) => {
    const open = at === undefined ? { start_date: Math.floor(Date.now() / SECOND_MS) } : { at };
    const server = serverId === '' ? undefined : serverId;
    return request('/api/data/notifications', {
      query: { limit: ROWS.openAlerts, ...open, ...UNFOLDED, server_id: server, scope },
      signal,
    });
  },
  follows: serverId === '' ? SCOPE_AND_MOMENT : MOMENT,
  refetchInterval: POLL.alerts,
  staleTime: STALE.alerts,
  placeholderData: (previous) => previous,
});

/** Returns the open alerts that `first`, the answer of a list, has no room for; empty when it has them all. */
export function useOpenAlerts(first: AlertsAnswer | undefined, serverId = ''): readonly Alert[] {
  const isCut = first !== undefined && first.total > first.alerts.length;
  const asked = useQuery({ ...openAlertsQuery(serverId), enabled: isCut });
  return isCut ? (asked.data?.alerts ?? NONE) : NONE;
}
const NONE: readonly Alert[] = [];

/** Returns an incident with its alerts, the cause first. */
export const incidentQuery = (id: string): Ask<IncidentAnswer> => ({
  queryKey: ['alerts', 'incident', id],
  queryFn: ({ signal }) => request(`/api/incidents/${encodeURIComponent(id)}`, { signal }),
  refetchInterval: POLL.alerts,
  staleTime: STALE.alerts,
});

/** Query for the alerts under a server's chart; a change event refreshes it, no interval does. */
export const serverAlertHistoryQuery = (serverId: string): Ask<AlertsAnswer> => ({
  queryKey: ['alerts', 'history', serverId],
  queryFn: ({ signal }) =>
    request('/api/data/notifications', { query: { limit: ROWS.alerts, server_id: serverId }, signal }),
  staleTime: STALE.alerts,
});

/** The alerts of a server that were firing so many seconds around a moment, epoch seconds. */
export const alertsAroundQuery = (serverId: string, at: number, seconds: number): Ask<AlertsAnswer> => ({
  queryKey: ['alerts', 'around', serverId, at, seconds],
  queryFn: ({ signal }) =>
    request('/api/data/notifications', {
      query: {
        limit: ROWS.alerts,
        server_id: serverId,
        start_date: at - seconds,
        end_date: at + seconds + 1,
      },
      signal,
    }),
  staleTime: STALE.alerts,
});
