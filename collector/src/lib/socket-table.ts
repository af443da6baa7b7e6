/** Sockets of /proc/net/tcp and tcp6, by the kernel's state numbers (include/net/tcp_states.h). */
export const TCP_STATES = [
  '',
  'ESTABLISHED',
  'SYN_SENT',
  'SYN_RECV',
  'FIN_WAIT1',
  'FIN_WAIT2',
  'TIME_WAIT',
  'CLOSE',
  'CLOSE_WAIT',
  'LAST_ACK',
  'LISTEN',
  'CLOSING',
  'SYN_RECV',
] as const;
export type TcpState = (typeof TCP_STATES)[number];

export interface Socket {
  family: 'ipv4' | 'ipv6';
  /** As the kernel prints it, in hex: most sockets are never shown, so few are worth decoding. */
  remoteHex: string;
  remotePort: number;
  localPort: number;
  state: TcpState;
  /** Bytes wait to be sent or read. */
  queued: boolean;
  /** The columns after the queues, not yet split. */
  rest: string;
}

/** Columns after the remote address: state, queues, timer, retransmissions, uid, timeout, inode. */
const STATE_DIGITS = 2;
const QUEUE_DIGITS = 17;
const NOTHING_QUEUED = '00000000:00000000';
/** The inode among the words after the queues. */
const INODE_WORD = 4;

/**
 * One line of /proc/net/tcp or tcp6: after the first colon the columns have fixed widths. Null for the heading and for a
 * line that is cut. Cut out by position, never split: a busy host has tens of thousands of lines.
 */
export function parseSocket(line: string, family: 'ipv4' | 'ipv6'): Socket | null {
  const width = family === 'ipv4' ? 8 : 32;
  const local = line.indexOf(': ') + 2;
  const remote = local + width + 6;
  const state = remote + width + 6;
  const queues = state + STATE_DIGITS + 1;
  if (local < 2 || queues + QUEUE_DIGITS > line.length) return null;
  const name = TCP_STATES[Number.parseInt(line.slice(state, state + STATE_DIGITS), 16)];
  if (name === undefined || name === '') return null;
  return {
    family,
    remoteHex: line.slice(remote, remote + width),
    remotePort: Number.parseInt(line.slice(remote + width + 1, state - 1), 16),
    localPort: Number.parseInt(line.slice(local + width + 1, remote - 1), 16),
    state: name,
    queued: line.slice(queues, queues + QUEUE_DIGITS) !== NOTHING_QUEUED,
    rest: line.slice(queues + QUEUE_DIGITS),
  };
}

/** The inode of a socket, for the few that are shown; 0: it belongs to no process any more. */
export const inodeOf = ({ rest }: Pick<Socket, 'rest'>): number => Number(rest.trim().split(/\s+/)[INODE_WORD]) || 0;

/** Addresses are printed as 32-bit words of the host's byte order, little-endian on all we run on. */
export function decodeAddress(hex: string): string {
  const bytes: number[] = [];
  for (let word = 0; word + 8 <= hex.length; word += 8) {
    for (let at = 6; at >= 0; at -= 2) bytes.push(Number.parseInt(hex.slice(word + at, word + at + 2), 16));
  }
  if (bytes.length === 4) return bytes.join('.');
  const groups: string[] = [];
  for (let at = 0; at < 16; at += 2) groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return groups.join(':');
}
