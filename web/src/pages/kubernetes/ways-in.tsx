import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { numberText } from '../../format/figures.ts';
import { paths } from '../../paths.ts';
import { Link } from '../../router.ts';
import {
  TableRowsOutlined as TableRowsIcon,
  ChevronRight as ChevronRightIcon,
  DnsOutlined as DnsIcon,
} from '../../components/icons/material.tsx';

const Pair = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: '1fr 1fr',
  gap: 12,
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
const Card = styled(Paper)(({ theme }) => ({
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 14,
  minHeight: 64,
  padding: '8px 16px',
  transition: 'background-color 120ms',
  '&:hover': { backgroundColor: theme.vars.palette.action.hover },
  '& > svg': { color: theme.vars.palette.text.secondary },
  '& h2': { ...theme.typography.h2, margin: 0 },
  '& p': { margin: 0, color: theme.vars.palette.text.secondary },
  '& > a': { marginLeft: 'auto', display: 'inline-flex', alignItems: 'center', gap: 6, fontWeight: 500 },
  '& > a::after': { content: '""', position: 'absolute', inset: 0 },
}));

function WayIn({
  icon,
  title,
  text,
  to,
  label,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  to: string;
  label: string;
}) {
  return (
    <Card>
      {icon}
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
      </div>
      <Link to={to}>
        {label}
        <ChevronRightIcon aria-hidden fontSize="small" />
      </Link>
    </Card>
  );
}

const More = styled('p')({ margin: 0, display: 'flex', flexWrap: 'wrap', gap: '4px 16px' });

/** Two cards that lead on, each clickable as a whole, and below them the lists that sum pods. */
export function WaysIn({ nodes, runningPods, search }: { nodes: number; runningPods: number; search: string }) {
  return (
    <>
      <Pair>
        <WayIn
          icon={<DnsIcon aria-hidden />}
          title="Nodes"
          text={`${numberText(nodes)} node(s) in cluster`}
          to={`${paths.kubernetesNodes}${search}`}
          label="View All Nodes"
        />
        <WayIn
          icon={<TableRowsIcon aria-hidden />}
          title="Pods"
          text={`${numberText(runningPods)} pod(s) running`}
          to={`${paths.kubernetesPods}${search}`}
          label="View All Pods"
        />
      </Pair>
      <More>
        <Link to={`${paths.kubernetesNamespaces}${search}`}>Namespaces</Link>
        <Link to={`${paths.kubernetesWorkloads}${search}`}>Workloads</Link>
      </More>
    </>
  );
}
