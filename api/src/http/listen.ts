import { createAdaptorServer } from '@hono/node-server';
import type { Server } from 'node:http';
import { isIPv6, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * A client gets this long for its headers and for the whole request; checked every 2 s. With Node's defaults nearly all
 * of 2,000 slow sockets are still held after 70 s; with these all are closed by 20 s.
 */
export const TIMEOUTS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 20_000,
} as const;
/** HTTP/1.0 needs no Host header. The health checks of HAProxy send none, and would be refused. */
const HOST_WITHOUT_HEADER = 'localhost';
/** Time for requests in flight at shutdown. */
const DRAIN_MS = 10_000;
const SWEEP_MS = 50;

type Fetch = (request: Request, env: object) => Response | Promise<Response>;

export interface Listening {
  port: number;
  /** Takes no new connections, lets requests in flight end for 10 s, then cuts what is left. */
  close(): Promise<void>;
}

/** Rejects when the address cannot be had, with the remedy in the message. Tests shorten the timeouts. */
export async function listen(
  fetch: Fetch,
  at: { host: string; port: number; setting?: string },
  timeouts: Readonly<Record<keyof typeof TIMEOUTS, number>> = TIMEOUTS,
): Promise<Listening> {
  const server = createAdaptorServer({ fetch, serverOptions: timeouts, hostname: HOST_WITHOUT_HEADER }) as Server;
  server.on('clientError', refuseRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, at)));
    // Without a host Node listens on ::, and on 0.0.0.0 where the kernel has no IPv6.
    server.listen({ port: at.port, ...(at.host === '::' ? {} : { host: at.host }) }, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server) };
}

/** Status lines of requests that Node's parser refuses, by the code of its error; as Node itself answers them. */
const REFUSALS: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};

/**
 * Answers what is no request. A browser opens connections ahead of its requests: one that sent nothing yet is closed
 * without a word, because a browser takes a 408 that waits there for the answer to its next request.
 */
function refuseRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  const { bytesRead } = socket as Socket;
  if (!socket.writable || bytesRead === 0 || error.code === 'ECONNRESET') socket.destroy();
  else socket.end(`HTTP/1.1 ${REFUSALS[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`);
}

/** Host and port as a URL has them. */
const authorityOf = (host: string, port: number): string => `${isIPv6(host) ? `[${host}]` : host}:${String(port)}`;

/** Returns the address at which this machine reaches what listens on `host`; nothing reaches a wildcard address. */
export const localOrigin = (host: string, port: number): string =>
  `http://${authorityOf(host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host, port)}`;

function explain(
  error: NodeJS.ErrnoException,
  { host, port, setting = 'PLIMSOLL_PORT' }: { host: string; port: number; setting?: string },
): Error {
  const place = authorityOf(host, port);
  const why: Partial<Record<string, string>> = {
    EADDRINUSE: `${place} is in use: stop what listens there or set ${setting}`,
    EACCES: `${place} may not be used by this user: set ${setting} to 1024 or more`,
    EADDRNOTAVAIL: `${host} is no address of this machine: set PLIMSOLL_HOST`,
  };
  return new Error(why[error.code ?? ''] ?? error.message, { cause: error });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // A connection kept alive becomes idle only once its last answer is out.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
    server.close(() => {
      clearTimeout(cut);
      clearInterval(sweep);
      resolve();
    });
  });
}
