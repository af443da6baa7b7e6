import { request as httpsRequest } from 'node:https';
import { request as httpRequest } from 'node:http';
import { isIP, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** The HTTP proxy that the operator set for outgoing messages. */
export interface EgressProxy {
  /** May hold a user name and a password. */
  url: string;
  /**
   * true: the proxy resolves names, so it decides which addresses they may lead to. false: the API resolves and checks
   * each name, and the proxy receives the address.
   */
  resolvesNames: boolean;
}

/**
 * Opens a connection to a host through the proxy (RFC 9110, CONNECT); of a `https:` URL with TLS to the host itself, so
 * that the proxy reads nothing. Throws an `Error` whose message names no password.
 */
export async function connectThrough(proxy: EgressProxy, url: URL, to: string, signal: AbortSignal): Promise<Duplex> {
  const isTls = url.protocol === 'https:';
  const port = url.port || (isTls ? '443' : '80');
  const socket = await openTunnel(proxy, `${isIPv6(to) ? `[${to}]` : to}:${port}`, signal);
  if (!isTls) return socket;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  // An address has no name to send, but its certificate is checked against it.
  return connectTls({ socket, host: name, ...(isIP(name) === 0 && { servername: name }) });
}

function openTunnel({ url: text }: EgressProxy, target: string, signal: AbortSignal): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const proxy = new URL(text);
  const { username, password } = proxy;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const authorization =
    username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
  const asked = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...authorization },
    agent: false,
    signal,
  });
  const refuse = (status: number | undefined) => reject(new Error(`the proxy answered ${String(status ?? 0)}`));
  asked.on('connect', ({ statusCode }, socket) => {
    if (statusCode === 200) return resolve(socket);
    socket.destroy();
    refuse(statusCode);
  });
  asked.on('response', (answer) => {
    answer.destroy();
    refuse(answer.statusCode);
  });
  asked.on('error', () => reject(new Error('the proxy was not reached')));
  asked.end();
  return promise;
}
