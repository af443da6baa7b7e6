import { networkMetricsQuery, networkTimeseriesQuery } from '../../api/network.ts';
import { useQuery } from '../../api/query.ts';
import { useServerNames } from '../../api/server-names.ts';
import { ChartCard } from '../../components/chart/chart-card.tsx';
import { Failure, NotLoaded } from '../../components/feedback/feed-panel.tsx';
import { serversQuery } from '../../api/servers.ts';
import { Page } from '../../components/page.tsx';
import { RangeToggle } from '../../components/form/range-toggle.tsx';
import { ServerFilter } from '../../components/form/server-filter.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Toolbar, ToolbarNote } from '../../components/form/toolbar.tsx';
import { useFilters } from '../../state/use-filters.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { highest, niceMax } from '../../components/chart/points/chart-shape.ts';
import { axisText, ratePlaces } from '../../format/figures.ts';
import { latestNetwork } from './network-now.ts';
import {
  chartGaps,
  connectionSeries,
  ratePoints,
  rateTick,
  rateTop,
} from '../../components/chart/points/series-shape.ts';
import { rangeBounds, SERVER_RANGES } from '../../time/range.ts';
import { reportedWords } from './reported-words.ts';
import { NetworkTiles } from './network-tiles.tsx';

const CHART_PX = 260;

export function Component() {
  const { range, server, setRange, setServer } = useFilters();
  const servers = useServerNames();
  const serverId = server === '' ? undefined : server;
  const asked = useQuery(networkTimeseriesQuery(range, serverId));
  const summary = useQuery(serversQuery({ limit: 1 })).data?.summary;
  const newest = useQuery(networkMetricsQuery(serverId)).data?.metrics[0];
  useFreshness('updated', asked.dataUpdatedAt || null);

  const points = asked.data?.timeseries ?? [];
  const now = latestNetwork(points, serverId === undefined ? undefined : newest);
  const { from, to } = asked.data ?? rangeBounds(range, 0);
  const rates = [
    { id: 'in', label: 'Inbound', colour: 1, points: ratePoints(points, 'inbound') },
    { id: 'out', label: 'Outbound', colour: 2, points: ratePoints(points, 'outbound') },
  ] as const;
  const states = connectionSeries(points);
  const shared = {
    from,
    to,
    height: CHART_PX,
    gaps: asked.data === undefined ? [] : chartGaps(asked.data),
    loading: asked.data === undefined && asked.error === null,
    ...(asked.data === undefined && asked.error !== null ? { failure: <NotLoaded /> } : {}),
    onBrush: (start: number, end: number) => setRange({ kind: 'absolute', from: start, to: end }),
  };
  const name = servers.find(({ id }) => id === server)?.name;
  const where = name ?? (summary === undefined ? 'all servers' : reportedWords(summary));
  return (
    <Page title="Network" sentence={`Bandwidth and connections, ${where}.`}>
      <Toolbar>
        <ServerFilter value={server} servers={servers} onChange={setServer} />
        <RangeToggle hours={SERVER_RANGES} range={range} onChange={setRange} />
        <ToolbarNote>Drag on a chart to zoom</ToolbarNote>
      </Toolbar>
      <Failure asked={asked} />
      <NetworkTiles now={now} one={serverId !== undefined || servers.length === 1} />
      <ChartCard
        {...shared}
        title="Bandwidth"
        note={where}
        unit="MB/s"
        places={ratePlaces}
        yMax={rateTop(rates.map((each) => each.points))}
        steps={4}
        format={rateTick}
        series={rates}
        empty={<EmptyState sentence="No bandwidth data available" reason="Nothing was reported in this range." />}
      />
      <ChartCard
        {...shared}
        title="Connection states"
        note={where}
        places={0}
        yMax={niceMax(highest(states.map((each) => each.points)) ?? 1)}
        steps={4}
        series={states}
        format={axisText}
        endLabels
        empty={<EmptyState sentence="No connection data available" reason="Nothing was reported in this range." />}
      />
    </Page>
  );
}
