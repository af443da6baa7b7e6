import type { UseOfLimit } from '@plimsoll/contract/wire/hardware';
import type { ConnectionCountsPart, ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import { maskIp } from '@plimsoll/contract/rules/servers/mask-ip';
import type { Files } from '../../runtime/files.ts';
import {
  INBOUND_POINTS,
  QUEUE_POINTS,
  SCOPE_POINTS,
  scopeOf,
  SERVICE_POINTS,
  SERVICE_PORTS,
  STATE_POINTS,
} from './connection-importance.ts';
import { ephemeralPorts } from '../tables/ephemeral-ports.ts';
import { type SocketOwners, socketOwners } from '../tables/socket-owners.ts';
import {
  decodeAddress,
  inodeOf,
  type PortDigits,
  portDigits,
  type Socket,
  type SocketLine,
  socketLines,
  TCP_STATES,
  type TcpState,
} from '../tables/socket-table.ts';
import type { Source } from '../../source.ts';

/** Connections sent, the most important first. */
export const TOP_CONNECTIONS = 100;
/** Above this many sockets the table costs too much to read every time. */
const BUSY_SOCKETS = 50_000;
/** Then it is read at every fifth collection. */
const FULL_EVERY = 5;

const SOCKSTATS = ['proc/net/sockstat', 'proc/net/sockstat6'] as const;

interface Full {
  counts: ConnectionCountsPart;
  part: ConnectionPart[];
  ports: UseOfLimit | undefined;
}
const portsPart = ({ ports }: Full) => (ports === undefined ? {} : { ephemeral_ports: ports });

/** TCP connections: how many in each state, and the most important ones with the remote address masked. */
export function connectionSource(files: Files, busySockets: number = BUSY_SOCKETS): Source {
  const owners = socketOwners(files);
  let full: Full | null = null;
  let age = 0;
  return {
    name: 'connections',
    instant: true,
    read: async () => {
      // Not there in gVisor: the table decides then.
      const totals = parseSockstat(SOCKSTATS.map((path) => files.optional(path) ?? '').join('\n'));
      const busy = totals.inUse + totals.timeWait > busySockets;
      age += 1;
      if (busy && full && age < FULL_EVERY) {
        const note = `more than ${busySockets} sockets: the whole table is read at every fifth report`;
        const counts = estimateCounts(totals, full.counts);
        return { part: { connection_counts: counts, connections: full.part, ...portsPart(full) }, note };
      }
      age = 0;
      full = readFull(files, owners);
      const note = 'pids are known for our own user only; install with --with-socket-owners for all';
      const part = { connection_counts: full.counts, connections: full.part, ...portsPart(full) };
      return { part, ...(owners.limited && full.part.some(({ pid }) => pid === -1) ? { note } : {}) };
    },
  };
}

function readFull(files: Files, owners: SocketOwners): Full {
  const [tally, ranks] = [newTally(), ranking()];
  const [local, listening] = [new Set<PortDigits>(), new Set<PortDigits>()];
  const readTable = (path: string, family: Socket['family']): void => {
    const read = socketLines(family);
    files.lines(path, (bytes, from, to) => {
      const line = read(bytes, from, to);
      if (!line) return;
      tally[line.state] = (tally[line.state] ?? 0) + 1;
      (line.state === LISTEN ? listening : local).add(line.localPort);
      ranks.add(line);
    });
  };
  readTable('proc/net/tcp', 'ipv4');
  // Not there without IPv6.
  if (files.stat('proc/net/tcp6')) readTable('proc/net/tcp6', 'ipv6');
  const ports = ephemeralPorts(files, local, listening);
  return { counts: shapeCounts(tally), part: shapeConnections(ranks.best(), owners), ports };
}

/** Text of sockstat and sockstat6. "inuse" leaves out what waits in TIME_WAIT. */
export function parseSockstat(text: string): { inUse: number; timeWait: number } {
  const figure = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    inUse: figure(/^TCP: inuse (\d+)/m) + figure(/^TCP6: inuse (\d+)/m),
    timeWait: figure(/^TCP: .*\btw (\d+)/m),
  };
}

/** Sockets in each state, by its index in TCP_STATES. */
const newTally = (): number[] => TCP_STATES.map(() => 0);

function shapeCounts(tally: readonly number[]): ConnectionCountsPart {
  const count = (name: TcpState): number =>
    tally.reduce((sum, sockets, state) => (TCP_STATES[state] === name ? sum + sockets : sum), 0);
  return {
    total: tally.reduce((sum, sockets) => sum + sockets, 0),
    established: count('ESTABLISHED'),
    listen: count('LISTEN'),
    time_wait: count('TIME_WAIT'),
    close_wait: count('CLOSE_WAIT'),
    syn_sent: count('SYN_SENT'),
    syn_recv: count('SYN_RECV'),
  };
}

export function countStates(sockets: readonly Pick<Socket, 'state'>[]): ConnectionCountsPart {
  const tally = newTally();
  for (const { state } of sockets) {
    const index = TCP_STATES.indexOf(state);
    tally[index] = (tally[index] ?? 0) + 1;
  }
  return shapeCounts(tally);
}

/** Totals are exact; states that sockstat does not report come from the last full reading. */
export function estimateCounts(
  totals: { inUse: number; timeWait: number },
  full: ConnectionCountsPart,
): ConnectionCountsPart {
  const others = full.total - full.established - full.time_wait;
  return {
    ...full,
    total: totals.inUse + totals.timeWait,
    time_wait: totals.timeWait,
    established: Math.max(0, totals.inUse - others),
  };
}

interface Ranked {
  socket: Socket;
  score: number;
}

/** Keeps the most important of the sockets it is given, so that a table of any length costs the memory of a short one. */
export interface Ranking {
  /** A listening socket has no remote side and only says which ports are ours; the kernel lists those first. */
  add(line: SocketLine): void;
  /** The most important first, at most TOP_CONNECTIONS; among equals the first given. */
  best(): Ranked[];
}

const LISTEN = TCP_STATES.indexOf('LISTEN');
const NO_PORT = portDigits(0);
const POINTS_OF_STATE = TCP_STATES.map((name) => STATE_POINTS[name] ?? 0);
const SERVICE_DIGITS = new Set([...SERVICE_PORTS].map(portDigits));

/** Adds up the points of `importance`, with what is cheap first: most sockets of a busy host drop out before the rest. */
export function ranking(): Ranking {
  const listening = new Set<PortDigits>();
  // Keys of the two families cannot be equal: one are numbers, the other texts.
  const scopes = new Map<number | string, number>();
  const byScore = new Map<number, Socket[]>();
  /** A score that TOP_CONNECTIONS sockets have already: a later socket needs more to be among the best. */
  let enough = -1;
  return {
    add: (line) => {
      const { state, localPort, remotePort, remoteKey } = line;
      if (state === LISTEN) {
        listening.add(localPort);
        return;
      }
      if (remotePort === NO_PORT) return;
      let scope = scopes.get(remoteKey);
      if (scope === undefined) {
        const socket = line.kept();
        if (!socket) return;
        scope = SCOPE_POINTS[scopeOf(socket)];
        scopes.set(remoteKey, scope);
      }
      let score = (POINTS_OF_STATE[state] ?? 0) + scope;
      if (SERVICE_DIGITS.has(remotePort) || SERVICE_DIGITS.has(localPort)) score += SERVICE_POINTS;
      if (listening.has(localPort)) score += INBOUND_POINTS;
      if (score + QUEUE_POINTS <= enough) return;
      if (line.queued()) score += QUEUE_POINTS;
      if (score <= enough) return;
      const socket = line.kept();
      if (!socket) return;
      const equals = byScore.get(score);
      if (!equals) byScore.set(score, [socket]);
      else if (equals.push(socket) === TOP_CONNECTIONS) enough = score;
    },
    best: () =>
      [...byScore]
        .toSorted(([a], [b]) => b - a)
        .flatMap(([score, sockets]) => sockets.map((socket) => ({ socket, score })))
        .slice(0, TOP_CONNECTIONS),
  };
}

/** As they are sent: the remote address masked, the process where it is known. */
export function shapeConnections(ranked: readonly Ranked[], owners: Pick<SocketOwners, 'find'>): ConnectionPart[] {
  const inodes = ranked.map(({ socket }) => inodeOf(socket));
  const pids = owners.find(inodes);
  return ranked.map(({ socket, score }, index) => ({
    remote_ip: maskIp(decodeAddress(socket.remoteHex)),
    remote_port: socket.remotePort,
    local_port: socket.localPort,
    protocol: 'tcp',
    family: socket.family,
    state: socket.state,
    pid: pids.get(inodes[index] ?? 0) ?? -1,
    importance_score: score,
  }));
}
