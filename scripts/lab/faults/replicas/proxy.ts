import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from '../../../../api/src/testing/debian-programs.ts';
import { freePort, until } from '../../../e2e/product.ts';
import { isReady } from '../api-process.ts';

/** Header in which the proxy names the replica that answered. */
export const REPLICA_HEADER = 'x-replica';

/**
 * HAProxy as docs/scaling.md describes it. A replica that does not respond is found after at most 3.25 s: a second until
 * the next check, two checks of a second each, a quarter between them. Its connections are then closed, so browsers
 * reconnect elsewhere.
 */
const configuration = (port: number, replicas: readonly { name: string; port: number }[]): string =>
  [
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 60s',
    '  timeout server 60s',
    '  timeout check 1s',
    '  retries 3',
    '  option redispatch 1',
    '  option forwardfor',
    'listen plimsoll',
    `  bind 127.0.0.1:${String(port)}`,
    '  balance leastconn',
    '  option httpchk GET /readyz',
    `  http-response set-header ${REPLICA_HEADER} %s`,
    '  default-server check inter 1s fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...replicas.map((replica) => `  server ${replica.name} 127.0.0.1:${String(replica.port)}`),
    '',
  ].join('\n');

export interface Proxy {
  url: string;
  stop(): Promise<void>;
}

/** Starts HAProxy before the replicas and waits until it reaches one. */
export async function startProxy(folder: string, replicas: readonly { name: string; port: number }[]): Promise<Proxy> {
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port, replicas));
  const child = startProgram('haproxy', ['-db', '-q', '-f', file]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const url = `http://127.0.0.1:${String(port)}`;
  await until('HAProxy', () => isReady(url));
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
