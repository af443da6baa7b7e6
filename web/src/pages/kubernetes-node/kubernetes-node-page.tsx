import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery, nodeQuery } from '../../api/kubernetes.ts';
import { changesQuery } from '../../api/change-ledger.ts';
import { ROWS } from '../../api/polling.ts';
import { useQuery } from '../../api/query.ts';
import { ChangesPanel } from '../../components/changes/changes-panel.tsx';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { NodeLossSentence } from '../../components/capacity/node-loss-sentence.tsx';
import { KubernetesSection } from '../../components/kubernetes/section.tsx';
import { PageSpinner } from '../../components/feedback/page-spinner.tsx';
import { Page } from '../../components/page.tsx';
import { Panel } from '../../components/panel.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link, useParams } from '../../router.ts';
import { NodeFacts, NodeState } from './node-header.tsx';
import { NodeHistory } from './node-history.tsx';
import { NodeConditions, NodeInformation } from './node-information.tsx';
import { NodeWarnings } from './node-warnings.tsx';
import { NodePods } from './node-pods.tsx';
import { NodeStats } from './node-stats.tsx';

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

const MONTH = { kind: 'relative', hours: 720 } as const;

function Node({ node, failure }: { node: KubernetesNode; failure: React.ReactNode }) {
  const overview = useQuery(clusterOverviewQuery(node.cluster_id));
  const moment = useClusterMoment(node.cluster_id);
  const place = { cluster_id: node.cluster_id, kind: 'Node', name: node.node_name };
  const changes = useQuery(changesQuery(MONTH, { ...place, limit: ROWS.placeChanges }));
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
      moment={moment}
    >
      {failure}
      <NodeLossSentence cluster={node.cluster_id} node={node.node_name} />
      <NodeStats node={node} />
      <NodeHistory node={node} />
      <Two>
        <NodePods serverId={node.server_id} nodeName={node.node_name} />
        <Stack>
          <NodeConditions node={node} />
          <NodeWarnings node={node} />
          <NodeInformation node={node} />
          <ChangesPanel place={place} asked={changes} />
        </Stack>
      </Two>
    </KubernetesSection>
  );
}
