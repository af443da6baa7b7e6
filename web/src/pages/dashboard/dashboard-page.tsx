import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import { latestMetricsQuery } from '../../api/metrics.ts';
import { clustersQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { serversQuery } from '../../api/servers.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { Page } from '../../components/page.tsx';
import { NoServerInScope } from '../../components/feedback/nothing-in-scope.tsx';
import { useView } from '../../state/view.ts';
import { EmptyState } from '../../components/feedback/states.tsx';
import { useFreshness } from '../../state/use-freshness.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { ActiveAlerts } from './active-alerts.tsx';
import { FleetPanel } from './fleet-panel.tsx';
import { FleetStats } from './fleet-stats.tsx';
import { DashboardSentence } from './sentence.tsx';
import { KubernetesCard } from './kubernetes-card.tsx';
import { RecentActivity } from './recent-activity.tsx';
import { ServerGrid } from './server-grid.tsx';
import { TerminalOutlined as TerminalIcon } from '../../components/icons/material.tsx';

/** Less than four alerts, beside more than one panel. */
const FEW_ALERTS =
  '&:has(.active li, .active [data-size="line"]):not(:has(.active li:nth-of-type(4))):has(.side > * + *)';

const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  gridTemplateColumns: 'minmax(0, 1.4fr) minmax(0, 1fr)',
  // Both columns end at the same height.
  '& > div': { display: 'flex', flexDirection: 'column', gap: 12, minWidth: 0 },
  '& > div > :last-child': { flex: 1 },
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
  // A short list of alerts would leave a hole beside the activity, which then stands below.
  [theme.breakpoints.up('lg')]: {
    [FEW_ALERTS]: {
      '& > .side': { display: 'contents' },
      '& > .side > :last-child': { gridColumn: '1 / -1' },
    },
  },
}));
/** On a phone the alerts come before every figure, and what stands beside them on a wide screen comes after. */
const Order = styled('div')(({ theme }) => ({
  display: 'flex',
  flexDirection: 'column',
  gap: 16,
  minWidth: 0,
  [theme.breakpoints.down('sm')]: {
    gap: 12,
    '& > .alerts': { display: 'contents' },
    '& > .alerts > *': { order: 3 },
    '& > .alerts > .active': { order: 0 },
    '& > .fleet': { order: 1 },
    '& > .stats': { order: 2 },
    '& > *': { order: 4 },
  },
}));

const InstallAgent = ({ variant }: { variant: 'outlined' | 'contained' }) => (
  <Button component={Link} to={paths.setup} variant={variant} startIcon={<TerminalIcon />}>
    Install Agent
  </Button>
);

function OutsideScope() {
  const { data } = useQuery(clustersQuery());
  return <NoServerInScope clusters={data?.clusters ?? []} />;
}

export function Component() {
  const { scope } = useView();
  const servers = useQuery(serversQuery());
  const metrics = useQuery(latestMetricsQuery());
  const summary = servers.data?.summary;
  const age = summary?.newest_report_age_seconds ?? null;
  useFreshness('updated', age === null ? null : servers.dataUpdatedAt - age * 1000);

  if (summary?.total === 0) {
    return (
      <Page title="Dashboard" sentence={scope === '' ? 'No server is monitored yet.' : 'No server is in the scope.'}>
        <Paper>
          {scope === '' ? (
            <EmptyState
              size="page"
              sentence="No servers connected yet"
              reason="Run one command on a Linux or macOS machine. It appears here in 1-2 minutes."
              action={<InstallAgent variant="contained" />}
            />
          ) : (
            <OutsideScope />
          )}
        </Paper>
      </Page>
    );
  }
  return (
    <Page
      title="Dashboard"
      sentence={<DashboardSentence answer={servers.data} />}
      actions={<InstallAgent variant="outlined" />}
    >
      <Failure asked={servers} />
      <Order>
        <div className="fleet">
          <FleetPanel answer={servers.data} />
        </div>
        <div className="stats">
          <FleetStats summary={summary} />
        </div>
        <Columns className="alerts">
          <div className="active">
            <ActiveAlerts />
          </div>
          <div className="side">
            {summary !== undefined && summary.kubernetes_nodes > 0 && <KubernetesCard />}
            <RecentActivity />
          </div>
        </Columns>
        <ServerGrid servers={servers.data?.servers} total={summary?.total} metrics={metrics.data?.metrics} />
      </Order>
    </Page>
  );
}
