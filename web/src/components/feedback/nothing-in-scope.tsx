import Button from '@mui/material/Button';
import { formatScope } from '@plimsoll/contract/rules/scope';
import type { Cluster } from '@plimsoll/contract/wire/kubernetes';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { plural } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { useScope } from '../../state/use-scope.ts';
import { EmptyState } from './states.tsx';

const listed = new Intl.ListFormat('en', { type: 'conjunction' });

function ClearScope() {
  const { setScope } = useScope();
  return (
    <Button variant="outlined" onClick={() => setScope([])}>
      Clear the scope
    </Button>
  );
}

/** Nodes without an agent are no servers, but the scope does match them. */
function OnlyNodes({ clusters }: { clusters: readonly Cluster[] }) {
  const nodes = clusters.reduce((sum, cluster) => sum + cluster.nodes, 0);
  const names = listed.format(clusters.map(({ name, cluster_id: id }) => escapeInvisible(name ?? id)));
  return (
    <EmptyState
      size="page"
      sentence={`No agent runs on the ${plural(nodes, 'node')} of ${names}`}
      reason="A node becomes a server when the agent runs on it. Until then its figures are under Kubernetes only."
      action={
        <>
          <Button variant="contained" component={Link} to={paths.kubernetesNodes}>
            Show the nodes
          </Button>{' '}
          <ClearScope />
        </>
      }
    />
  );
}

/** Instead of "no servers yet" while a scope leaves all of them out. `clusters` are those in the scope. */
export function NoServerInScope({ clusters }: { clusters: readonly Cluster[] }) {
  const { scope } = useScope();
  const withNodes = clusters.filter(({ nodes }) => nodes > 0);
  if (withNodes.length > 0) return <OnlyNodes clusters={withNodes} />;
  return (
    <EmptyState
      size="page"
      sentence={`No server matches ${formatScope(scope)}`}
      reason="Your other servers are outside this scope."
      action={<ClearScope />}
    />
  );
}

/** Instead of "install the chart" while a scope leaves every node out. */
export function NoNodeInScope() {
  const { scope } = useScope();
  return (
    <EmptyState
      size="page"
      sentence={`No Kubernetes node matches ${formatScope(scope)}`}
      reason="Your clusters are outside this scope."
      action={<ClearScope />}
    />
  );
}
