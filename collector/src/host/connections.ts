import type { ConnectionCountsPart, ConnectionPart } from '@plimsoll/contract/wire/report';
import { maskIp } from '@plimsoll/contract/rules/mask-ip';
import type { Files } from '../runtime/files.ts';
import { importance, type Scope, scopeOf } from './connection-importance.ts';
import { type SocketOwners, socketOwners } from './tables/socket-owners.ts';
import {
  decodeAddress,
  inodeOf,
  type Socket,
  type SocketLine,
  socketLines,
  TCP_STATES,
} from './tables/socket-table.ts';
import type { Source } from '../source.ts';

/** Connections sent, the most important first. */
export const TOP_CONNECTIONS = 100;
/** Above this many sockets the table costs too much to read every time. */
const BUSY_SOCKETS = 50_000;
/** Then it is read at every fifth collection. */
const FULL_EVERY = 5;

interface Full {
  counts: ConnectionCountsPart;
  part: ConnectionPart[];
}

/** TCP connections: how many in each state, and the most important ones with the remote address masked. */
export function connectionSource(files: Files, busySockets: number = BUSY_SOCKETS): Source {
  const owners = socketOwners(files);
  let full: Full | null = null;
  let age = 0;
  return {
    name: 'connections',
    instant: true,
    read: async () => {
      const totals = parseSockstat(`${files.text('proc/net/sockstat')}\n${files.optional('proc/net/sockstat6') ?? ''}`);
      const busy = totals.inUse + totals.timeWait > busySockets;
      age += 1;
      if (busy && full && age < FULL_EVERY) {
        const note = `more than ${busySockets} sockets: the whole table is read at every fifth report`;
        return { part: { connection_counts: estimateCounts(totals, full.counts), connections: full.part }, note };
      }
      age = 0;
      full = readFull(files, owners);
      const note = 'pids are known for our own user only; install with --with-socket-owners for all';
      const part = { connection_counts: full.counts, connections: full.part };
      return { part, ...(owners.limited && full.part.some(({ pid }) => pid === -1) ? { note } : {}) };
    },
  };
}

function readFull(files: Files, owners: SocketOwners): Full {
  const [tally, ranks] = [newTally(), ranking()];
  const readTable = (path: string, family: Socket['family']): void => {
    const read = socketLines(family);
    files.lines(path, (bytes, from, to) => {
      const line = read(bytes, from, to);
      if (!line) return;
      tally[line.state] = (tally[line.state] ?? 0) + 1;
      ranks.add(line);
    });
  };
  readTable('proc/net/tcp', 'ipv4');
  // Not there without IPv6.
  if (files.stat('proc/net/tcp6')) readTable('proc/net/tcp6', 'ipv6');
  return { counts: shapeCounts(tally), part: shapeConnections(ranks.best(), owners) };
}

/** Text of sockstat and sockstat6. "inuse" leaves out what waits in TIME_WAIT. */
export function parseSockstat(text: string): { inUse: number; timeWait: number } {
  const figure = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    inUse: figure(/^TCP: inuse (\d+)/m) + figure(/^TCP6: inuse (\d+)/m),
    timeWait: figure(/^TCP: .*\btw (\d+)/m),
  };
}

/** Sockets in each state. */
type StateTally = Record<string, number>;
const newTally = (): StateTally => Object.fromEntries(TCP_STATES.map((state) => [state, 0]));

const shapeCounts = (tally: StateTally): ConnectionCountsPart => ({
  total: Object.values(tally).reduce((sum, count) => sum + count, 0),
  established: tally.ESTABLISHED ?? 0,
  listen: tally.LISTEN ?? 0,
  time_wait: tally.TIME_WAIT ?? 0,
  close_wait: tally.CLOSE_WAIT ?? 0,
  syn_sent: tally.SYN_SENT ?? 0,
  syn_recv: tally.SYN_RECV ?? 0,
});

export function countStates(sockets: readonly Pick<Socket, 'state'>[]): ConnectionCountsPart {
  const tally = newTally();
  for (const { state } of sockets) tally[state] = (tally[state] ?? 0) + 1;
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

export function ranking(): Ranking {
  const listening = new Set<number>();
  const isListening = (port: number): boolean => listening.has(port);
  // Keys of the two families cannot be equal: one are numbers, the other texts.
  const scopes = new Map<number | string, Scope>();
  const byScore = new Map<number, Socket[]>();
  return {
    add: (line) => {
      if (line.state === 'LISTEN') listening.add(line.localPort);
      if (line.state === 'LISTEN' || line.remotePort === 0) return;
      const known = scopes.get(line.remoteKey);
      let socket = known === undefined ? line.kept() : null;
      const scope = known ?? (socket && scopeOf(socket));
      if (scope === null) return;
      scopes.set(line.remoteKey, scope);
      const score = importance(line, scope, isListening);
      const equals = byScore.get(score);
      if (equals && equals.length >= TOP_CONNECTIONS) return;
      socket ??= line.kept();
      if (!socket) return;
      if (equals) equals.push(socket);
      else byScore.set(score, [socket]);
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
