import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ReactNode } from 'react';
import { timeseriesQuery, latestMetricsQuery } from '../../api/metrics.ts';
import { aroundMoment, useQuery } from '../../api/query.ts';
import { serverQuery } from '../../api/servers.ts';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { Page } from '../../components/page.tsx';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { NotStored } from '../../components/feedback/not-stored.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { EmptyState, failureDetail } from '../../components/feedback/states.tsx';
import type { CallFailure } from '../../components/feedback/states.tsx';
import { useFreshness } from '../../state/use-freshness.ts';
import { useMoment } from './use-moment.ts';
import { momentMs } from '../../time/age.ts';
import { serverName } from '../../format/server-facts.ts';
import { PHONE } from '../../components/screen.ts';
import { paths } from '../../paths.ts';
import { Link, useParams } from '../../router.ts';
import { HiddenPanel } from './hiding/hidden-panel.tsx';
import { withoutHidden } from './hiding/hidden-parts.ts';
import { HidingProvider } from './hiding/hiding.tsx';
import { useHiding } from './hiding/use-hiding.ts';
import { HardwarePanel } from './hardware/hardware-panel.tsx';
import { NetworkPanel } from './network-panel.tsx';
import { ConnectionsTable } from './details/connections-table.tsx';
import { MetricTiles } from './metric-tiles.tsx';
import { IdentityNotice } from './identity-notice.tsx';
import { RefusedNotice } from './refused-notice.tsx';
import { LinesPanel } from '../../components/lines/lines-panel.tsx';
import { ServerActivity } from './server-activity.tsx';
import { ServerAlerts } from './server-alerts.tsx';
import { ServerCharts } from './server-charts.tsx';
import { ServerHeader } from './server-header.tsx';
import { ServerInformation } from './server-information.tsx';
import { ServerInside } from './server-inside.tsx';
import { ServerToolbar } from './server-toolbar.tsx';
import { TcpRetransmits } from './tcp-retransmits.tsx';
import { TopProcesses } from './top-processes.tsx';
import { useMarks } from './use-marks.ts';
import { WhatRan } from './what-ran/what-ran.tsx';
import { ArrowBack as ArrowBackIcon } from '../../components/icons/pages.tsx';

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  alignItems: 'start',
  gridTemplateColumns: 'minmax(0, 1.9fr) minmax(0, 1fr)',
  // Not a grid: what stands beside the charts sticks while all of its column passes.
  '& > div': { display: 'flex', flexDirection: 'column', gap: 12, minWidth: 0, alignSelf: 'stretch' },
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
/** The browser balances the columns, however many of the tables a host has. */
const Balanced = styled('div')(({ theme }) => ({
  columns: 2,
  columnGap: 12,
  '& > *': { breakInside: 'avoid', marginBottom: 12 },
  [theme.breakpoints.down('lg')]: { columns: 1 },
}));

const NOT_FOUND = 404;
/** An id that is no id is answered like an unknown one. */
const BAD_ID = 400;

/** `error`: null while the server is being read. */
function Missing({ error, onRetry }: { error: CallFailure | null; onRetry: () => void }) {
  if (error === null) return <PageSpinner />;
  const { status } = error;
  const unknown = status === NOT_FOUND || status === BAD_ID;
  return (
    <Page title={unknown ? 'Server not found' : 'Failed to load server details'}>
      <Paper>
        <EmptyState
          size="page"
          sentence={unknown ? 'It was deleted, or it belongs to another account.' : failureDetail(error)}
          action={
            <span>
              <Button component={Link} to={paths.servers} variant="contained" startIcon={<ArrowBackIcon />}>
                Back to Servers
              </Button>{' '}
              {!unknown && (
                <Button variant="outlined" onClick={onRetry}>
                  Retry
                </Button>
              )}
            </span>
          }
        />
      </Paper>
    </Page>
  );
}

/** The moment of the newest figures. */
const reportedAt = (server: ServerDetail | undefined): number | null =>
  server?.status === 'refused' ? momentMs(server.refusal?.last_stored_at) : momentMs(server?.last_seen_at);

function Connections({ server, isPast }: { server: ServerDetail; isPast: boolean }) {
  if (!isPast) return <ConnectionsTable serverId={server.id} hostname={serverName(server)} />;
  return (
    <NotStored
      title="Connections and details"
      reason="Connections, cores, pressure, mounts, interfaces, containers and units are kept from the last report only."
    />
  );
}

interface DetailsProps {
  server: ServerDetail;
  hiding: ReturnType<typeof useHiding>;
  isPast: boolean;
  /** Drawn last. */
  children: ReactNode;
}

/** The tables below the charts. */
function Details({ server, hiding, isPast, children }: DetailsProps) {
  return (
    <Balanced>
      <Connections server={server} isPast={isPast} />
      <HiddenPanel hidden={hiding.hidden} onShow={hiding.show} problem={hiding.problem} />
      <HidingProvider value={hiding.hide}>
        <ServerInside server={server} />
      </HidingProvider>
      {children}
    </Balanced>
  );
}

export function Component() {
  const { serverId = '' } = useParams();
  const narrow = useMediaQuery('(max-width: 1199.95px)');
  const phone = useMediaQuery(PHONE);
  const asked = useQuery(serverQuery(serverId));
  const metrics = useQuery(latestMetricsQuery(serverId));
  const hiding = useHiding(serverId);
  const reported = asked.data?.server;
  const server = reported && withoutHidden(reported, hiding.hidden);
  const { at, setAt, range, setRange } = useMoment(asked.dataUpdatedAt);
  const series = useQuery({ ...aroundMoment(timeseriesQuery(range, serverId)), enabled: server !== undefined });
  const marks = useMarks(serverId, range, series.data, { onMoment: setAt, onRange: setRange });
  useFreshness('reported', reportedAt(server), server !== undefined && server.status !== 'active');

  if (server === undefined) return <Missing error={asked.error} onRetry={() => void asked.refetch()} />;
  const latest = metrics.data?.metrics[0];
  const points = series.data?.timeseries.filter(({ timestamp }) => at === null || timestamp <= at);
  const peaks = at === null ? series.data?.peaks : undefined;
  const activity = (
    <>
      <ServerActivity serverId={serverId} />
      <LinesPanel place={{ server_id: serverId }} />
    </>
  );
  const toolbar = (
    <ServerToolbar server={server} {...{ range, at }} onRange={setRange} onMoment={setAt} answer={series.data} />
  );
  const shared = { range, onRange: setRange, marks, moment: at, onMoment: setAt };
  const alerts = <ServerAlerts serverId={serverId} />;
  return (
    <Page title={serverName(server)} header={false}>
      <ServerHeader
        server={server}
        latest={latest}
        points={points ?? []}
        peaks={peaks}
        nowMs={at === null ? series.dataUpdatedAt : at * 1000}
      />
      <RefusedNotice server={server} />
      <IdentityNotice server={server} />
      {phone && alerts}
      {!phone && toolbar}
      {metrics.data === undefined && <Failure asked={metrics} />}
      <MetricTiles server={server} latest={latest} failure={metrics.error} points={points} peaks={peaks} />
      {phone && toolbar}
      <Columns>
        <div>
          <ServerCharts {...{ server, latest, series, ...shared }} />
        </div>
        <div>
          {at !== null && (
            <WhatRan
              key={at}
              server={server}
              at={at}
              nowMs={asked.dataUpdatedAt}
              gaps={series.data?.gaps ?? []}
              beside={!narrow}
              onMoment={setAt}
              onClose={() => setAt(null)}
            />
          )}
          {!phone && alerts}
          {/* The panel of the moment stands above. */}
          {at === null && <TopProcesses server={server} latest={latest} />}
          <HardwarePanel server={server} />
          <NetworkPanel serverId={serverId} {...shared}>
            <TcpRetransmits latest={latest} answer={series.data} />
          </NetworkPanel>
          {narrow && activity}
          <ServerInformation server={server} />
        </div>
      </Columns>
      <Details {...{ server, hiding }} isPast={at !== null}>
        {!narrow && activity}
      </Details>
    </Page>
  );
}
