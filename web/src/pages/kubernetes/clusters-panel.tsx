import { styled } from '@mui/material/styles';
import type { Cluster } from '@plimsoll/contract/wire/kubernetes';
import { shortId } from '../../components/kubernetes/kubernetes-words.ts';
import { Panel, Rows } from '../../components/panel.tsx';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { ManageCluster } from './manage-cluster.tsx';

const Line = styled('li')(({ theme }) => ({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: '0 8px',
  padding: '2px 16px',
  overflowWrap: 'anywhere',
  '& small': { ...theme.typography.caption, color: theme.vars.palette.load.text3, marginRight: 'auto' },
}));

/** For admins: renames and removes the clusters of the page. */
export function ClustersPanel({ clusters }: { clusters: readonly Cluster[] }) {
  if (clusters.length === 0) return null;
  return (
    <Panel title={clusters.length === 1 ? 'Cluster' : 'Clusters'} note="name and removal">
      <Rows>
        {clusters.map((cluster) => (
          <Line key={cluster.cluster_id}>
            <span>{escapeInvisible(cluster.name ?? shortId(cluster.cluster_id))}</span>
            <small>
              {cluster.version === null ? 'version not known' : escapeInvisible(cluster.version)} · uid{' '}
              {escapeInvisible(shortId(cluster.cluster_id))}
            </small>
            <ManageCluster cluster={cluster} />
          </Line>
        ))}
      </Rows>
    </Panel>
  );
}
