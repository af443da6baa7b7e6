import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Server } from '@plimsoll/contract/wire/servers';
import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import { timeseriesQuery } from '../../api/metrics.ts';
import { useQueries } from '../../api/query.ts';
import type { Asked } from '../../api/query.ts';
import { ChartCard } from '../../components/chart/chart-card.tsx';
import { highest, niceMax } from '../../components/chart/points/chart-shape.ts';
import { bandPoints } from '../../components/chart/points/series-shape.ts';
import type { ChartSeries, SeriesColour } from '../../components/chart/series.tsx';
import { ErrorState, failureDetail } from '../../components/feedback/states.tsx';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { RangeWords } from '../../components/form/range-words.tsx';
import { Toolbar } from '../../components/form/toolbar.tsx';
import { serverName } from '../../format/server-facts.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { rangeBounds, type TimeRange } from '../../time/range.ts';
import { PHONE, TARGET_PX } from '../../components/screen.ts';
import { sharedLine, withoutBands } from './compared.ts';
import { Close as CloseIcon } from '../../components/icons/material.tsx';

const Grid = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
const Legend = styled('ul')(({ theme }) => {
  const { load } = theme.vars.palette;
  const colours = [
    load.series1,
    load.series2,
    load.series3,
    load.series4,
    load.series5,
    load.series6,
    load.series7,
    load.series8,
  ];
  return {
    display: 'flex',
    flexWrap: 'wrap',
    gap: '4px 16px',
    margin: 0,
    padding: '8px 16px',
    listStyle: 'none',
    '& > li': { display: 'flex', alignItems: 'center', gap: 6, minWidth: 0, overflowWrap: 'anywhere' },
    '& i': { flex: 'none', width: 14, height: 3, backgroundColor: 'var(--c)' },
    '& .quiet': { color: theme.vars.palette.load.text3 },
    ...Object.fromEntries(colours.map((colour, index) => [`& .s${index + 1}`, { '--c': colour }])),
    [theme.breakpoints.down('sm')]: { '& button, & a': { minHeight: TARGET_PX, minWidth: TARGET_PX } },
    '& a': { display: 'inline-flex', alignItems: 'center' },
  };
});

const CHARTS = [
  { name: 'cpu', title: 'CPU', unit: '%', resource: 'cpu' },
  { name: 'memory', title: 'Memory', unit: '%', resource: 'memory' },
  { name: 'disk', title: 'Disk', unit: '%', resource: 'disk' },
  { name: 'io_wait', title: 'IO Wait', unit: '%', resource: 'io_wait' },
  { name: 'iops', title: 'IOPS', unit: '', resource: null },
  { name: 'load', title: 'Load', unit: '', resource: null },
] as const;

/** Up to a year, as long as rollups are kept. */
const HOURS = [1, 6, 24, 168, 720, 8760];

const colourOf = (index: number): SeriesColour => ((index % 8) + 1) as SeriesColour;

interface CompareChartsProps {
  ids: readonly string[];
  /** Every server of the account; undefined while they load. */
  servers: readonly Server[] | undefined;
  range: TimeRange;
  onRange: (range: TimeRange) => void;
  onRemove: (id: string) => void;
}

/** Returns the name of a server, or the reason why nothing is known about it. */
function nameOf(server: Server | undefined, asked: Asked<TimeseriesAnswer> | undefined): string {
  if (server !== undefined) return serverName(server);
  return asked?.error?.status === 404 ? 'Deleted server' : '…';
}

function Names({ ids, byId, asked, onRemove }: Pick<CompareChartsProps, 'ids' | 'onRemove'> & Shown) {
  return (
    <Paper>
      <Legend aria-label="Compared servers">
        {ids.map((id, index) => {
          const name = nameOf(byId.get(id), asked[index]);
          return (
            <li key={id} className={`s${colourOf(index)}`}>
              <i aria-hidden />
              {byId.has(id) ? <Link to={paths.server(id)}>{name}</Link> : <span className="quiet">{name}</span>}
              <IconButton size="small" onClick={() => onRemove(id)} aria-label={`Stop comparing ${name}`}>
                <CloseIcon fontSize="inherit" />
              </IconButton>
            </li>
          );
        })}
      </Legend>
    </Paper>
  );
}

interface Shown {
  byId: ReadonlyMap<string, Server>;
  asked: readonly Asked<TimeseriesAnswer>[];
}

function OneChart({ chart, ids, byId, asked, range, onRange }: Shown & OneChartProps) {
  const { name, title, unit, resource } = chart;
  const small = useMediaQuery(PHONE);
  const series = ids.flatMap((id, index): ChartSeries[] => {
    const answer = asked[index]?.data;
    if (answer === undefined) return [];
    const points = withoutBands(bandPoints(answer.timeseries, name));
    return [{ id, label: nameOf(byId.get(id), asked[index]), colour: colourOf(index), points }];
  });
  const known = ids.flatMap((id) => byId.get(id) ?? []);
  const shared = resource === null ? null : sharedLine(known, resource);
  const top = highest(series.map(({ points }) => points)) ?? 0;
  const line = shared?.line ?? null;
  const isShare = unit === '%' && name !== 'io_wait';
  const yMax = isShare ? 100 : niceMax(Math.max(top, line === null ? 1 : line * 1.2));
  const { from, to } = asked.find(({ data }) => data !== undefined)?.data ?? rangeBounds(range, 0);
  return (
    <ChartCard
      title={title}
      subject={`${ids.length} servers`}
      {...(shared?.note == null ? {} : { note: shared.note })}
      from={from}
      to={to}
      yMax={yMax}
      steps={isShare ? 5 : 2}
      unit={unit}
      series={series}
      line={line}
      critical={shared?.critical ?? null}
      loading={asked.every(({ data, error }) => data === undefined && error === null)}
      endLabels={!small}
      legend={<span />}
      onBrush={(start, end) => onRange({ kind: 'absolute', from: start, to: end })}
    />
  );
}
interface OneChartProps extends Pick<CompareChartsProps, 'ids' | 'range' | 'onRange'> {
  chart: (typeof CHARTS)[number];
}

/** The chosen servers, one chart per metric: all on one axis, against the line they share. */
export default function CompareCharts({ ids, servers, range, onRange, onRemove }: CompareChartsProps) {
  const asked = useQueries(ids.map((id) => timeseriesQuery(range, id)));
  const byId = new Map((servers ?? []).map((server) => [server.id, server]));
  const failed = asked.filter(({ error, data }) => error !== null && error.status !== 404 && data === undefined);
  const [first] = failed;
  return (
    <>
      <Toolbar>
        <RangeToggle hours={HOURS} range={range} onChange={onRange} />
        <RangeWords range={range} onChange={onRange} />
      </Toolbar>
      <Names ids={ids} byId={byId} asked={asked} onRemove={onRemove} />
      {first?.error != null && (
        <ErrorState
          message={`${failed.length} of ${ids.length} servers could not be loaded: ${first.error.message}`}
          detail={failureDetail(first.error)}
          onRetry={() => failed.forEach((one) => void one.refetch())}
        />
      )}
      <Grid>
        {CHARTS.map((chart) => (
          <OneChart
            key={chart.name}
            chart={chart}
            ids={ids}
            byId={byId}
            asked={asked}
            range={range}
            onRange={onRange}
          />
        ))}
      </Grid>
    </>
  );
}
