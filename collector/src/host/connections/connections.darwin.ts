import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import { maskIp } from '@plimsoll/contract/rules/servers/mask-ip';
import type { Exec } from '../../runtime/exec.ts';
import { importance, scopeOfAddress } from './connection-importance.ts';
import { TCP_STATES, type TcpState } from '../tables/socket-table.ts';
import type { Source } from '../../source.ts';
import { countStates, TOP_CONNECTIONS } from './connections.ts';

/** One line of `netstat -anv -p tcp`. */
export interface NetstatSocket {
  family: 'ipv4' | 'ipv6';
  remote: string;
  remotePort: number;
  localPort: number;
  state: TcpState;
  queued: boolean;
  pid: number;
}

export function connectionSourceDarwin(exec: Exec): Source {
  return {
    name: 'connections',
    instant: true,
    read: async () => {
      const sockets = parseSockets(await exec('netstat', ['-anv', '-p', 'tcp']));
      return { part: { connection_counts: countStates(sockets), connections: shapeConnections(sockets) } };
    },
  };
}

/** macOS names two states otherwise than Linux. */
const STATES: Readonly<Record<string, TcpState>> = {
  SYN_RCVD: 'SYN_RECV',
  FIN_WAIT_1: 'FIN_WAIT1',
  FIN_WAIT_2: 'FIN_WAIT2',
  CLOSED: 'CLOSE',
};

/** Columns differ between versions, so the pid's is found by the heading: "pid", or "process:pid". */
export function parseSockets(text: string): NetstatSocket[] {
  const lines = text.split('\n');
  const heading = lines.find((line) => line.startsWith('Proto')) ?? '';
  const columns = heading.replace('Local Address', 'Local').replace('Foreign Address', 'Foreign').trim().split(/\s+/);
  const pidColumn = columns.findIndex((column) => column === 'pid' || column.endsWith(':pid'));
  return lines.flatMap((line) => parseLine(line, pidColumn) ?? []);
}

function parseLine(line: string, pidColumn: number): NetstatSocket | null {
  const words = line.trim().split(/\s+/);
  const [protocol = '', receiveQueue, sendQueue, local = '', remote = '', stateName = ''] = words;
  const state = STATES[stateName] ?? TCP_STATES.find((known) => known === stateName && known !== '');
  if (!protocol.startsWith('tcp') || state === undefined) return null;
  const pid = Number(words[pidColumn]?.split(':').at(-1));
  const address = hostOf(remote);
  return {
    family: address.includes(':') ? 'ipv6' : 'ipv4',
    remote: address,
    remotePort: portOf(remote),
    localPort: portOf(local),
    state,
    queued: receiveQueue !== '0' || sendQueue !== '0',
    pid: pidColumn !== -1 && Number.isInteger(pid) && pid > 0 ? pid : -1,
  };
}

/** "192.168.1.5.61234", "fe80::1%lo0.1024", "*.8080": the port follows the last dot. */
const hostOf = (text: string): string => text.slice(0, text.lastIndexOf('.'));
const portOf = (text: string): number => Number(text.slice(text.lastIndexOf('.') + 1)) || 0;

function shapeConnections(sockets: readonly NetstatSocket[]): ConnectionPart[] {
  const listening = new Set(sockets.filter(({ state }) => state === 'LISTEN').map(({ localPort }) => localPort));
  return (
    sockets
      .filter(({ state, remotePort }) => state !== 'LISTEN' && remotePort !== 0)
      .map((socket) => ({
        remote_ip: maskIp(socket.remote),
        remote_port: socket.remotePort,
        local_port: socket.localPort,
        protocol: 'tcp' as const,
        family: socket.family,
        state: socket.state,
        pid: socket.pid,
        importance_score: importance(socket, scopeOfAddress(socket.remote), (port) => listening.has(port)),
      }))
      // netstat cuts long addresses to its column's width. They cannot be masked, so they are not sent.
      .filter(({ remote_ip }) => remote_ip !== '')
      .toSorted((a, b) => b.importance_score - a.importance_score)
      .slice(0, TOP_CONNECTIONS)
  );
}
