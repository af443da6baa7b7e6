import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Server } from '@plimsoll/contract/wire/servers';
import { lazy, Suspense, useState, type ComponentProps } from 'react';
import { useCardSparks } from '../../api/card-sparks.ts';
import { latestMetricsQuery } from '../../api/metrics.ts';
import { ROWS } from '../../api/polling.ts';
import { containersCountQuery } from '../../api/containers.ts';
import { clustersQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { allServersQuery, serversQuery } from '../../api/servers.ts';
import { ExportButton } from '../../components/export/export-button.tsx';
import { serversTable } from './servers-export.ts';
import { FleetGroups } from '../../components/fleet/fleet-groups.tsx';
import { FleetCards, SERVER_CARD } from '../../components/fleet/fleet-cards.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Page } from '../../components/page.tsx';
import { CardGrid } from '../../components/fleet/server-card.tsx';
import { ChartSkeleton } from '../../components/chart/chart-skeleton.tsx';
import { CHART_PX } from '../../components/chart/chart-props.ts';
import { ServerCardSkeleton } from '../../components/feedback/skeletons.tsx';
import { NoServerInScope } from '../../components/feedback/nothing-in-scope.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { isLargeFleet } from '../../components/fleet/fleet-bars.ts';
import { useCardWindow } from '../../components/fleet/use-card-window.ts';
import { useView } from '../../state/view.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { byServer } from '../../format/server-facts.ts';
import { plural } from '../../format/figures.ts';
import { parseView, regionsOf, viewServers, withoutFilters, withView } from './servers-view.ts';
import type { ServersView } from './servers-view.ts';
import { paths } from '../../paths.ts';
import { Link, useSearchParams } from '../../router.ts';
import { parseRange, withRange } from '../../time/range.ts';
import { CompareBar } from './compare-bar.tsx';
import { MOST_COMPARED, parseCompared, toggled, withCompared, type Compared } from './compared.ts';
import { FindRoom } from './find-room.tsx';
import { GiveBack } from './give-back.tsx';
import { FleetList } from './fleet-list.tsx';
import { FleetTable } from './fleet-table.tsx';
import { HeatPanel } from './heat-panel.tsx';
import { ServersNav } from '../../components/fleet/servers-nav.tsx';
import { ServersStats } from './servers-stats.tsx';
import { ServersToolbar } from './servers-toolbar.tsx';
import { loadScript } from '../../state/load-script.ts';
import { TerminalOutlined as TerminalIcon } from '../../components/icons/material.tsx';

/** Loaded at first use. */
const CompareCharts = lazy(() => loadScript(() => import('./compare-charts.tsx')));

const SKELETONS = 8;

/** The heat grid beside the table of a large fleet. */
const Beside = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  gap: 16,
  minWidth: 0,
  '&[data-wide]': { display: 'grid', gridTemplateColumns: '560px minmax(0, 1fr)', gap: 12, alignItems: 'start' },
  '& > .list': { display: 'flex', flexDirection: 'column', gap: 12, minWidth: 0 },
});
const WIDE = '(min-width: 1920px)';

const install = (
  <Button component={Link} to={paths.setup} variant="contained" startIcon={<TerminalIcon />}>
    Install Agent
  </Button>
);

function Loading() {
  return (
    <CardGrid role="status" aria-label="Loading">
      {Array.from({ length: SKELETONS }, (_, index) => (
        <ServerCardSkeleton key={index} />
      ))}
    </CardGrid>
  );
}

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <Paper>
      <EmptyState
        sentence="No servers match your filters"
        action={
          <Button variant="outlined" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    </Paper>
  );
}

function OutsideScope() {
  const { data } = useQuery(clustersQuery());
  return <NoServerInScope clusters={data?.clusters ?? []} />;
}

const NoServers = ({ scoped }: { scoped: boolean }) => (
  <Paper>
    {scoped ? (
      <OutsideScope />
    ) : (
      <EmptyState
        size="page"
        sentence="No servers connected yet"
        reason="Run one command on a Linux or macOS machine. It appears here in 1-2 minutes."
        action={install}
      />
    )}
  </Paper>
);

function Cards({ servers, latest }: { servers: readonly Server[]; latest: ReturnType<typeof byServer> }) {
  const [grid, sight] = useCardWindow<HTMLDivElement>(servers.length, SERVER_CARD);
  const sparks = useCardSparks(servers, sight);
  return <FleetCards grid={grid} servers={servers} sight={sight} latest={latest} sparks={sparks} />;
}

/** Cards, a table, or on a small screen a list. */
function Fleet(props: ComponentProps<typeof FleetTable>) {
  const { servers, latest, view, ticks } = props;
  const small = useMediaQuery('(max-width: 899.95px)');
  if (view.view === 'table' && !small) return <FleetTable {...props} />;
  return (
    <FleetGroups servers={servers} grouped={view.sort === 'headroom'} heading="h2">
      {(group) =>
        view.view === 'table' ? (
          <FleetList servers={group} latest={latest} ticks={ticks} />
        ) : (
          <Cards servers={group} latest={latest} />
        )
      }
    </FleetGroups>
  );
}

/** Returns the panels below the figures of the fleet, and the buttons that open them. */
function useAdvice() {
  const [isFinding, setFinding] = useState(false);
  const [isGiving, setGiving] = useState(false);
  const buttons = (
    <>
      <Button variant="outlined" aria-expanded={isFinding} onClick={() => setFinding(!isFinding)}>
        Find room
      </Button>
      <Button variant="outlined" aria-expanded={isGiving} onClick={() => setGiving(!isGiving)}>
        Give back
      </Button>
    </>
  );
  const panels = (
    <>
      {isFinding && <FindRoom />}
      {isGiving && <GiveBack />}
    </>
  );
  return { buttons, panels };
}

export function Component() {
  const [search, setSearch] = useSearchParams();
  const view = parseView(search);
  const change = (part: Partial<ServersView>) =>
    setSearch((before) => withView(before, { ...parseView(before), ...part }), { replace: true });
  const compared = parseCompared(search);
  const compare = (next: Compared) =>
    setSearch((before) => withCompared(before, next), { replace: next.open === compared.open });
  const ticks = {
    ids: compared.ids,
    full: compared.ids.length >= MOST_COMPARED,
    toggle: (id: string) => compare({ ...compared, ids: toggled(compared.ids, id) }),
  };
  // A compared server may be outside the scope.
  const every = useQuery({ ...allServersQuery(), enabled: compared.open });
  const { scope } = useView();
  const asked = useQuery(serversQuery({ limit: ROWS.allServers }));
  const containers = useQuery(containersCountQuery()).data?.summary.total;
  const latest = byServer(useQuery(latestMetricsQuery()).data?.metrics);
  const { servers, summary } = asked.data ?? {};
  const age = summary?.newest_report_age_seconds ?? null;
  useFreshness('updated', age === null ? null : asked.dataUpdatedAt - age * 1000);

  const advice = useAdvice();
  const roomy = useMediaQuery(WIDE);
  const beside = roomy && view.view === 'table' && asked.data !== undefined && isLargeFleet(asked.data.fleet);
  const regions = regionsOf(servers ?? []);
  const shown = viewServers(servers ?? [], view, latest);
  const where = regions.length > 1 ? ` in ${plural(regions.length, 'region')}` : '';
  return (
    <Page
      title="Servers"
      sentence={summary === undefined ? 'Loading the fleet…' : `${plural(summary.total, 'server')}${where}`}
      actions={
        <>
          <ExportButton
            holds={['servers']}
            table={() => serversTable(shown, latest)}
            disabled={shown.length === 0}
            labelled
          />
          {advice.buttons}
          {install}
        </>
      }
    >
      <ServersNav current="servers" servers={summary?.total} containers={containers} />
      <Failure asked={asked} />
      <ServersStats summary={summary} />
      {advice.panels}
      {summary?.total === 0 ? (
        <NoServers scoped={scope !== ''} />
      ) : compared.open ? (
        <Suspense fallback={<ChartSkeleton height={CHART_PX} />}>
          <CompareBar compared={compared} onChange={compare} />
          <CompareCharts
            ids={compared.ids}
            servers={every.data?.servers}
            range={parseRange(search)}
            onRange={(range) => setSearch((before) => withRange(before, range))}
            onRemove={(id) => compare({ ...compared, ids: compared.ids.filter((one) => one !== id) })}
          />
        </Suspense>
      ) : (
        <Beside data-wide={beside ? '' : undefined}>
          {beside && <HeatPanel answer={asked.data} latest={latest} />}
          <div className="list">
            <ServersToolbar view={view} regions={regions} onChange={change} />
            {servers === undefined && asked.error === null && <Loading />}
            {servers !== undefined && shown.length === 0 && <NoMatch onClear={() => change(withoutFilters(view))} />}
            {shown.length > 0 && <Fleet servers={shown} latest={latest} view={view} onChange={change} ticks={ticks} />}
          </div>
        </Beside>
      )}
      {!compared.open && <CompareBar compared={compared} onChange={compare} />}
    </Page>
  );
}
