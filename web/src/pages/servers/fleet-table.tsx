import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TableSortLabel from '@mui/material/TableSortLabel';
import type { LatestMetricsItem } from '@plimsoll/contract/wire/metrics';
import type { Server } from '@plimsoll/contract/wire/servers';
import { DRAWN_WHOLE, useRowWindow } from './use-row-window.ts';
import type { ColumnSort, ServersView } from './servers-view.ts';
import { FleetRow } from './fleet-row.tsx';
import { PlotHead } from './headroom-plot.tsx';

const ROW_PX = 40;
const VIEWPORT_PX = 720;

const Frame = styled(Paper)(({ theme }) => ({
  overflowX: 'auto',
  '&[data-virtual]': { maxHeight: VIEWPORT_PX, overflowY: 'auto' },
  '& th': {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    backgroundColor: theme.vars.palette.background.paper,
  },
  '& td, & th': { padding: '0 9px' },
  '& td.plot, & th.plot': { padding: 0, width: 160, minWidth: 160 },
  [theme.breakpoints.down('lg')]: { '& .wide': { display: 'none' } },
}));

const COLUMNS: { sort: ColumnSort; label: string; className?: string; right?: boolean }[] = [
  { sort: 'cpu', label: 'CPU' },
  { sort: 'memory', label: 'Memory' },
  { sort: 'disk', label: 'Disk' },
  { sort: 'io_wait', label: 'IO wait', right: true, className: 'wide' },
  { sort: 'region', label: 'Region', className: 'wide' },
  { sort: 'last_seen', label: 'Last seen', right: true },
];

interface FleetTableProps {
  servers: readonly Server[];
  latest: ReadonlyMap<string, LatestMetricsItem>;
  view: ServersView;
  onChange: (part: Partial<ServersView>) => void;
}

function SortHead({
  sort,
  label,
  view,
  onChange,
}: { sort: ColumnSort; label: string } & Pick<FleetTableProps, 'view' | 'onChange'>) {
  const active = view.sort === sort;
  return (
    <TableSortLabel
      active={active}
      direction={active && view.descending ? 'desc' : 'asc'}
      onClick={() => onChange({ sort, descending: active ? !view.descending : false })}
    >
      {label}
    </TableSortLabel>
  );
}

function Head({ view, onChange }: Pick<FleetTableProps, 'view' | 'onChange'>) {
  const order = view.descending ? 'descending' : 'ascending';
  const sorted = (sort: ColumnSort) => (view.sort === sort ? order : undefined);
  return (
    <TableHead>
      <TableRow>
        <TableCell aria-sort={sorted('name')}>
          <SortHead sort="name" label="Server" view={view} onChange={onChange} />
        </TableCell>
        <TableCell aria-sort={sorted('headroom')}>
          <SortHead sort="headroom" label="Headroom" view={view} onChange={onChange} />
        </TableCell>
        <TableCell className="plot">
          <PlotHead />
        </TableCell>
        {COLUMNS.map(({ sort, label, className, right }) => (
          <TableCell key={sort} className={className} align={right ? 'right' : 'left'} aria-sort={sorted(sort)}>
            <SortHead sort={sort} label={label} view={view} onChange={onChange} />
          </TableCell>
        ))}
      </TableRow>
    </TableHead>
  );
}

/** The fleet as a table; the line runs unbroken through all rows. */
export function FleetTable({ servers, latest, view, onChange }: FleetTableProps) {
  const [scroller, { first, end, above, below }] = useRowWindow<HTMLDivElement>(servers.length, ROW_PX);
  const whole = servers.length <= DRAWN_WHOLE;
  return (
    <Frame ref={scroller} data-virtual={whole ? undefined : ''} tabIndex={whole ? undefined : 0}>
      <Table aria-label="Servers" aria-rowcount={servers.length + 1}>
        <Head view={view} onChange={onChange} />
        <TableBody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {servers.slice(first, end).map((server, offset) => (
            <FleetRow key={server.id} server={server} latest={latest.get(server.id)} index={first + offset} />
          ))}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </TableBody>
      </Table>
    </Frame>
  );
}
