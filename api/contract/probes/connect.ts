import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { rootCertificates, connect as connectTls, type TLSSocket } from 'node:tls';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Probe } from '../wire/check-probes.ts';
import { beforeEnd, ProbeFailure, type ProbeRun } from './probe-run.ts';

/** Ends what a probe opened, however it ends. */
export type Opened = (Socket | TLSSocket)[];

/**
 * Closes what a probe opened, in a later turn of the event loop. Node 24 reads from freed memory if a TLS socket is destroyed
 * in the turn that ended its handshake: SSL_read calls back, and then goes on.
 */
export async function closeAll(opened: Opened): Promise<void> {
  await nextTurn();
  for (const socket of opened.splice(0)) socket.destroy();
}

const FAMILIES = { any: 0, '4': 4, '6': 6 } as const;
const systemResolve = (host: string, ipVersion: Probe['ip_version']): Promise<{ address: string; family: number }[]> =>
  lookup(host, { all: true, family: FAMILIES[ipVersion] });

/**
 * Resolves a host once to the address that the connection goes to, so that a name cannot point elsewhere between check and
 * use. Throws `ProbeFailure`.
 */
async function addressOf(run: ProbeRun, host: string, ipVersion: Probe['ip_version']): Promise<string> {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 0) {
    if (!run.place.mayConnect(bare)) throw new ProbeFailure('address_refused');
    return bare;
  }
  run.enter('dns');
  const found = await beforeEnd(run.signal, (run.place.resolve ?? systemResolve)(bare, ipVersion)).catch(
    (error: unknown) => {
      throw error instanceof ProbeFailure ? error : new ProbeFailure('name_not_resolved');
    },
  );
  const [first] = found;
  if (first === undefined) throw new ProbeFailure('name_not_resolved');
  // The first alone: a name with a refused address in front of an allowed one must not be tried until one fits.
  if (!run.place.mayConnect(first.address)) throw new ProbeFailure('address_refused');
  return first.address;
}

const REASONS: Readonly<Record<string, ProbeFailure['reason']>> = {
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
};

/** Returns the failure of an error of a socket. `otherwise`: for an error without a code of the system. */
export function failureOf(error: unknown, signal: AbortSignal, otherwise: ProbeFailure['reason']): ProbeFailure {
  if (error instanceof ProbeFailure) return error;
  if (signal.aborted) return new ProbeFailure('timeout');
  const code = (error as { code?: unknown } | null)?.code;
  return new ProbeFailure((typeof code === 'string' ? REASONS[code] : undefined) ?? otherwise);
}

/** Connects to the address that was checked. Throws `ProbeFailure`. */
export async function openSocket(
  run: ProbeRun,
  opened: Opened,
  to: { host: string; port: number; ipVersion: Probe['ip_version'] },
): Promise<Socket> {
  const address = await addressOf(run, to.host, to.ipVersion);
  run.enter('connect');
  const socket = connectTcp({ host: address, port: to.port });
  opened.push(socket);
  await settled(run, socket, 'connect', 'failed');
  return socket;
}

/** Resolves on the event of a socket; rejects on its error, its end and the end of time. */
async function settled(
  run: ProbeRun,
  socket: Socket | TLSSocket,
  event: 'connect' | 'secureConnect',
  otherwise: ProbeFailure['reason'],
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(event, resolve);
  socket.on('error', reject);
  socket.once('close', () => reject(new ProbeFailure('reset')));
  await beforeEnd(run.signal, promise).catch((error: unknown) => {
    throw failureOf(error, run.signal, otherwise);
  });
}

/** Speaks TLS on an open connection. The certificate is read, and the caller judges it. Throws `ProbeFailure`. */
export async function startTls(run: ProbeRun, opened: Opened, socket: Socket, host: string): Promise<TLSSocket> {
  run.enter('tls');
  const bare = host.replace(/^\[|\]$/g, '');
  const { authority } = run.place;
  const secure = connectTls({
    socket,
    // RFC 6066 has the name without a dot at its end, and servers choose their certificate by it.
    ...(isIP(bare) === 0 ? { servername: bare.replace(/\.$/, '') } : {}),
    host: bare,
    // A certificate that is not valid is a result of the check, and no error before it.
    rejectUnauthorized: false,
    checkServerIdentity: () => undefined,
    ALPNProtocols: ['http/1.1'],
    ...(authority === undefined ? {} : { ca: [...rootCertificates, authority] }),
  });
  opened.push(secure);
  await settled(run, secure, 'secureConnect', 'tls_failed');
  return secure;
}
