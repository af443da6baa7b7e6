import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as requestTls } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { startProgram } from './debian-programs.ts';
import { freePort } from './free-port.ts';

const SITE = fileURLToPath(new URL('../../../docs/production/nginx.conf', import.meta.url));
const HOST = 'plimsoll.example.com';

interface SendOptions {
  method?: string;
  headers?: Record<string, string>;
}

export interface Nginx {
  /** Port of the site without TLS. */
  plainPort: number;
  /** Sends a request over TLS, as a browser at the address of the site does. Resolves at the head of the answer. */
  send(path: string, options?: SendOptions, body?: string | Buffer): Promise<IncomingMessage>;
  stop(): Promise<void>;
}

/** Replaces a line of the document. Throws where the document has it no longer. */
function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`docs/production/nginx.conf has no "${from}"`);
  return text.replaceAll(from, to);
}

/** Starts Debian's nginx with the site of docs/production/nginx.conf before an API. */
export async function startNginx(apiPort: number): Promise<Nginx> {
  const folder = mkdtempSync('/tmp/plimsoll-nginx-');
  const [plainPort, tlsPort] = [await freePort(), await freePort()];
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', certificate];
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
  const site = [
    ['server 127.0.0.1:8420;', `server 127.0.0.1:${String(apiPort)};`],
    ['listen 80;', `listen 127.0.0.1:${String(plainPort)};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${String(tlsPort)} ssl http2;`],
    ['/etc/ssl/plimsoll/fullchain.pem', certificate],
    ['/etc/ssl/plimsoll/privkey.pem', key],
  ].reduce((text, [from = '', to = '']) => replaced(text, from, to), readFileSync(SITE, 'utf8'));
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  for (const kind of kinds) mkdirSync(join(folder, kind));
  const around = [
    'daemon off;',
    'master_process off;',
    `pid ${join(folder, 'pid')};`,
    `error_log ${join(folder, 'error.log')};`,
    'events {}',
    'http {',
    `access_log off;`,
    ...kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`),
    site,
    '}',
  ];
  writeFileSync(join(folder, 'nginx.conf'), around.join('\n'));
  const child = startProgram('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const ca = readFileSync(certificate);
  const send: Nginx['send'] = (path, options = {}, body = '') =>
    new Promise((resolve, reject) => {
      const headers = { host: HOST, ...options.headers };
      const sent = requestTls(
        { host: '127.0.0.1', port: tlsPort, servername: HOST, ca, path, agent: false, ...options, headers },
        resolve,
      );
      sent.once('error', reject);
      sent.end(body);
    });
  await vi.waitFor(() => send('/healthz').then((answer) => answer.resume()), { timeout: 30_000, interval: 20 });
  return {
    plainPort,
    send,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
