import type { TimeRange } from '../../time/range.ts';
import { useSearchParams } from '../../router.ts';
import { NODE_HISTORY_HOURS } from '@plimsoll/contract/rules/kubernetes-limits';
import type { KubernetesNode, NodeHistoryAnswer } from '@plimsoll/contract/wire/kubernetes';
import { nodeHistoryQuery } from '../../api/kubernetes.ts';
import { changesQuery } from '../../api/change-ledger.ts';
import { ROWS } from '../../api/polling.ts';
import { aroundMoment, useQuery } from '../../api/query.ts';
import { changeMarks } from '../../components/changes/change-marks.ts';
import { ChartCard } from '../../components/chart/chart-card.tsx';
import type { ChartSeries } from '../../components/chart/series.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { RangeWords } from '../../components/form/range-words.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Toolbar, ToolbarNote } from '../../components/form/toolbar.tsx';
import { gapsOf, USAGE_LINE } from '../../components/kubernetes/kubernetes-words.ts';
import { DEFAULT_RANGE, parseRange, rangeBounds, withRange } from '../../time/range.ts';
import { sourceName, takenOverText } from '../../components/kubernetes/usage-origin.ts';

const SERIES = [
  { id: 'cpu', label: 'CPU', colour: 1 },
  { id: 'memory', label: 'Memory', colour: 2 },
  { id: 'disk', label: 'Disk', colour: 3 },
] as const;
const CHART_PX = 260;

/** Averages only: three bands over each other would hide the lines. */
const seriesOf = (answer: NodeHistoryAnswer | undefined): ChartSeries[] =>
  SERIES.map((each) => ({
    ...each,
    points: (answer?.metrics ?? []).map(({ timestamp, bands, source }) => ({
      at: timestamp,
      avg: bands[each.id].avg,
      min: null,
      max: null,
      ...(source === undefined ? {} : { source: sourceName(source) }),
    })),
  }));

/** Returns the page's time range, kept in the address: a link shows what its sender saw. */
function useRange(): [TimeRange, (range: TimeRange) => void] {
  const [search, setSearch] = useSearchParams();
  return [parseRange(search, DEFAULT_RANGE), (range) => setSearch((before) => withRange(before, range, DEFAULT_RANGE))];
}

/** CPU, memory and disk of the node over the chosen range. */
export function NodeHistory({ node }: { node: KubernetesNode }) {
  const [range, setRange] = useRange();
  const asked = useQuery(nodeHistoryQuery(node.server_id, range));
  const place = { cluster_id: node.cluster_id, kind: 'Node', name: node.node_name, limit: ROWS.chartChanges };
  const changes = useQuery(aroundMoment(changesQuery(range, place)));
  const answer = asked.data;
  const { from, to } = answer ?? rangeBounds(range, 0);
  const series = seriesOf(answer);
  return (
    <>
      <Toolbar>
        <RangeToggle hours={NODE_HISTORY_HOURS} range={range} onChange={setRange} />
        <RangeWords range={range} onChange={setRange} />
        <ToolbarNote>Drag on the chart to zoom</ToolbarNote>
      </Toolbar>
      <ChartCard
        title="Resource history"
        note={answer === undefined ? undefined : (takenOverText(answer.metrics, answer.bucket_seconds) ?? undefined)}
        from={from}
        to={to}
        yMax={100}
        line={USAGE_LINE}
        unit="%"
        series={series}
        marks={changeMarks(changes.data?.changes ?? [])}
        gaps={answer === undefined ? [] : gapsOf(series[0]?.points ?? [], answer.bucket_seconds)}
        height={CHART_PX}
        loading={answer === undefined && asked.error === null}
        {...(answer === undefined && asked.error !== null ? { failure: <Failure asked={asked} /> } : {})}
        empty={<EmptyState sentence="No metrics data available" reason="This node sent no report in this range." />}
        onBrush={(start, end) => setRange({ kind: 'absolute', from: start, to: end })}
      />
    </>
  );
}
