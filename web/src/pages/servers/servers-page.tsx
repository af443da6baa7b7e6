import TerminalIcon from '@mui/icons-material/TerminalOutlined';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Server } from '@plimsoll/contract/wire/servers';
import { useCardSparks } from '../../api/card-sparks.ts';
import { latestMetricsQuery } from '../../api/metrics.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { serversQuery } from '../../api/servers.ts';
import { FleetCards, SERVER_CARD } from '../../components/fleet/fleet-cards.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Page } from '../../components/page.tsx';
import { CardGrid } from '../../components/fleet/server-card.tsx';
import { ServerCardSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { useCardWindow } from '../../components/fleet/use-card-window.ts';
import { useFreshness } from '../../state/use-freshness.ts';
import { byServer } from '../../format/server-facts.ts';
import { plural } from '../../format/figures.ts';
import { parseView, regionsOf, viewSearch, viewServers, withoutFilters } from './servers-view.ts';
import type { ServersView } from './servers-view.ts';
import { paths } from '../../paths.ts';
import { Link, useSearchParams } from '../../router.ts';
import { FleetList } from './fleet-list.tsx';
import { FleetTable } from './fleet-table.tsx';
import { ServersStats } from './servers-stats.tsx';
import { ServersToolbar } from './servers-toolbar.tsx';

const SKELETONS = 8;

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

const NoServers = () => (
  <Paper>
    <EmptyState
      size="page"
      sentence="No servers connected yet"
      reason="Run one command on a Linux or macOS machine. It appears here in 1-2 minutes."
      action={install}
    />
  </Paper>
);

function Cards({ servers, latest }: { servers: readonly Server[]; latest: ReturnType<typeof byServer> }) {
  const [grid, sight] = useCardWindow<HTMLDivElement>(servers.length, SERVER_CARD);
  const sparks = useCardSparks(servers, sight);
  return <FleetCards grid={grid} servers={servers} sight={sight} latest={latest} sparks={sparks} />;
}

export function Component() {
  const [search, setSearch] = useSearchParams();
  const small = useMediaQuery('(max-width: 899.95px)');
  const view = parseView(search);
  const change = (part: Partial<ServersView>) =>
    setSearch((before) => viewSearch({ ...parseView(before), ...part }), { replace: true });
  const asked = useQuery(serversQuery({ limit: ROWS.allServers }));
  const latest = byServer(useQuery(latestMetricsQuery()).data?.metrics);
  const { servers, summary } = asked.data ?? {};
  const age = summary?.newest_report_age_seconds ?? null;
  useFreshness('updated', age === null ? null : asked.dataUpdatedAt - age * 1000);

  const regions = regionsOf(servers ?? []);
  const shown = viewServers(servers ?? [], view, latest);
  const where = regions.length > 1 ? ` in ${plural(regions.length, 'region')}` : '';
  return (
    <Page
      title="Servers"
      sentence={summary === undefined ? 'Loading the fleet…' : `${plural(summary.total, 'server')}${where}`}
      actions={install}
    >
      <Failure asked={asked} />
      <ServersStats summary={summary} />
      {summary?.total === 0 ? (
        <NoServers />
      ) : (
        <>
          <ServersToolbar view={view} regions={regions} onChange={change} />
          {servers === undefined && asked.error === null && <Loading />}
          {servers !== undefined && shown.length === 0 && <NoMatch onClear={() => change(withoutFilters(view))} />}
          {shown.length > 0 && view.view === 'table' && small && <FleetList servers={shown} latest={latest} />}
          {shown.length > 0 && view.view === 'table' && !small && (
            <FleetTable servers={shown} latest={latest} view={view} onChange={change} />
          )}
          {shown.length > 0 && view.view === 'cards' && <Cards servers={shown} latest={latest} />}
        </>
      )}
    </Page>
  );
}
