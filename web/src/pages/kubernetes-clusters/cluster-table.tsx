import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ClusterShare } from '@plimsoll/contract/rules/kubernetes-limits';
import type { ClusterState } from '@plimsoll/contract/wire/kubernetes';
import { PlotHead } from '../../components/fleet/headroom-plot.tsx';
import { ClusterRow } from './cluster-row.tsx';

const Frame = styled('div')(({ theme }) => ({
  minWidth: 0,
  containerType: 'inline-size',
  '& td, & th': { padding: '0 10px' },
  '& td:first-of-type, & th:first-of-type': { paddingLeft: 16 },
  '& td:last-of-type, & th:last-of-type': { paddingRight: 16 },
  '& td.plot, & th.plot': { padding: 0, width: 160, minWidth: 160 },
  '& tbody tr': { position: 'relative' },
  '& tbody tr:hover': { backgroundColor: theme.vars.palette.action.hover, '--row': theme.vars.palette.action.hover },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& td.name': { width: '100%', minWidth: 130, maxWidth: 0 },
  '& td.name a': { fontWeight: 600, color: theme.vars.palette.text.primary },
  // The whole row opens the cluster; its link is the one for the keyboard.
  '& td.name a::after': { content: '""', position: 'absolute', inset: 0 },
  '& small': { fontSize: 'inherit', color: theme.vars.palette.load.text3 },
  '& .over': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '& .near': { color: theme.vars.palette.load.nearText },
  '& tr[data-silent] td, & tr[data-silent] a': { color: theme.vars.palette.load.text3 },
  '@container (max-width: 1060px)': { '& .plot': { display: 'none' } },
  '@container (max-width: 900px)': { '& .roomy': { display: 'none' } },
  [theme.breakpoints.down('md')]: {
    '& thead': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
    '& table, & tbody': { display: 'block' },
    '& tbody tr': {
      display: 'grid',
      gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
      gap: '4px 12px',
      padding: '10px 12px',
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    '& td, & td:first-of-type, & td:last-of-type, & td.name': {
      display: 'block',
      width: 'auto',
      minWidth: 0,
      maxWidth: 'none',
      height: 'auto',
      padding: 0,
      border: 0,
      textAlign: 'left',
      whiteSpace: 'normal',
    },
    '& td.number': { textAlign: 'left', whiteSpace: 'normal' },
    '& td.roomy': { display: 'block' },
    '& td.plot': { display: 'none' },
    '& td[data-name]::before': {
      content: 'attr(data-name)',
      display: 'block',
      fontSize: 11,
      lineHeight: '14px',
      color: theme.vars.palette.text.secondary,
    },
  },
}));

interface ClusterTableProps {
  clusters: readonly ClusterState[];
  share: ClusterShare;
}

/** Clusters worst first, on one line through all rows. */
export function ClusterTable({ clusters, share }: ClusterTableProps) {
  return (
    <Frame>
      <Table aria-label="Clusters">
        <TableHead>
          <TableRow>
            <TableCell>Cluster</TableCell>
            <TableCell aria-sort="ascending">Headroom ↑</TableCell>
            <TableCell className="plot">
              <PlotHead />
            </TableCell>
            <TableCell>CPU</TableCell>
            <TableCell>Memory</TableCell>
            <TableCell className="number">Nodes ready</TableCell>
            <TableCell className="number">Broken pods</TableCell>
            <TableCell className="roomy">Version</TableCell>
            <TableCell className="number">Alerts</TableCell>
            <TableCell className="number">Seen</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {clusters.map((cluster) => (
            <ClusterRow key={cluster.cluster_id} cluster={cluster} share={share} />
          ))}
        </TableBody>
      </Table>
    </Frame>
  );
}
