import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { chartEventsQuery } from '../../api/activity.ts';
import { serverAlertHistoryQuery } from '../../api/alerts.ts';
import { aroundMoment, useQuery } from '../../api/query.ts';
import { changesQuery } from '../../api/change-ledger.ts';
import { ROWS } from '../../api/polling.ts';
import { changeMarks, repeatedEvents } from '../../components/changes/change-marks.ts';
import { alertMarkers, alertsOfChart } from '../../components/chart/markers/alert-markers.ts';
import { eventMarkers } from '../../components/chart/markers/event-markers.ts';
import { markerTarget } from '../../components/chart/markers/marker-target.ts';
import type { BandName } from '../../components/chart/points/series-shape.ts';
import type { ChartMarker, MarkerCluster } from '../../components/chart/markers/cluster-markers.ts';
import type { TimeRange } from '../../time/range.ts';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';

export interface Marks {
  /** Alerts of the metric and the server's events. */
  of: (name: BandName) => readonly ChartMarker[];
  events: readonly ChartMarker[];
  open: (group: MarkerCluster) => void;
}

interface Leads {
  onMoment: (at: number) => void;
  onRange: (range: TimeRange) => void;
}

/** Marks below the charts of a server, and their links. */
export function useMarks(
  serverId: string,
  range: TimeRange,
  answer: TimeseriesAnswer | undefined,
  { onMoment, onRange }: Leads,
): Marks {
  const navigate = useNavigate();
  const history = useQuery(serverAlertHistoryQuery(serverId));
  const listed = useQuery(aroundMoment(chartEventsQuery(range, serverId)));
  const changes = useQuery(aroundMoment(changesQuery(range, { server_id: serverId, limit: ROWS.chartChanges })));
  const changed = changes.data?.changes ?? [];
  const known = listed.data?.events ?? [];
  const repeated = repeatedEvents(known, changed);
  const events = [
    ...eventMarkers(known, listed.data?.total ?? 0, answer?.from ?? 0).filter(({ id }) => !repeated.has(id)),
    ...changeMarks(changed),
  ];
  return {
    of: (name) => [...alertMarkers(alertsOfChart(history.data?.alerts ?? [], name), history.dataUpdatedAt), ...events],
    events,
    open(group) {
      const target = markerTarget(group);
      if (target.kind === 'alert') void navigate(`${paths.alerts}?server=${serverId}&alert=${target.id}`);
      else if (target.kind === 'moment') onMoment(target.at);
      else onRange({ kind: 'absolute', from: target.from, to: target.to });
    },
  };
}
