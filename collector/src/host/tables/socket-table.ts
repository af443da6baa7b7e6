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
const NO_QUEUE = Buffer.from(NOTHING_QUEUED);
/** The inode among the words after the queues. */
const INODE_WORD = 4;

const [COLON, ZERO, UPPER_A] = [58, 48, 65];
/** Value of an ASCII digit of the kernel's hex. Other characters map to 255, which puts the result out of range. */
const HEX = Uint8Array.from({ length: 256 }, (_, code) =>
  code >= ZERO && code < ZERO + 10 ? code - ZERO : code >= UPPER_A && code < UPPER_A + 6 ? code - UPPER_A + 10 : 255,
);
const hex = (bytes: Uint8Array, at: number): number => HEX[bytes[at] ?? 0] ?? 255;

/** Value of four digits, given as the number their ASCII codes make: all four at once, as a byte at a time costs thrice. */
function fromHex(codes: number): number {
  // The low half of a digit's code is its value; of a letter's code it is nine less. Bit 6 is set for letters.
  const values = (codes & 0x0f0f0f0f) + 9 * ((codes >> 6) & 0x01010101);
  return ((values >> 12) & 0xf000) | ((values >> 8) & 0xf00) | ((values >> 4) & 0xf0) | (values & 0xf);
}

/** The fields that rank a socket, and the position of its line. */
export interface SocketLine extends Omit<Socket, 'remoteHex' | 'rest'> {
  /** Equal for equal remote addresses of one family, in the range that scopes use. */
  remoteKey: number | string;
  /** The socket as it stays; null when the line is none after all. */
  kept(): Socket | null;
}

/**
 * Reads the lines of a table, all into one object. A host has tens of thousands of lines and a hundred are sent; a few
 * strings for each would cost more than the kernel needs to print them. Null for the heading and for a cut line.
 */
export function socketLines(family: Socket['family']): (bytes: Buffer, from: number, to: number) => SocketLine | null {
  const width = family === 'ipv4' ? 8 : 32;
  let [held, start, end]: [Buffer, number, number] = [NO_QUEUE, 0, 0];
  let view: DataView = new DataView(NO_QUEUE.buffer);
  const line: SocketLine = {
    family,
    remoteKey: 0,
    remotePort: 0,
    localPort: 0,
    state: '',
    queued: false,
    kept: () => parseSocket(held.toString('latin1', start, end), family),
  };
  return (bytes, from, to) => {
    if (bytes !== held) view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    held = bytes;
    start = from;
    end = to;
    let colon = from;
    while (colon < to && bytes[colon] !== COLON) colon += 1;
    const remote = colon + 2 + width + 6;
    const state = remote + width + 6;
    const queues = state + STATE_DIGITS + 1;
    if (queues + QUEUE_DIGITS > to) return null;
    const name = TCP_STATES[(hex(bytes, state) << 4) | hex(bytes, state + 1)];
    if (name === undefined || name === '') return null;
    line.state = name;
    // The kernel prints words little-endian: the first two bytes of an IPv4 address are its last four digits.
    line.remoteKey = family === 'ipv4' ? view.getUint32(remote + 4) : bytes.toString('latin1', remote, remote + width);
    line.remotePort = fromHex(view.getUint32(remote + width + 1));
    line.localPort = fromHex(view.getUint32(remote - 5));
    line.queued = bytes.compare(NO_QUEUE, 0, QUEUE_DIGITS, queues, queues + QUEUE_DIGITS) !== 0;
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
