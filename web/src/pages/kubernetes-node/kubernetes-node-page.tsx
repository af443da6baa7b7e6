import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { clusterOverviewQuery, nodePodsQuery, nodeQuery } from '../../api/kubernetes.ts';
import { useQuery } from '../../api/query.ts';
import { ExportButton } from '../../components/export/export-button.tsx';
import { podsExport } from '../../components/kubernetes/cluster-exports.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { PodTable } from '../../components/kubernetes/pod-table.tsx';
import { KubernetesSection } from '../../components/kubernetes/section.tsx';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { RowsSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { podKey } from '../../components/kubernetes/kubernetes-words.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link, useNavigate, useParams } from '../../router.ts';
import { NodeFacts, NodeState } from './node-header.tsx';
import { NodeHistory } from './node-history.tsx';
import { NodeConditions, NodeInformation } from './node-information.tsx';
import { NodeWarnings } from './node-warnings.tsx';
import { NodeStats } from './node-stats.tsx';

/** More than a kubelet runs in any installation known to us. */
const MOST_PODS = 500;

const Two = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 2fr) minmax(0, 1fr)',
  alignItems: 'start',
  gap: 12,
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
const Stack = styled('div')({ display: 'grid', gap: 12, minWidth: 0 });

export function Component() {
  const { serverId = '', nodeName } = useParams();
  return <NodeDetail key={serverId} serverId={serverId} nodeName={nodeName ?? null} />;
}

function NodeDetail({ serverId, nodeName }: { serverId: string; nodeName: string | null }) {
  const asked = useQuery(nodeQuery(serverId));
  if (asked.data !== undefined) return <Node node={asked.data} failure={<Failure asked={asked} />} />;
  if (asked.isPending) return <PageSpinner />;
  const missing = asked.error.status === 404 || asked.error.status === 400;
  return (
    <Page title={nodeName === null ? 'Node' : escapeInvisible(nodeName)}>
      <Panel>
        {missing ? (
          <EmptyState
            size="page"
            sentence="Node not found"
            reason="It was removed from its cluster, or its server was deleted."
            action={
              <Button variant="outlined" component={Link} to={paths.kubernetesNodes}>
                All nodes
              </Button>
            }
          />
        ) : (
          <Failure asked={asked} />
        )}
      </Panel>
    </Page>
  );
}

function Node({ node, failure }: { node: KubernetesNode; failure: React.ReactNode }) {
  const overview = useQuery(clusterOverviewQuery(node.cluster_id));
  return (
    <KubernetesSection
      tab="nodes"
      crumbs={[
        { label: 'Kubernetes', to: paths.kubernetes },
        { label: 'Nodes', to: paths.kubernetesNodes },
        { label: escapeInvisible(node.node_name) },
      ]}
      title={escapeInvisible(node.node_name)}
      chip={<NodeState node={node} />}
      sentence={<NodeFacts node={node} />}
      aside={
        <Button variant="outlined" component={Link} to={paths.server(node.server_id)}>
          Server view
        </Button>
      }
      overview={overview}
    >
      {failure}
      <NodeStats node={node} />
      <NodeHistory node={node} />
      <Two>
        <NodePods node={node} />
        <Stack>
          <NodeConditions node={node} />
          <NodeWarnings node={node} />
          <NodeInformation node={node} />
        </Stack>
      </Two>
    </KubernetesSection>
  );
}

function NodePods({ node }: { node: KubernetesNode }) {
  const asked = useQuery(nodePodsQuery(node.server_id, MOST_PODS));
  const navigate = useNavigate();
  const pods = asked.data?.pods ?? [];
  return (
    <Panel
      title="Pods"
      note={asked.data === undefined ? undefined : String(asked.data.total)}
      actions={
        <ExportButton holds={['pods', node.node_name]} table={() => podsExport(pods)} disabled={pods.length === 0} />
      }
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={6} height={40} />}
      {asked.data !== undefined && pods.length === 0 && <EmptyState sentence="No pods found on this node" />}
      {pods.length > 0 && (
        <PodTable
          label={`Pods on ${node.node_name}`}
          pods={pods}
          compact
          grouped
          onOpen={(pod) => void navigate(paths.kubernetesPod(podKey(pod)))}
        />
      )}
    </Panel>
  );
}
