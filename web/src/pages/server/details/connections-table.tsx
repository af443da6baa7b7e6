import { styled } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { NetworkConnection } from '@plimsoll/contract/wire/network';
import { connectionsQuery } from '../../../api/network.ts';
import { ROWS } from '../../../api/polling.ts';
import { useQuery } from '../../../api/query.ts';
import { Failure } from '../../../components/feedback/feed-panel.tsx';
import type { ExportTable } from '../../../components/export/export-file.ts';
import { Figure } from '../../../components/figure.tsx';
import { Copyable } from '../../../components/form/copyable.tsx';
import { ExportButton } from '../../../components/export/export-button.tsx';
import { Panel } from '../../../components/panel.tsx';
import { RowsSkeleton } from '../../../components/feedback/skeletons.tsx';
import { EmptyState } from '../../../components/feedback/states.tsx';
import { connectionKey, importanceName } from '../../../format/connection-words.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';

const Scroll = styled('div')(({ theme }) => ({
  overflowX: 'auto',
  '& td': { fontVariantNumeric: 'tabular-nums' },
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& .small': { ...theme.typography.caption, display: 'block', paddingBottom: 6, color: theme.vars.palette.load.text3 },
  [theme.breakpoints.up('sm')]: { '& .small': { display: 'none' } },
  // Two lines a connection: nothing is cut, and nothing scrolls sideways.
  [theme.breakpoints.down('sm')]: {
    '& .wide': { display: 'none' },
    '& td.remote': { whiteSpace: 'normal', overflowWrap: 'anywhere', paddingTop: 6 },
  },
}));

const Masked = styled('span')(({ theme }) => ({
  color: theme.vars.palette.load.text3,
  [theme.breakpoints.down('sm')]: { display: 'none' },
}));

/** −1: the system does not say which process holds the socket. */
const NO_PID = -1;

function Row({ connection }: { connection: NetworkConnection }) {
  const { remote_ip, remote_port, local_port, state, pid, importance_score: score } = connection;
  const importance = importanceName(score);
  return (
    <TableRow>
      <TableCell className="remote">
        <Copyable text={remote_ip} name={`Copy ${remote_ip}`}>
          <code>{escapeInvisible(remote_ip)}</code>
        </Copyable>
        <span className="small">{escapeInvisible(state)}</span>
      </TableCell>
      <TableCell align="right">{remote_port}</TableCell>
      <TableCell align="right" className="quiet wide">
        {local_port}
      </TableCell>
      <TableCell className="quiet wide">{escapeInvisible(state)}</TableCell>
      <TableCell align="right" className="wide">
        <Figure value={pid === NO_PID ? null : String(pid)} />
      </TableCell>
      <TableCell align="right">
        {score}{' '}
        <span className={importance === 'High' ? undefined : 'quiet'}>
          {importance === 'High' ? <b>{importance}</b> : importance}
        </span>
      </TableCell>
    </TableRow>
  );
}

const connectionsTable = (connections: readonly NetworkConnection[]): ExportTable => ({
  columns: ['remote address', 'remote port', 'local port', 'protocol', 'state', 'pid', 'importance'],
  rows: connections.map((each) => [
    each.remote_ip,
    each.remote_port,
    each.local_port,
    each.protocol,
    each.state,
    each.pid === NO_PID ? null : each.pid,
    each.importance_score,
  ]),
});

/** The connections that matter most, by their score. Remote addresses are masked before they leave the host. */
export function ConnectionsTable({ serverId, hostname }: { serverId: string; hostname: string }) {
  const asked = useQuery(connectionsQuery(serverId));
  const connections = asked.data?.connections.slice(0, ROWS.serverConnections) ?? [];
  const total = asked.data?.total ?? 0;
  const all = asked.data?.connections ?? [];
  return (
    <Panel
      title="Top Network Connections"
      note={connections.length > 0 ? `${connections.length} of ${total}` : undefined}
      fold={asked.data === undefined ? '' : connections.length === 0 ? 'none' : `${connections.length} of ${total}`}
      actions={
        <>
          <Masked>addresses masked to /24 and /64</Masked>
          <ExportButton holds={['connections', hostname]} table={() => connectionsTable(all)} disabled={total === 0} />
        </>
      }
    >
      <Failure asked={asked} />
      {asked.isPending && <RowsSkeleton rows={5} height={32} />}
      {asked.data !== undefined && connections.length === 0 && (
        <EmptyState size="line" sentence="No connection data available" />
      )}
      {connections.length > 0 && (
        <Scroll tabIndex={0} role="region" aria-label="Top network connections">
          <Table size="small" aria-label="Top network connections">
            <TableHead>
              <TableRow>
                <TableCell>Remote</TableCell>
                <TableCell align="right">Port</TableCell>
                <TableCell align="right" className="wide">
                  Local
                </TableCell>
                <TableCell className="wide">State</TableCell>
                <TableCell align="right" className="wide">
                  PID
                </TableCell>
                <TableCell align="right">Importance</TableCell>
              </TableRow>
            </TableHead>
            <TableBody>
              {connections.map((each) => (
                <Row key={connectionKey(each)} connection={each} />
              ))}
            </TableBody>
          </Table>
        </Scroll>
      )}
    </Panel>
  );
}
