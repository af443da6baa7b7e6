import type { AlertDetailAnswer } from '@plimsoll/contract/wire/alerts/alert-detail';
import { changesQuery } from '../../../api/change-ledger.ts';
import { timeseriesQuery } from '../../../api/metrics.ts';
import { ROWS } from '../../../api/polling.ts';
import { useQuery } from '../../../api/query.ts';
import { changeMarks } from '../../../components/changes/change-marks.ts';
import { ChartCard } from '../../../components/chart/chart-card.tsx';
import { alertMarkers } from '../../../components/chart/markers/alert-markers.ts';
import { bandPoints, chartGaps } from '../../../components/chart/points/series-shape.ts';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import { metricWords } from '../../../format/incident-words.ts';
import { METRIC_BAND } from '../../../components/chart/points/metric-band.ts';

const CHART_PX = 150;

interface MomentChartProps {
  detail: AlertDetailAnswer;
  /** Epoch milliseconds; when `detail` was read. */
  now: number;
}

/** The metric around the moment, with the line that the alert crossed. No chart for a metric without one. */
export function MomentChart({ detail: { alert, chart }, now }: MomentChartProps) {
  const band = METRIC_BAND.get(chart?.metric ?? '');
  const range = { kind: 'absolute', from: Math.floor(chart?.from ?? 0), to: Math.ceil(chart?.to ?? 1) } as const;
  const ask = timeseriesQuery(range, chart?.server_id);
  const asked = useQuery({ ...ask, enabled: chart !== null && band !== undefined });
  const place = { ...(chart !== null && { server_id: chart.server_id }), limit: ROWS.chartChanges };
  const changes = useQuery({ ...changesQuery(range, place), enabled: chart !== null && band !== undefined });
  if (chart === null || band === undefined) return null;
  const critical = chart.lines.at(-1)?.threshold ?? null;
  const [mark] = alertMarkers([alert], Math.min(now, chart.to * 1000));
  return (
    <ChartCard
      title="Around the moment"
      note={chart.metric === 'disk_usage' ? 'the fullest filesystem' : undefined}
      from={asked.data?.from ?? range.from}
      to={asked.data?.to ?? range.to}
      yMax={100}
      unit="%"
      height={CHART_PX}
      line={chart.line}
      critical={critical === chart.line ? null : critical}
      series={[
        {
          id: band,
          label: metricWords(alert.metric_name),
          colour: 1,
          points: bandPoints(asked.data?.timeseries ?? [], band),
        },
      ]}
      gaps={asked.data === undefined ? [] : chartGaps(asked.data)}
      marks={[...(mark === undefined ? [] : [mark]), ...changeMarks(changes.data?.changes ?? [])]}
      moment={chart.opened_at}
      loading={asked.isPending}
      {...(asked.data === undefined && asked.error !== null && { failure: <Failure asked={asked} /> })}
    />
  );
}
