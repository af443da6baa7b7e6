import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import type { Pod } from '@plimsoll/contract/wire/kubernetes';
import type { PodSort, SortOrder } from '@plimsoll/contract/rules/kubernetes-limits';
import { Fragment, useCallback, useLayoutEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { POD_GROUPS, podGroup, podKey } from './kubernetes-words.ts';
import type { PodGroup } from './kubernetes-words.ts';
import { oneCluster, type ClusterNameOf } from './cluster-name-of.ts';
import { PodRow } from './pod-row.tsx';

const Scroll = styled('div')(({ theme }) => ({
  minWidth: 0,
  containerType: 'inline-size',
  // Fixed columns: the name takes the room that is left and shortens in its middle, nothing leaves the panel.
  '& table': { tableLayout: 'fixed' },
  '& td, & th': { padding: '0 8px' },
  '& td:first-of-type, & th:first-of-type': { paddingLeft: 16 },
  '& th:nth-of-type(2)': { width: 112 },
  '& th.phase': { width: 208 },
  '& th.owner': { width: 176 },
  '& th.cores': { width: 92 },
  '& th.usage': { width: 156 },
  '& th.restarts': { width: 92 },
  '& th.age': { width: 68 },
  '& td.cut': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  '& td.phase > span': { flexWrap: 'wrap', margin: '4px 0' },
  '& tr.group > td': {
    ...theme.typography.caption,
    height: 28,
    fontWeight: 600,
    color: theme.vars.palette.text.secondary,
    whiteSpace: 'nowrap',
    cursor: 'default',
  },
  '& tbody tr.group, & tbody tr.group > td, & tbody tr.group:hover': {
    backgroundColor: theme.vars.palette.background.default,
  },
  '& tr.group[data-group="broken"] > td': { color: theme.vars.palette.load.overText },
  '& td:last-of-type, & th:last-of-type': { paddingRight: 16 },
  '& tbody tr': { cursor: 'pointer' },
  '& tbody tr:hover, & tbody tr[aria-selected="true"]': {
    backgroundColor: theme.vars.palette.action.selected,
    '--row': theme.vars.palette.action.selected,
  },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& th .MuiTableSortLabel-root > i, & th > i': {
    fontStyle: 'normal',
    marginLeft: 3,
    color: theme.vars.palette.load.text3,
  },
  '&[data-open] .roomy': { display: 'none' },
  // Beside an open pod the name needs the room that the chips leave.
  '&[data-open] th.phase': { width: 150 },
  '&[data-open] th.cores': { width: 76 },
  '&[data-open] th.usage': { width: 132 },
  '&[data-open] th:nth-of-type(2)': { width: 84 },
  '@container (max-width: 1000px)': { '& .roomy': { display: 'none' } },
  '@container (max-width: 720px)': {
    '& th:nth-of-type(2)': { width: 84 },
    '& th.phase': { width: 132 },
    '& th.cores': { width: 72 },
    '& th.usage': { width: 132 },
    '& th.restarts': { width: 84 },
  },
  [theme.breakpoints.down('md')]: {
    '& thead': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
    '& table, & tbody, & tbody tr': { display: 'block' },
    '& tbody tr.group > td:first-of-type': { gridColumn: '1 / -1', gridRow: 'auto', background: 'none' },
    '& tbody tr': {
      display: 'grid',
      gridTemplateColumns: 'minmax(0, 1fr) auto',
      gap: '2px 12px',
      padding: '10px 12px',
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    '& tbody td, & tbody td:first-of-type, & tbody td:last-of-type': {
      display: 'block',
      height: 'auto',
      padding: 0,
      border: 0,
      textAlign: 'left',
      whiteSpace: 'normal',
    },
    '& tbody td:first-of-type': { gridRow: '1 / 3', width: 'auto', maxWidth: 'none', minWidth: 0 },
    '& tbody td.phase': { gridColumn: 2, gridRow: 1 },
    '& tbody td.phase > span': { flexWrap: 'wrap', justifyContent: 'flex-end', maxWidth: '46vw' },
    '& tbody td.restarts': { gridColumn: 2, gridRow: 2, textAlign: 'right' },
    '& tbody td.usage': { gridColumn: '1 / -1', gridRow: 3 },
    '& tbody td.wide': { display: 'none' },
  },
}));

interface Column {
  sort: PodSort | null;
  label: string;
  unit?: string;
  className?: string;
}
const COLUMNS: readonly Column[] = [
  { sort: 'name', label: 'Pod' },
  { sort: 'namespace', label: 'Namespace', className: 'wide' },
  { sort: 'state', label: 'Phase', className: 'phase' },
  { sort: null, label: 'Owner', className: 'roomy wide owner' },
  { sort: 'cpu', label: 'CPU', unit: 'cores', className: 'number wide cores' },
  { sort: 'memory_percent', label: 'Memory', unit: 'MB', className: 'usage' },
  { sort: 'restarts', label: 'Restarts', className: 'number restarts' },
  { sort: 'age', label: 'Age', className: 'number roomy wide age' },
];

interface PodOrder {
  sort: PodSort;
  order: SortOrder;
}

interface PodTableProps {
  label: string;
  pods: readonly Pod[];
  /** Left out: the rows stand as they came. */
  sorting?: { by: PodOrder; onSort: (by: PodOrder) => void };
  /** Key of the pod that stands open beside the table. */
  openKey?: string | null;
  /** Without owner and age, for a table beside something else. */
  compact?: boolean;
  onOpen: (pod: Pod) => void;
  footer?: ReactNode;
  /** The rows come sorted by state, and each group has a heading. */
  grouped?: boolean;
  /** Names the cluster of each row, where rows of several stand together. */
  clusterName?: ClusterNameOf;
}

const isRoomy = ({ className }: Column) => className?.includes('roomy') ?? false;
const ROOMY_COLUMNS = COLUMNS.filter(isRoomy).length;

function GroupRow({ group }: { group: PodGroup }) {
  return (
    <TableRow className="group" data-group={group}>
      <TableCell colSpan={COLUMNS.length - ROOMY_COLUMNS}>{POD_GROUPS[group]}</TableCell>
      {/* A cell over hidden columns would make room for them, so these have one that is hidden with them. */}
      <TableCell className="roomy wide" colSpan={ROOMY_COLUMNS} />
    </TableRow>
  );
}

function HeadCell({ column, sorting }: { column: Column; sorting: PodTableProps['sorting'] }) {
  const { sort, label, unit, className } = column;
  const words = (
    <>
      {label}
      {unit !== undefined && <i>{unit}</i>}
    </>
  );
  if (sort === null || sorting === undefined) return <TableCell className={className}>{words}</TableCell>;
  const active = sorting.by.sort === sort;
  const next: SortOrder = active
    ? sorting.by.order === 'asc'
      ? 'desc'
      : 'asc'
    : sort === 'name' || sort === 'state'
      ? 'asc'
      : 'desc';
  return (
    <TableCell
      className={className}
      aria-sort={active ? (sorting.by.order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      <TableSortLabel
        active={active}
        direction={active ? sorting.by.order : 'desc'}
        onClick={() => sorting.onSort({ sort, order: next })}
      >
        {words}
      </TableSortLabel>
    </TableCell>
  );
}

/** Pods as rows; on a small screen as two-line rows. A row opens its pod. */
export function PodTable({
  label,
  pods,
  sorting,
  openKey = null,
  compact = openKey !== null,
  onOpen,
  footer,
  grouped = sorting?.by.sort === 'state',
  clusterName = oneCluster,
}: PodTableProps) {
  // A list of pods that are all well needs no headings.
  const latest = useRef(onOpen);
  useLayoutEffect(() => {
    latest.current = onOpen;
  });
  // One function for the life of the table: a row is drawn anew only if its pod changed, not for each look at the list.
  const open = useCallback((pod: Pod) => {
    latest.current(pod);
  }, []);
  const isGrouped = grouped && pods.some((pod) => podGroup(pod) === 'broken' || podGroup(pod) === 'waiting');
  return (
    <Scroll data-open={compact ? '' : undefined}>
      <Table aria-label={label}>
        <TableHead>
          <TableRow>
            {COLUMNS.map((column) => (
              <HeadCell key={column.label} column={column} sorting={sorting} />
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {pods.map((pod, index) => {
            const group = podGroup(pod);
            const before = pods[index - 1];
            const opensGroup = isGrouped && (before === undefined || podGroup(before) !== group);
            return (
              <Fragment key={pod.uid}>
                {opensGroup && <GroupRow group={group} />}
                <PodRow
                  pod={pod}
                  isOpen={podKey(pod) === openKey}
                  onOpen={open}
                  clusterName={clusterName(pod.cluster_id)}
                />
              </Fragment>
            );
          })}
        </TableBody>
      </Table>
      {footer}
    </Scroll>
  );
}
