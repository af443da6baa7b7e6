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

const COLON = 58;
/** Digits as the number their ASCII codes make, two or four at once: a byte at a time costs thrice. */
const digits2 = (text: string): number => Buffer.from(text).readUInt16BE();
const digits4 = (text: string): number => Buffer.from(text).readUInt32BE();
/** Number of a state by its two digits, counted from "00". */
const FIRST_STATE = digits2('00');
const STATE_NUMBERS = Uint8Array.from({ length: digits2('0C') - FIRST_STATE + 1 });
for (const number of TCP_STATES.keys()) {
  STATE_NUMBERS[digits2(`0${number.toString(16).toUpperCase()}`) - FIRST_STATE] = number;
}
/** The eight digits of an empty queue, as the 64-bit float their ASCII codes make. */
const EMPTY_QUEUE = Buffer.from('00000000').readDoubleBE();
const QUEUE_STEP = '00000000:'.length;

/** A port as a line of the table holds it: the codes of its four digits in one number. */
export type PortDigits = number;
export const portDigits = (port: number): PortDigits => digits4(port.toString(16).toUpperCase().padStart(4, '0'));

/** The fields that rank a socket. A call reads what few sockets need. */
export interface SocketLine {
  family: Socket['family'];
  /** Index of TCP_STATES, never 0. */
  state: number;
  /** Equal for equal remote addresses of one family, in the range that scopes use. */
  remoteKey: number | string;
  remotePort: PortDigits;
  localPort: PortDigits;
  /** Bytes wait to be sent or read. */
  queued(): boolean;
  /** The socket as it stays; null when the line is none after all. */
  kept(): Socket | null;
}

/**
 * Reads the lines of a table, all into one object. A host has tens of thousands of lines and a hundred are sent, and the
 * shipped program is interpreted: ports stay digits, and each figure is read with as few steps as the runtime allows.
 * Null for the heading and for a cut line.
 */
export function socketLines(family: Socket['family']): (bytes: Buffer, from: number, to: number) => SocketLine | null {
  const width = family === 'ipv4' ? 8 : 32;
  let [held, start, end, queues]: [Buffer, number, number, number] = [Buffer.alloc(0), 0, 0, 0];
  let view: DataView = new DataView(held.buffer);
  const line: SocketLine = {
    family,
    state: 0,
    remoteKey: 0,
    remotePort: 0,
    localPort: 0,
    queued: () => view.getFloat64(queues) !== EMPTY_QUEUE || view.getFloat64(queues + QUEUE_STEP) !== EMPTY_QUEUE,
    kept: () => parseSocket(held.toString('latin1', start, end), family),
  };
  return (bytes, from, to) => {
    if (bytes !== held) {
      view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      held = bytes;
    }
    start = from;
    end = to;
    // Numbers below 10,000 are padded to the same place.
    let colon = from + 4;
    if (bytes[colon] !== COLON) {
      colon = from;
      while (colon < to && bytes[colon] !== COLON) colon += 1;
    }
    const remote = colon + 2 + width + 6;
    const state = remote + width + 6;
    queues = state + STATE_DIGITS + 1;
    if (queues + QUEUE_DIGITS > to) return null;
    line.state = STATE_NUMBERS[view.getUint16(state) - FIRST_STATE] ?? 0;
    if (line.state === 0) return null;
    // The kernel prints words little-endian: the first two bytes of an IPv4 address are its last four digits.
    line.remoteKey = family === 'ipv4' ? view.getUint32(remote + 4) : bytes.toString('latin1', remote, remote + width);
    line.remotePort = view.getUint32(remote + width + 1);
    line.localPort = view.getUint32(remote - 5);
    return line;
  };
}

/**
 * One line of /proc/net/tcp or tcp6: after the first colon the columns have fixed widths. Null for the heading and for a
 * line that is cut. Cut out by position, never split.
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
