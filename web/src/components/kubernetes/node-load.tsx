import { isBadCondition } from '@plimsoll/contract/rules/node-conditions';
import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { KubernetesNode } from '@plimsoll/contract/wire/kubernetes';
import type { ReactNode } from 'react';
import { momentMs, uptimeText } from '../../time/age.ts';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import { Age } from '../age.tsx';
import { Chip } from '../chips.tsx';
import { LevelIcon, StatusIcon } from '../status-icons.tsx';
import { HeadroomPhrase } from '../fleet/headroom-phrase.tsx';
import type { ClusterNameOf } from './cluster-name-of.ts';
import { NotAvailable, UsageCell } from './usage.tsx';

/** The frame of a table of nodes, whatever its columns. */
export const NodeRows = styled('div')(({ theme }) => ({
  '& .figure-only': { fontVariantNumeric: 'tabular-nums' },
  '& .name': { display: 'inline-flex', alignItems: 'center', gap: 8, fontWeight: 600 },
  '& .name > a': { color: theme.vars.palette.text.primary },
  '& small': { display: 'block', fontSize: 11, lineHeight: '14px', color: theme.vars.palette.load.text3 },
  '& tr': { position: 'relative' },
  '& tbody tr:hover': { backgroundColor: theme.vars.palette.action.hover, '--row': theme.vars.palette.action.hover },
  // The whole row opens the node; its link is the one for the keyboard.
  '& .name > a::after': { content: '""', position: 'absolute', inset: 0 },
  [theme.breakpoints.down('lg')]: { '& .wide': { display: 'none' } },
  [theme.breakpoints.down('md')]: {
    '& thead': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
    '& table, & tbody, & tr, & td': { display: 'block', height: 'auto', whiteSpace: 'normal' },
    '& tbody': { '--bar': '1fr' },
    '& tbody tr': { padding: '10px 4px', borderBottom: `1px solid ${theme.vars.palette.divider}` },
    '& td': { border: 0, padding: '2px 12px' },
    '& td[data-name]': { display: 'grid', gridTemplateColumns: '64px minmax(0, 1fr)', alignItems: 'center' },
    '& td[data-name]::before': {
      content: 'attr(data-name)',
      fontSize: 12,
      color: theme.vars.palette.text.secondary,
    },
  },
}));

/** Green ready, struck not ready, dashed unknown. */
/** Types of the conditions that report a problem; Ready has words of its own. */
const problemsOf = ({ conditions }: Pick<KubernetesNode, 'conditions'>): string[] =>
  conditions.filter((one) => one.type !== 'Ready' && isBadCondition(one)).map(({ type }) => type);

export function ReadyIcon({ node }: { node: Pick<KubernetesNode, 'ready' | 'conditions'> }) {
  if (node.ready === true && problemsOf(node).length > 0) return <LevelIcon level="warning" size={13} />;
  return <StatusIcon status={node.ready === true ? 'active' : node.ready === false ? 'offline' : 'installing'} />;
}

const stateWords = ({ ready }: KubernetesNode): string | null =>
  ready === true ? null : ready === false ? 'not ready' : 'no recent report';

export function NodeName({ node, note }: { node: KubernetesNode; note?: ReactNode }) {
  const state = stateWords(node);
  return (
    <>
      <span className="name">
        <ReadyIcon node={node} />
        <Link to={paths.kubernetesNode(node.server_id, node.node_name)}>{escapeInvisible(node.node_name)}</Link>
        {node.unschedulable && (
          <Chip tone="near" title="Cordoned: no new pods are scheduled on this node">
            Cordoned
          </Chip>
        )}
      </span>
      {(note !== undefined || state !== null) && (
        <small>
          {state}
          {state !== null && note !== undefined && ' · '}
          {note}
        </small>
      )}
    </>
  );
}

/** Resources of a node and their names. */
export const NODE_RESOURCES = [
  { resource: 'cpu', name: 'CPU' },
  { resource: 'memory', name: 'Memory' },
  { resource: 'disk', name: 'Disk' },
] as const;

interface NodeUsageProps {
  node: KubernetesNode;
  resource: (typeof NODE_RESOURCES)[number]['resource'];
  name: string;
}

/** One resource against the node's own lines. */
export function NodeUsage({ node, resource, name }: NodeUsageProps) {
  const { metrics, origins, lines, requested } = node;
  return (
    <UsageCell
      name={`${name} of ${node.node_name}`}
      percent={metrics[`${resource}_usage`]}
      origin={origins[`${resource}_usage`]}
      line={lines[resource].warning}
      critical={lines[resource].critical}
      requestedPercent={resource === 'disk' ? null : requested[`${resource}_percent`]}
    />
  );
}

/** CPU, memory and disk of a node against the lines of that node. */
export function NodeUsageCells({ node }: { node: KubernetesNode }) {
  return NODE_RESOURCES.map((each) => (
    <TableCell key={each.resource} data-name={each.name}>
      <NodeUsage node={node} {...each} />
    </TableCell>
  ));
}

export const NodeUptime = ({ node }: { node: KubernetesNode }) =>
  uptimeText(node.metrics.uptime) ?? <NotAvailable reason={node.origins.uptime.reason} />;

const Broken = styled('span')(({ theme }) => ({
  display: 'inline-flex',
  alignItems: 'center',
  gap: 6,
  fontWeight: 600,
  color: theme.vars.palette.load.overText,
}));

/** The distance of a node to its line. A broken node has words of its own: its load means nothing. */
export function NodeHeadroom({ node, form = 'short' }: { node: KubernetesNode; form?: 'full' | 'short' }) {
  const problems = problemsOf(node);
  if (node.ready === true && problems.length > 0)
    return (
      <Broken title={node.conditions.find(({ type }) => type === problems[0])?.message ?? undefined}>
        <LevelIcon level="warning" size={13} />
        {escapeInvisible(problems.join(', '))}
      </Broken>
    );
  if (node.ready === true) return <HeadroomPhrase headroom={node.headroom} form={form} />;
  const condition = node.conditions.find(({ type }) => type === 'Ready');
  const since = momentMs(condition?.since);
  const words = node.ready === false ? 'Not ready' : 'Unknown';
  return (
    <Broken title={condition?.message ?? condition?.reason ?? undefined}>
      <LevelIcon level="critical" size={13} />
      {since === null ? words : <Age at={since} prefix={`${words} for `} suffix="" />}
    </Broken>
  );
}

function Row({ node, cluster }: { node: KubernetesNode; cluster: string | null }) {
  return (
    <TableRow>
      <TableCell>
        <NodeName node={node} {...(cluster !== null && { note: escapeInvisible(cluster) })} />
      </TableCell>
      <TableCell className="wide">
        <NodeHeadroom node={node} />
      </TableCell>
      <NodeUsageCells node={node} />
      <TableCell align="right" className="figure-only wide">
        {node.metrics.pods_count}
      </TableCell>
      <TableCell align="right" className="figure-only wide">
        <NodeUptime node={node} />
      </TableCell>
    </TableRow>
  );
}

/** Nodes with the least headroom first, what they use and what is requested of them. */
export function NodeLoad({ nodes, clusterName }: { nodes: readonly KubernetesNode[]; clusterName: ClusterNameOf }) {
  return (
    <NodeRows>
      <Table aria-label="Node load">
        <TableHead>
          <TableRow>
            <TableCell>Node</TableCell>
            <TableCell className="wide" aria-sort="ascending">
              Headroom ↑
            </TableCell>
            <TableCell>CPU</TableCell>
            <TableCell>Memory</TableCell>
            <TableCell>Disk</TableCell>
            <TableCell align="right" className="wide">
              Pods
            </TableCell>
            <TableCell align="right" className="wide">
              Uptime
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {nodes.map((node) => (
            <Row key={node.server_id} node={node} cluster={clusterName(node.cluster_id)} />
          ))}
        </TableBody>
      </Table>
    </NodeRows>
  );
}
