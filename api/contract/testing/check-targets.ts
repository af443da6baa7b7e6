import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlain, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls, type TLSSocket } from 'node:tls';

/** Stand-ins on loopback for what checks run against. */

export interface Pair {
  key: string;
  /** The server's certificate, and those that it sends with it. */
  cert: string;
  ciphers?: string;
}
export interface Authority {
  /** The root in PEM, which a place trusts. */
  root: string;
  /**
   * Makes a certificate of the root for names, for days from `from`. `bits` of an RSA key; 0: an Ed25519 key. `middle`: with
   * an authority between, or (`crossed`) with a certificate of the root by an older one that has ended.
   */
  issue(
    names: string,
    options?: { days?: number; from?: number; bits?: number; middle?: 'sent' | 'missing' | 'crossed' },
  ): Pair;
  remove(): void;
}

const dateOf = (ms: number): string => `${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
const DAY = 86_400_000;

/** `openssl ca` is the one command that sets the beginning of a certificate in OpenSSL 3.0. */
const CONFIG = `[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = any
[any]
commonName = supplied
organizationName = optional
`;

/** Makes a root, an authority below it and certificates with the program openssl. */
export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'check-targets-'));
  const path = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...ec, '-keyout', 'root.key', '-out', 'root.pem', '-days', '30', '-subj', '/CN=Test Root');
  writeFileSync(path('ca.ext'), 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n');
  openssl('req', ...ec, '-keyout', 'middle.key', '-out', 'middle.csr', '-subj', '/CN=Test Middle');
  const by = (ca: string): string[] => ['-CA', `${ca}.pem`, '-CAkey', `${ca}.key`, '-CAcreateserial'];
  openssl(
    'x509',
    '-req',
    '-in',
    'middle.csr',
    ...by('root'),
    '-out',
    'middle.pem',
    '-days',
    '20',
    '-extfile',
    'ca.ext',
  );
  writeFileSync(path('index.txt'), '');
  writeFileSync(path('ca.cnf'), CONFIG);
  const sign = (ca: string, ...more: string[]): void =>
    openssl('ca', '-batch', '-notext', '-config', 'ca.cnf', '-cert', `${ca}.pem`, '-keyfile', `${ca}.key`, ...more);
  const cross = (): void => {
    openssl('req', '-x509', ...ec, '-keyout', 'old.key', '-out', 'old.pem', '-days', '1', '-subj', '/CN=Old Root');
    openssl('req', '-new', '-key', 'root.key', '-out', 'crossed.csr', '-subj', '/CN=Test Root');
    const time = ['-startdate', dateOf(Date.now() - 9 * DAY), '-enddate', dateOf(Date.now() - DAY)];
    sign('old', ...time, '-in', 'crossed.csr', '-out', 'crossed.pem', '-extfile', 'ca.ext');
  };
  let count = 0;
  return {
    root: readFileSync(path('root.pem'), 'utf8'),
    issue: (names, { days = 10, from = Date.now() - DAY, bits, middle } = {}) => {
      count += 1;
      const name = `own-${String(count)}`;
      writeFileSync(path(`${name}.ext`), `subjectAltName=${names}\n`);
      const key = bits === undefined ? ec : ['-newkey', bits === 0 ? 'ed25519' : `rsa:${String(bits)}`, '-nodes'];
      openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=shop.test/O=Shop');
      const ca = middle === 'sent' || middle === 'missing' ? 'middle' : 'root';
      const time = ['-startdate', dateOf(from), '-enddate', dateOf(from + days * DAY)];
      const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', `${name}.ext`];
      sign(ca, ...time, ...files);
      const sent = { sent: 'middle', missing: null, crossed: 'crossed' }[middle ?? 'missing'];
      if (sent === 'crossed') cross();
      const own = readFileSync(path(`${name}.pem`), 'utf8');
      const chain = sent === null ? '' : readFileSync(path(`${sent}.pem`), 'utf8');
      return { key: readFileSync(path(`${name}.key`), 'utf8'), cert: own + chain };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export interface Target {
  port: number;
  /** Connections that came. */
  connections: () => number;
  close(): Promise<void>;
}

/** Listens on a free port of 127.0.0.1. `pair`: with TLS. */
export async function listen(answer: (socket: Socket | TLSSocket) => void, pair?: Pair): Promise<Target> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const take = (socket: Socket | TLSSocket): void => {
    socket.on('error', () => undefined);
    answer(socket);
  };
  const server: Server = pair === undefined ? createPlain(take) : createTls(pair, take);
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers the first bytes of each connection with a text, and closes. */
export const says =
  (text: string | Buffer) =>
  (socket: Socket | TLSSocket): void => {
    socket.once('data', () => socket.end(text));
  };
