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
import { useCardWindow, type CardSize } from '../../components/fleet/use-card-window.ts';
import type { Ticks } from './compare-tick.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import type { ColumnSort, ServersView } from './servers-view.ts';
import { FleetRow } from './fleet-row.tsx';
import { PlotHead } from '../../components/fleet/headroom-plot.tsx';

const ROWS: CardSize = { px: 32, gapPx: 0, drawnWhole: 60 };
/** The bars grow where the table has more room than columns. */
const WIDE_PX = 2060;
const WIDE_BAR_PX = 112;

const BARLESS_PX = 716;

/** The columns that go first when the table is narrow, and the width of the table below which they go. */
const DROPPED = [
  { below: 1882, column: 'tags' },
  { below: 1672, column: 'uptime' },
  { below: 1592, column: 'outbound' },
  { below: 1500, column: 'inbound' },
  { below: 1412, column: 'load' },
  { below: 1286, column: 'region' },
  { below: 1156, column: 'io_wait' },
  { below: 1076, column: 'fills' },
  { below: 956, column: 'plot' },
  { below: 796, column: 'last_seen' },
] as const;

const Frame = styled(Paper)(({ theme }) => ({
  // Not `hidden`, which would make the panel the scroller that the head sticks to.
  overflow: 'clip',
  containerType: 'inline-size',
  '& thead th': {
    position: 'sticky',
    top: 'calc(56px + var(--moment-band, 0px))',
    zIndex: 1,
    backgroundColor: theme.vars.palette.background.paper,
    boxShadow: `inset 0 -1px ${theme.vars.palette.divider}`,
    '@media print': { position: 'static' },
  },
  // With its hairline a row is 32 px high.
  '& tbody :is(td, th)': { height: 31 },
  '& .tick label': { height: 31 },
  '& td, & th': { padding: '0 9px' },
  '& .tags': { maxWidth: 200 },
  '& td.tick, & th.tick': { padding: '0 0 0 4px', width: 36 },
  '& td.plot, & th.plot': { padding: 0, width: 160, minWidth: 160 },
  // The name takes what the other columns leave and shortens in its middle; a column goes before anything is cut.
  '& tbody th': { width: '100%', minWidth: 150, maxWidth: 0 },
  '& td.group': { fontWeight: 600, backgroundColor: theme.vars.palette.background.default },
  '& td.group small': { ...theme.typography.caption, marginLeft: 8, color: theme.vars.palette.text.secondary },
  '& table': { '--bar': '56px' },
  [`@container (min-width: ${WIDE_PX}px)`]: { '& table': { '--bar': `${WIDE_BAR_PX}px` } },
  [`@container (max-width: ${BARLESS_PX}px)`]: {
    '& table': { '--bar': '0px' },
    '& .reading > span[role]': { display: 'none' },
  },
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
  { sort: 'load', label: 'Load', right: true },
  { sort: 'inbound', label: 'In MB/s', right: true },
  { sort: 'outbound', label: 'Out MB/s', right: true },
  { sort: 'region', label: 'Region' },
  { sort: 'uptime', label: 'Uptime', right: true },
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
  const [body, { first, end, above, below }] = useCardWindow<HTMLTableSectionElement>(lines.length, ROWS);
  return (
    <Frame>
      <Table size="small" aria-label="Servers" aria-rowcount={lines.length + 1}>
        <Head view={view} onChange={onChange} />
        <TableBody ref={body}>
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
