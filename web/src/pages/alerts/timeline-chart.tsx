import { changesQuery } from '../../api/change-ledger.ts';
import { timeseriesQuery } from '../../api/metrics.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { changeMarks } from '../../components/changes/change-marks.ts';
import { alertMarkers } from '../../components/chart/markers/alert-markers.ts';
import { stretchOf } from '../../components/chart/markers/marker-target.ts';
import { timelineLine } from '../../components/chart/points/timeline-line.ts';
import { TimelineCard } from '../../components/chart/timeline-card.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { paths } from '../../paths.ts';
import { useNavigate } from '../../router.ts';
import { bucketCount } from './chart-buckets.ts';
import { timelinePx, type TimelineChartProps } from './timeline-props.ts';

/** CPU, memory and disk of the range with its alerts and changes. A script of its own: it is folded at first. */
export default function TimelineChart({ filters, servers, lists, onMark, phone }: TimelineChartProps) {
  const { range, server, setRange } = filters;
  const series = useQuery(timeseriesQuery(range, server === '' ? undefined : server, bucketCount(range)));
  const place = server === '' ? {} : { server_id: server };
  const changes = useQuery(changesQuery(range, { ...place, limit: ROWS.chartChanges }));
  const changed = changeMarks(changes.data?.changes ?? []);
  const navigate = useNavigate();
  const answer = series.data;
  const alerts = alertMarkers(lists.alerts, lists.listed.dataUpdatedAt);
  return (
    <TimelineCard
      title="Metrics timeline"
      note={servers.find(({ id }) => id === server)?.name ?? 'average of all servers'}
      answer={answer}
      range={range}
      onRange={setRange}
      line={timelineLine(servers, server)}
      height={timelinePx(phone)}
      marks={[...alerts, ...changed]}
      onMark={(group) => {
        const alert = group.marks.find(({ tone }) => tone !== 'event');
        if (alert === undefined) void navigate(paths.changesOf({ ...place, ...stretchOf(group) }));
        else onMark(alert.id);
      }}
      loading={answer === undefined && series.error === null}
      failure={answer === undefined && series.error !== null ? <Failure asked={series} /> : undefined}
    />
  );
}
