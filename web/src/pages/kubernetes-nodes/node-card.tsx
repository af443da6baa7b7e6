import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import { NODE_RESOURCES, NodeHeadroom, NodeName, NodeUsage } from '../../components/kubernetes/node-load.tsx';
import { NotAvailable } from '../../components/kubernetes/usage.tsx';
import { uptimeText } from '../../time/age.ts';
import { numberText } from '../../format/figures.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';

const Card = styled(Paper)(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  minWidth: 0,
  '&:hover': {
    transition: 'background-color 120ms',
    backgroundColor: theme.vars.palette.action.hover,
    '--row': theme.vars.palette.action.hover,
  },
  '& .name': { display: 'flex', alignItems: 'center', gap: 8, fontSize: 14, fontWeight: 600 },
  '& .name > a': { color: theme.vars.palette.text.primary, overflow: 'hidden', textOverflow: 'ellipsis' },
  '& .name > a::after': { content: '""', position: 'absolute', inset: 0 },
  '& > .body': { padding: '12px 14px 10px', display: 'grid', gap: 6 },
  '& small': { fontSize: 12, color: theme.vars.palette.load.overText },
  '& .facts': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& dl': { '--bar': '1fr', margin: '4px 0 0', display: 'grid', gap: 4 },
  '& dl > div': { display: 'grid', gridTemplateColumns: '56px minmax(0, 1fr)', alignItems: 'center' },
  '& dt': { ...theme.typography.caption, color: theme.vars.palette.text.secondary },
  '& dd': { margin: 0 },
  '& > footer': {
    ...theme.typography.caption,
    display: 'flex',
    justifyContent: 'space-between',
    gap: 8,
    marginTop: 'auto',
    padding: '9px 14px',
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    color: theme.vars.palette.text.secondary,
  },
}));

/** One node: what it runs on, how many pods, its three capacities, since when it is up. */
export function NodeCard({ node, cluster }: { node: KubernetesNode; cluster: string | null }) {
  const pods = node.metrics.pods_count;
  return (
    <Card>
      <div className="body">
        <NodeName node={node} />
        <span className="facts">
          {cluster !== null && `${escapeInvisible(cluster)} · `}
          {escapeInvisible(node.os_type ?? 'N/A')} · {numberText(pods)} {pods === 1 ? 'pod' : 'pods'}
        </span>
        <dl>
          {NODE_RESOURCES.map(({ resource, name }) => (
            <div key={resource}>
              <dt>{name}</dt>
              <dd>
                <NodeUsage node={node} resource={resource} name={name} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <footer>
        <NodeHeadroom node={node} />
        <span>Uptime {uptimeText(node.metrics.uptime) ?? <NotAvailable reason={node.origins.uptime.reason} />}</span>
      </footer>
    </Card>
  );
}
