import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import { styled } from '@mui/material/styles';
import type { ClusterOverviewAnswer } from '@plimsoll/contract/wire/kubernetes';
import {
  allClustersQuery,
  clusterOverviewQuery,
  clustersQuery,
  nodesQuery,
  permissionsQuery,
} from '../../api/kubernetes.ts';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { useQuery } from '../../api/query.ts';
import { useIsAdmin } from '../../api/user.ts';
import type { Asked } from '../../api/query.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { NoNodeInScope } from '../../components/feedback/nothing-in-scope.tsx';
import { useClusterNames } from '../../api/cluster-names.ts';
import { ClusterSelect } from '../../components/kubernetes/cluster-select.tsx';
import { HealthChip } from '../../components/kubernetes/health-chip.tsx';
import { NodeLoad } from '../../components/kubernetes/node-load.tsx';
import { KubernetesSection, useClusterId } from '../../components/kubernetes/section.tsx';
import { WarningRows } from '../../components/kubernetes/warning-rows.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { clusterHealth, crashLooping, healthReasons } from '../../components/kubernetes/cluster-health.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { useView } from '../../state/view.ts';
import { ClusterStats } from './cluster-stats.tsx';
import { ClustersPanel } from './clusters-panel.tsx';
import { MostRestarts } from './most-restarts.tsx';
import { ObjectsPanel } from './objects-panel.tsx';
import { ReadersPanel } from './readers-panel.tsx';
import { WaysIn } from './ways-in.tsx';

const Middle = styled('div')({ display: 'grid', placeItems: 'center', minHeight: '50vh' });
const Two = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr)',
  alignItems: 'start',
  gap: 12,
  '& > :only-child': { gridColumn: '1 / -1' },
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));

/** Nodes of the load table; the rest is on the Nodes tab. */
const NODES_SHOWN = 10;
const WARNINGS_SHOWN = 4;

export function Component() {
  const cluster = useClusterId();
  const overview = useQuery(clusterOverviewQuery(cluster));
  const view = useView();
  if (overview.isPending) {
    return (
      <Page title="Kubernetes" header={false}>
        <Middle>
          <CircularProgress color="info" size={28} aria-label="Loading" />
        </Middle>
      </Page>
    );
  }
  if (overview.data === undefined) {
    return (
      <Page title="Kubernetes Monitoring" sentence="Monitor nodes, pods, and resources in real-time">
        <Panel>
          <Failure asked={overview} />
        </Panel>
      </Page>
    );
  }
  if (overview.data.total_nodes === 0) return view.scope === '' ? <NoCluster /> : <ClustersOutside />;
  return (
    <Overview asked={overview} overview={overview.data} cluster={cluster} failure={<Failure asked={overview} />} />
  );
}

/** The scope leaves every node out; without any cluster it is not the scope's doing. */
function ClustersOutside() {
  const clusters = useQuery(allClustersQuery()).data;
  if (clusters?.total === 0) return <NoCluster />;
  return (
    <Page title="Kubernetes Monitoring" sentence="Monitor nodes, pods, and resources in real-time">
      <Panel>
        <NoNodeInScope />
      </Panel>
    </Page>
  );
}

function NoCluster() {
  return (
    <Page title="Kubernetes Monitoring" sentence="Monitor nodes, pods, and resources in real-time">
      <Panel>
        <EmptyState
          size="page"
          sentence="Get Started with Kubernetes Monitoring"
          reason="Deploy the agent with the Helm chart. The nodes appear in 1-2 minutes."
          action={
            <Button variant="contained" component={Link} to={`${paths.setup}?on=kubernetes`}>
              Setup Kubernetes Connector
            </Button>
          }
        />
      </Panel>
    </Page>
  );
}

interface OverviewProps {
  asked: Asked<ClusterOverviewAnswer>;
  overview: ClusterOverviewAnswer;
  cluster: string | null;
  failure: React.ReactNode;
}

function Overview({ asked, overview, cluster, failure }: OverviewProps) {
  const query = cluster === null ? {} : { cluster_id: cluster };
  const nodes = useQuery(nodesQuery({ ...query, limit: NODES_SHOWN, sort: 'headroom', order: 'asc' }));
  const permissions = useQuery(permissionsQuery(cluster));
  const clusters = useQuery(clustersQuery());
  const isAdmin = useIsAdmin();
  const reasons = healthReasons(overview);
  const search = cluster === null ? '' : `?cluster=${encodeURIComponent(cluster)}`;
  const warnings = overview.warnings.slice(0, WARNINGS_SHOWN);
  const moment = useClusterMoment(cluster);
  const clusterName = useClusterNames(cluster);
  const managed = (clusters.data?.clusters ?? []).filter(({ cluster_id: id }) => cluster === null || id === cluster);
  return (
    <KubernetesSection
      tab="overview"
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }]}
      title="Kubernetes Cluster"
      chip={<HealthChip health={clusterHealth(overview)} reasons={reasons} crashing={crashLooping(overview)} />}
      sentence="Real-time monitoring of nodes, pods, and resource usage"
      aside={
        <>
          <ClusterSelect clusters={clusters.data?.clusters ?? []} />
          <p>{reasons}</p>
        </>
      }
      overview={asked}
      moment={moment}
    >
      {failure}
      <ClusterStats overview={overview} />
      <WaysIn nodes={overview.total_nodes} runningPods={overview.running_pods} search={search} />
      {permissions.data !== undefined && <ReadersPanel answer={permissions.data} />}
      {nodes.data !== undefined && nodes.data.nodes.length > 0 && (
        <Panel title="Node load" note="bar: used · thin bar: requested · tick: the line">
          <NodeLoad nodes={nodes.data.nodes} clusterName={clusterName} />
        </Panel>
      )}
      <Two>
        <MostRestarts pods={overview.summary.top_restarts} clusterName={clusterName} />
        {warnings.length > 0 && (
          <Panel title="Warning events" note="last 24 hours">
            <WarningRows events={warnings} clusterName={clusterName} />
          </Panel>
        )}
      </Two>
      {isAdmin && <ObjectsPanel clusters={managed} />}
      {isAdmin && <ClustersPanel clusters={managed} />}
    </KubernetesSection>
  );
}
