import { styled } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { LatestMetricsItem, TimeseriesAnswer, TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { BandIcon } from '../../components/status-icons.tsx';
import { BandLegend, ChartCard } from '../../components/chart/chart-card.tsx';
import type { SeriesColour } from '../../components/chart/series.tsx';
import { Chip } from '../../components/chips.tsx';
import { Failure, NotLoaded } from '../../components/feedback/feed-panel.tsx';
import type { Asked } from '../../api/query.ts';
import { useQuery } from '../../api/query.ts';
import { timeseriesQuery } from '../../api/metrics.ts';
import { useComparing } from './use-comparing.ts';
import { asOfNow, comparison, earlier } from './compare.ts';
import { highest, niceMax } from '../../components/chart/points/chart-shape.ts';
import { axisText, gigabytesText } from '../../format/figures.ts';
import { distanceText } from '@plimsoll/contract/rules/load-words';
import { peakOfFigure, pickedMoment } from '../../components/chart/points/peak-moment.ts';
import { bandPoints, chartGaps } from '../../components/chart/points/series-shape.ts';
import type { BandName } from '../../components/chart/points/series-shape.ts';
import { serverName, staleSince } from '../../format/server-facts.ts';
import { Toggle } from '../../components/form/toolbar.tsx';
import { useSearchParams } from '../../router.ts';
import { PHONE } from '../../components/screen.ts';
import { rangeBounds } from '../../time/range.ts';
import type { TimeRange } from '../../time/range.ts';
import { loadOnCores } from './swap-and-load.tsx';
import { UnavailableSamples } from './unavailable-samples.tsx';
import type { Marks } from './use-marks.ts';

const Pair = styled('div')(({ theme }) => ({
  // The charts end where the column beside them ends.
  flex: 1,
  gridAutoRows: '1fr',
  display: 'grid',
  gap: 12,
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  '& > :last-child:nth-of-type(odd)': { gridColumn: '1 / -1' },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));

/** The network panel draws TCP retransmits. */
type ChartName = Exclude<BandName, 'tcp_retransmits'>;

const TITLE: Record<ChartName, string> = {
  cpu: 'CPU',
  memory: 'Memory',
  disk: 'Disk',
  io_wait: 'IO Wait',
  iops: 'IOPS',
  swap: 'Swap',
  load: 'Load',
};
/** In the order of the page; CPU is the large one. */
const CHARTS: readonly ChartName[] = ['cpu', 'memory', 'swap', 'load', 'disk', 'io_wait', 'iops'];
const CHOICE = 'chart';
const COLOUR: Record<ChartName, SeriesColour> = { cpu: 1, memory: 2, disk: 3, io_wait: 1, iops: 1, swap: 2, load: 1 };
const FIGURE = {
  cpu: 'cpu_usage',
  memory: 'memory_usage',
  disk: 'disk_usage',
  io_wait: 'io_wait',
  iops: 'iops',
  swap: 'swap_usage',
  load: 'load_1m',
} as const;
const LARGE_PX = 240;
const SMALL_PX = 196;

interface ServerChartsProps {
  server: ServerDetail;
  latest: LatestMetricsItem | undefined;
  series: Asked<TimeseriesAnswer>;
  range: TimeRange;
  onRange: (range: TimeRange) => void;
  marks: Marks;
  /** The moment someone looks back at, epoch seconds. */
  moment: number | null;
  onMoment: (at: number) => void;
}

/** Scale and lines of one metric: 0–100 for a per cent; load by the cores; IO wait and IOPS by what they need. */
function scaleOf(name: ChartName, server: ServerDetail, top: number | null) {
  if (name === 'iops') return { yMax: niceMax(top ?? 1), line: null, critical: null, steps: 2 };
  if (name === 'load') {
    const cores = server.cpu_cores ?? 1;
    return { yMax: niceMax(Math.max(cores, top ?? 0)), line: null, critical: null, steps: 2 };
  }
  if (name === 'swap') return { yMax: 100, line: null, critical: null, steps: 2.5 };
  const { warning: line, critical } = server.lines[name];
  if (name === 'io_wait')
    return { yMax: Math.min(100, Math.max(line * 1.2, niceMax(top ?? 0))), line, critical, steps: 2 };
  return { yMax: 100, line, critical, steps: name === 'cpu' ? 5 : 2.5 };
}

/** Beside the title: the fullest mount, the cores that carry the load, the size of the swap. */
function noteOf(name: ChartName, { headroom, cpu_cores, total_swap }: ServerDetail, now: number | null) {
  if (name === 'disk' && headroom?.resource === 'disk' && headroom.subject !== null) return { note: headroom.subject };
  if (name === 'load' && now !== null) return { note: loadOnCores(now, cpu_cores) };
  if (name === 'swap' && total_swap != null)
    return { note: total_swap === 0 ? 'no swap' : `of ${gigabytesText(total_swap)}` };
  return {};
}

function OverChip({ value, line }: { value: number | null; line: number | null }) {
  if (value === null || line === null || value < line) return null;
  return (
    <Chip tone="over">
      <BandIcon band="over" size={8} />
      {distanceText(line - value)}
    </Chip>
  );
}

interface Before {
  points: readonly TimeseriesPoint[];
  shiftSeconds: number;
  name: string;
}

/** The same stretch a day or a week earlier while someone compares. */
function useBefore(serverId: string, answer: TimeseriesAnswer | undefined): Before | null {
  const [comparing] = useComparing();
  const bounds = answer ?? { from: 0, to: 0 };
  const { shiftSeconds, name } = comparison(bounds);
  const wanted = comparing && answer !== undefined;
  const asked = useQuery({ ...timeseriesQuery(earlier(bounds, shiftSeconds), serverId), enabled: wanted });
  return wanted && asked.data !== undefined ? { points: asked.data.timeseries, shiftSeconds, name } : null;
}

interface OneChartProps extends ServerChartsProps {
  name: ChartName;
  /** Buckets of an earlier time, and how far back they lie. */
  before: Before | null;
  /** Says how old its last report is: the first chart says it for all. */
  isFirst?: boolean;
}

function OneChart(props: OneChartProps) {
  const { name, server, latest, series, range, onRange, before, marks, moment, onMoment, isFirst = false } = props;
  const answer = series.data;
  const points = bandPoints(answer?.timeseries ?? [], name);
  const peak = peakOfFigure(answer?.peaks, name);
  const then = before === null ? [] : asOfNow(bandPoints(before.points, name), before.shiftSeconds);
  const { from, to } = answer ?? rangeBounds(range, 0);
  const scale = scaleOf(name, server, highest([points, then]));
  const now = latest?.metrics[FIGURE[name]].value ?? null;
  const silentSince = range.kind === 'relative' && moment === null ? staleSince(server) : undefined;
  return (
    <ChartCard
      title={TITLE[name]}
      subject={serverName(server)}
      {...noteOf(name, server, now)}
      from={from}
      to={to}
      {...scale}
      now={now}
      unit={name === 'iops' || name === 'load' ? '' : '%'}
      places={name === 'iops' ? 0 : 1}
      series={[
        { id: name, label: TITLE[name], colour: COLOUR[name], points },
        ...(before === null
          ? []
          : [{ id: 'before', label: before.name, colour: COLOUR[name], points: then, ghost: true }]),
      ]}
      gaps={answer === undefined ? [] : chartGaps(answer)}
      marks={marks.of(name)}
      onMark={marks.open}
      moment={moment}
      onMoment={(picked) => onMoment(pickedMoment(picked, peak, answer?.bucket_seconds ?? 1))}
      height={name === 'cpu' ? LARGE_PX : SMALL_PX}
      fills={name !== 'cpu'}
      format={axisText}
      loading={answer === undefined && series.error === null}
      {...(answer === undefined && series.error !== null ? { failure: <NotLoaded /> } : {})}
      staleSince={isFirst ? (silentSince ?? null) : null}
      silent={silentSince !== undefined}
      state={silentSince === undefined && <OverChip value={now} line={scale.line} />}
      legend={name === 'cpu' ? <BandLegend before={before?.name} /> : undefined}
      onBrush={(start, end) => onRange({ kind: 'absolute', from: start, to: end })}
    />
  );
}

/** A host without swap has no chart of it: its tile says so. */
const chartsOf = ({ total_swap }: ServerDetail): ChartName[] =>
  CHARTS.filter((name) => name !== 'swap' || total_swap !== 0);

/** The chart a phone begins with: that of the resource nearest its line. */
const firstChart = ({ headroom }: ServerDetail): ChartName => headroom?.resource ?? 'cpu';

const Picker = styled('div')({
  '& > div': { display: 'flex' },
  '& button': { flex: '1 1 0', minWidth: 0, padding: '0 2px', fontSize: 12 },
});

/** One chart at a time, chosen by name and kept in the address. */
function PickedChart(props: ServerChartsProps & { before: Before | null }) {
  const [search, setSearch] = useSearchParams();
  const names = chartsOf(props.server);
  const shown = names.find((name) => name === search.get(CHOICE)) ?? firstChart(props.server);
  const pick = (name: ChartName) =>
    setSearch(
      (current) => {
        const next = new URLSearchParams(current);
        next.set(CHOICE, name);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <Picker>
        <Toggle
          label="Chart"
          value={shown}
          options={names.map((name) => ({ value: name, label: TITLE[name] }))}
          onChange={pick}
        />
      </Picker>
      <OneChart key={shown} {...props} name={shown} isFirst />
    </>
  );
}

/** Average and lowest-to-highest of each metric against its line; under each its alerts, and the server's events. */
export function ServerCharts(props: ServerChartsProps) {
  const before = useBefore(props.server.id, props.series.data);
  const phone = useMediaQuery(PHONE);
  const [, ...others] = chartsOf(props.server);
  return (
    <>
      {props.series.data === undefined && <Failure asked={props.series} />}
      <UnavailableSamples answer={props.series.data} />
      {phone ? (
        <PickedChart {...props} before={before} />
      ) : (
        <>
          <OneChart {...props} before={before} name="cpu" isFirst />
          <Pair>
            {others.map((name) => (
              <OneChart key={name} {...props} before={before} name={name} />
            ))}
          </Pair>
        </>
      )}
    </>
  );
}
