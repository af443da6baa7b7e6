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
import { Fragment } from 'react';
import { groupServers, groupWords } from '../../components/fleet/group-servers.ts';
import { DRAWN_WHOLE, useRowWindow } from '../../components/fleet/use-row-window.ts';
import type { Ticks } from './compare-tick.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import type { ColumnSort, ServersView } from './servers-view.ts';
import { FleetRow } from './fleet-row.tsx';
import { PlotHead } from '../../components/fleet/headroom-plot.tsx';

const ROW_PX = 40;
const VIEWPORT_PX = 720;

/** The columns that go first when the table is narrow, and the width of the table below which they go. */
const DROPPED = [
  { below: 1486, column: 'tags' },
  { below: 1286, column: 'region' },
  { below: 1156, column: 'io_wait' },
  { below: 1076, column: 'fills' },
  { below: 956, column: 'plot' },
  { below: 796, column: 'last_seen' },
  { below: 716, column: 'reading > span[role]' },
] as const;

const Frame = styled(Paper)(({ theme }) => ({
  overflowX: 'auto',
  containerType: 'inline-size',
  '&[data-virtual]': { maxHeight: VIEWPORT_PX, overflowY: 'auto' },
  '& th': {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    backgroundColor: theme.vars.palette.background.paper,
  },
  '& td, & th': { padding: '0 9px' },
  '& .tags': { maxWidth: 200 },
  '& td.tick, & th.tick': { padding: '0 0 0 4px', width: 36 },
  '& td.plot, & th.plot': { padding: 0, width: 160, minWidth: 160 },
  // The name takes what the other columns leave and shortens in its middle; a column goes before anything is cut.
  '& tbody th': { width: '100%', minWidth: 150, maxWidth: 0 },
  '& td.group': { fontWeight: 600, backgroundColor: theme.vars.palette.background.default },
  '& td.group small': { ...theme.typography.caption, marginLeft: 8, color: theme.vars.palette.text.secondary },
  ...Object.fromEntries(
    DROPPED.map(({ below, column }) => [
      `@container (max-width: ${below}px)`,
      { [`& .${column}`]: { display: 'none' } },
    ]),
  ),
}));

const COLUMNS: { sort: ColumnSort; label: string; right?: boolean }[] = [
  { sort: 'cpu', label: 'CPU' },
  { sort: 'memory', label: 'Memory' },
  { sort: 'disk', label: 'Disk' },
  { sort: 'fills', label: 'Disk fills' },
  { sort: 'io_wait', label: 'IO wait', right: true },
  { sort: 'region', label: 'Region' },
  { sort: 'last_seen', label: 'Last seen', right: true },
];

interface FleetTableProps {
  servers: readonly Server[];
  latest: ReadonlyMap<string, LatestMetricsItem>;
  view: ServersView;
  onChange: (part: Partial<ServersView>) => void;
  ticks: Ticks;
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
        <TableCell className="tick">
          <VisuallyHidden>Compare</VisuallyHidden>
        </TableCell>
        <TableCell aria-sort={sorted('name')}>
          <SortHead sort="name" label="Server" view={view} onChange={onChange} />
        </TableCell>
        <TableCell aria-sort={sorted('headroom')}>
          <SortHead sort="headroom" label="Headroom" view={view} onChange={onChange} />
        </TableCell>
        <TableCell className="plot">
          <PlotHead />
        </TableCell>
        {COLUMNS.map(({ sort, label, right }) => (
          <Fragment key={sort}>
            {sort === 'region' && <TableCell className="tags">Tags</TableCell>}
            <TableCell className={sort} align={right ? 'right' : 'left'} aria-sort={sorted(sort)}>
              <SortHead sort={sort} label={label} view={view} onChange={onChange} />
            </TableCell>
          </Fragment>
        ))}
      </TableRow>
    </TableHead>
  );
}

/** A line of the table: a server, or the heading of a group. */
type Line = { kind: 'server'; server: Server } | { kind: 'group'; title: string; note: string };

/** Returns the lines of a table: with a heading for each group where some servers do not report. */
function linesOf(servers: readonly Server[], grouped: boolean): Line[] {
  const line = (server: Server): Line => ({ kind: 'server', server });
  const groups = grouped ? groupServers(servers) : [];
  if (groups.length < 2) return servers.map(line);
  return groups.flatMap((group) => [{ kind: 'group', ...groupWords(group) } as const, ...group.servers.map(line)]);
}

/** The fleet as a table; the line runs unbroken through all rows. */
export function FleetTable({ servers, latest, view, onChange, ticks }: FleetTableProps) {
  const lines = linesOf(servers, view.sort === 'headroom');
  const [scroller, { first, end, above, below }] = useRowWindow<HTMLDivElement>(lines.length, ROW_PX);
  const whole = lines.length <= DRAWN_WHOLE;
  return (
    <Frame ref={scroller} data-virtual={whole ? undefined : ''} tabIndex={whole ? undefined : 0}>
      <Table aria-label="Servers" aria-rowcount={lines.length + 1}>
        <Head view={view} onChange={onChange} />
        <TableBody>
          {above > 0 && <tr aria-hidden style={{ height: above }} />}
          {lines.slice(first, end).map((line, offset) =>
            line.kind === 'server' ? (
              <FleetRow
                key={line.server.id}
                server={line.server}
                latest={latest.get(line.server.id)}
                index={first + offset}
                ticks={ticks}
              />
            ) : (
              <TableRow key={line.title} aria-rowindex={first + offset + 2}>
                <TableCell className="group" colSpan={COLUMNS.length + 5}>
                  {line.title}
                  <small>{line.note}</small>
                </TableCell>
              </TableRow>
            ),
          )}
          {below > 0 && <tr aria-hidden style={{ height: below }} />}
        </TableBody>
      </Table>
    </Frame>
  );
}
