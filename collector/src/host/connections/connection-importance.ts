import { decodeAddress, type Socket } from '../tables/socket-table.ts';

/** Points of the rule in docs/collector.md. */
export const STATE_POINTS: Readonly<Record<string, number>> = {
  ESTABLISHED: 40,
  SYN_SENT: 35,
  SYN_RECV: 35,
  CLOSE_WAIT: 30,
  FIN_WAIT1: 15,
  FIN_WAIT2: 15,
  LAST_ACK: 15,
  CLOSING: 15,
  TIME_WAIT: 5,
};
export const SCOPE_POINTS = { loopback: 0, private: 10, public: 25 } as const;
export const SERVICE_POINTS = 15;
export const INBOUND_POINTS = 10;
export const QUEUE_POINTS = 10;

/** Ports of the services operators ask about first: remote access, mail, name, web, databases, queues, clusters. */
export const SERVICE_PORTS: ReadonlySet<number> = new Set([
  21, 22, 23, 25, 53, 80, 110, 143, 389, 443, 465, 587, 636, 993, 995, 1433, 1521, 2049, 2379, 3306, 3389, 4222, 5432,
  5671, 5672, 5900, 6379, 6443, 8080, 8443, 9042, 9092, 9200, 10250, 11211, 27017,
]);

export type Scope = keyof typeof SCOPE_POINTS;

/** Fields that the rule reads beside the scope. */
export type Ranked = Pick<Socket, 'state' | 'remotePort' | 'localPort' | 'queued'>;

/** Rates 0–100 how useful this connection is to an operator who looks for trouble. */
export function importance(socket: Ranked, scope: Scope, isListening: (port: number) => boolean): number {
  const service = SERVICE_PORTS.has(socket.remotePort) || SERVICE_PORTS.has(socket.localPort);
  return (
    (STATE_POINTS[socket.state] ?? 0) +
    SCOPE_POINTS[scope] +
    (service ? SERVICE_POINTS : 0) +
    (isListening(socket.localPort) ? INBOUND_POINTS : 0) +
    (socket.queued ? QUEUE_POINTS : 0)
  );
}

/** Scope of a socket's remote side; an IPv4 address is judged by its first two bytes, without being written out. */
export function scopeOf({ family, remoteHex }: Pick<Socket, 'family' | 'remoteHex'>): Scope {
  if (family === 'ipv6') return scopeOfAddress(decodeAddress(remoteHex));
  return ipv4Scope([Number.parseInt(remoteHex.slice(6), 16), Number.parseInt(remoteHex.slice(4, 6), 16)]);
}

/** Loopback, private (RFC 1918, RFC 6598, link-local, unique local), or public. */
export function scopeOfAddress(address: string): Scope {
  if (!address.includes(':')) return ipv4Scope(address.split('.').map(Number));
  const mapped = /^0:0:0:0:0:ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address);
  if (mapped) {
    const [high, low] = [Number.parseInt(mapped[1] ?? '0', 16), Number.parseInt(mapped[2] ?? '0', 16)];
    return ipv4Scope([high >> 8, high & 255, low >> 8, low & 255]);
  }
  if (address === '0:0:0:0:0:0:0:1' || address === '::1') return 'loopback';
  return /^f[cd][0-9a-f]{2}:|^fe[89ab][0-9a-f]:/i.test(address) ? 'private' : 'public';
}

function ipv4Scope([a = 0, b = 0]: number[]): Scope {
  if (a === 127) return 'loopback';
  const isPrivate =
    a === 10 ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128);
  return isPrivate ? 'private' : 'public';
}
