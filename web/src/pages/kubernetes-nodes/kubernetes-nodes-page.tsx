import { styled } from '@mui/material/styles';
import type { KubernetesNode, NodesAnswer } from '@plimsoll/contract/wire/kubernetes';
import { useClusterMoment } from '../../api/cluster-moment.ts';
import { clusterOverviewQuery, clustersQuery, nodesQuery } from '../../api/kubernetes.ts';
import { useEveryRow } from '../../api/every-row.ts';
import { useQuery } from '../../api/query.ts';
import { Chip } from '../../components/chips.tsx';
import { ExportButton } from '../../components/export/export-button.tsx';
import { nodesExport } from '../../components/kubernetes/cluster-exports.ts';
import { Failure } from '../../components/feedback/feed-panel.tsx';
import { NoNodeInScope } from '../../components/feedback/nothing-in-scope.tsx';
import { useClusterNames } from '../../api/cluster-names.ts';
import type { ClusterNameOf } from '../../components/kubernetes/cluster-name-of.ts';
import { ClusterSelect } from '../../components/kubernetes/cluster-select.tsx';
import { KubernetesSection, useClusterId } from '../../components/kubernetes/section.tsx';
import { Pager } from '../../components/pager.tsx';
import { Panel } from '../../components/panel.tsx';
import { ServerCardSkeleton } from '../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../components/feedback/states.tsx';
import { Toggle, Toolbar, ToolbarEnd } from '../../components/form/toolbar.tsx';
import { numberText, plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { useSearchParams } from '../../router.ts';
import { useView } from '../../state/view.ts';
import { NodeCard } from './node-card.tsx';
import { NodeTable } from './node-table.tsx';
import {
  GridViewOutlined as GridViewIcon,
  TableRowsOutlined as TableRowsIcon,
} from '../../components/icons/material.tsx';

type View = 'grid' | 'table';
const PAGE_ROWS = 100;

const Grid = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(4, minmax(0, 1fr))',
  gap: 12,
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
  [theme.breakpoints.down('md')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));

const VIEWS = [
  {
    value: 'grid',
    label: (
      <>
        <GridViewIcon /> Grid
      </>
    ),
  },
  {
    value: 'table',
    label: (
      <>
        <TableRowsIcon /> Table
      </>
    ),
  },
] as const;

/** View and page, kept in the address. */
function useNodesView() {
  const [search, setSearch] = useSearchParams();
  const set = (name: string, value: string | null) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (value === null) next.delete(name);
      else next.set(name, value);
      return next;
    });
  const offset = Number(search.get('offset') ?? 0);
  return {
    view: search.get('view') === 'table' ? ('table' as const) : ('grid' as const),
    offset: Number.isInteger(offset) && offset > 0 ? offset : 0,
    setView: (view: View) => set('view', view === 'grid' ? null : view),
    setOffset: (next: number) => set('offset', next === 0 ? null : String(next)),
  };
}

const Heading = styled('h2')(({ theme }) => ({
  ...theme.typography.h2,
  margin: 0,
  '&[data-broken]': { color: theme.vars.palette.load.overText },
}));

interface NodesProps {
  view: View;
  nodes: readonly KubernetesNode[];
  clusterName: ClusterNameOf;
}

/** Broken nodes first, in a group of their own; without one there is no heading. */
function Nodes({ view, nodes, clusterName }: NodesProps) {
  const broken = nodes.filter(({ ready }) => ready !== true);
  const well = nodes.filter(({ ready }) => ready === true);
  if (broken.length === 0) return <NodeGroup view={view} nodes={nodes} clusterName={clusterName} />;
  return (
    <>
      <Heading data-broken="">{plural(broken.length, 'broken node')}</Heading>
      <NodeGroup view={view} nodes={broken} clusterName={clusterName} />
      {well.length > 0 && <Heading>Ready</Heading>}
      {well.length > 0 && <NodeGroup view={view} nodes={well} clusterName={clusterName} />}
    </>
  );
}

function NodeGroup({ view, nodes, clusterName }: NodesProps) {
  if (view === 'table') return <NodeTable nodes={nodes} clusterName={clusterName} />;
  return (
    <Grid>
      {nodes.map((node) => (
        <NodeCard key={node.server_id} node={node} cluster={clusterName(node.cluster_id)} />
      ))}
    </Grid>
  );
}

function Counts({ answer }: { answer: NodesAnswer | undefined }) {
  if (answer === undefined) return null;
  const { total, not_ready: notReady } = answer.summary;
  return (
    <>
      <Chip>Total: {numberText(total)}</Chip>
      <Chip>Running: {numberText(total)}</Chip>
      {notReady > 0 && <Chip tone="over">Not Ready: {numberText(notReady)}</Chip>}
    </>
  );
}

export function Component() {
  const cluster = useClusterId();
  const { view, offset, setView, setOffset } = useNodesView();
  const query = { ...(cluster === null ? {} : { cluster_id: cluster }), sort: 'headroom', order: 'asc' } as const;
  const asked = useQuery(nodesQuery({ ...query, limit: PAGE_ROWS, offset }));
  const everyNode = useEveryRow(
    (page) => nodesQuery({ ...query, ...page }),
    ({ nodes, total }) => ({ rows: nodes, total }),
  );
  const overview = useQuery(clusterOverviewQuery(cluster));
  const clusters = useQuery(clustersQuery()).data?.clusters ?? [];
  const { scope } = useView();
  const answer = asked.data;
  const moment = useClusterMoment(cluster);
  const clusterName = useClusterNames(cluster);
  return (
    <KubernetesSection
      tab="nodes"
      crumbs={[{ label: 'Kubernetes', to: paths.kubernetes }, { label: 'Nodes' }]}
      title="Kubernetes Nodes"
      sentence="Monitor resource usage and health of your Kubernetes nodes"
      aside={<Counts answer={answer} />}
      overview={overview}
      moment={moment}
    >
      <Toolbar>
        <ClusterSelect clusters={clusters} />
        <ToolbarEnd>
          <ExportButton
            holds={['kubernetes nodes']}
            table={async () => nodesExport(await everyNode())}
            disabled={(answer?.total ?? 0) === 0}
            labelled
          />
          <Toggle label="View" value={view} options={VIEWS} onChange={setView} />
        </ToolbarEnd>
      </Toolbar>
      <Failure asked={asked} />
      {asked.isPending && (
        <Grid role="status" aria-label="Loading">
          {[0, 1, 2, 3].map((card) => (
            <ServerCardSkeleton key={card} />
          ))}
        </Grid>
      )}
      {answer !== undefined && answer.nodes.length === 0 && (
        <Panel>
          {scope === '' ? (
            <EmptyState
              size="page"
              sentence="No Kubernetes nodes found"
              reason="A node appears 1-2 minutes after the chart is installed."
            />
          ) : (
            <NoNodeInScope />
          )}
        </Panel>
      )}
      {answer !== undefined && answer.nodes.length > 0 && (
        <Nodes view={view} nodes={answer.nodes} clusterName={clusterName} />
      )}
      {answer !== undefined && answer.total > PAGE_ROWS && (
        <Pager offset={offset} limit={PAGE_ROWS} total={answer.total} onOffset={setOffset} />
      )}
    </KubernetesSection>
  );
}
