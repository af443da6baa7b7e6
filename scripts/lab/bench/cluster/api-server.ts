import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'node:https';

/** A real kube-apiserver on a real etcd, and nothing else: no kubelet, no controller, so that what is written stays. */
export interface ApiServer {
  host: string;
  port: number;
  /** Holds ca.crt and token, as a pod finds them. */
  serviceAccountDir: string;
  send(method: string, path: string, body?: unknown, contentType?: string): Promise<string>;
  stop(): void;
}

export const TOKEN = 'bench-token';

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function run(folder: string, file: string, args: string[]): ChildProcess {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(join(folder, `${file.split('/').at(-1)}.log`));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  return child;
}

/** `disabled`: admission plugins that are off; without controllers some of them would wait for ever. */
export async function startApiServer(
  bin: string,
  folder: string,
  disabled: readonly string[] = ['ServiceAccount'],
): Promise<ApiServer> {
  const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const [key, pub, tokens] = ['sa.key', 'sa.pub', 'tokens.csv'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(key, privateKey);
  writeFileSync(pub, publicKey);
  writeFileSync(tokens, `${TOKEN},bench,1,system:masters\n`);
  const etcd = run(folder, join(bin, 'etcd'), [
    `--data-dir=${folder}/etcd`,
    `--listen-client-urls=http://127.0.0.1:${etcdPort}`,
    `--advertise-client-urls=http://127.0.0.1:${etcdPort}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-advertise-peer-urls=http://127.0.0.1:${peerPort}`,
    `--initial-cluster=default=http://127.0.0.1:${peerPort}`,
    '--unsafe-no-fsync',
  ]);
  const api = run(folder, join(bin, 'kube-apiserver'), [
    `--etcd-servers=http://127.0.0.1:${etcdPort}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${port}`,
    `--cert-dir=${folder}/certs`,
    `--token-auth-file=${tokens}`,
    '--service-account-issuer=https://bench',
    `--service-account-key-file=${pub}`,
    `--service-account-signing-key-file=${key}`,
    `--disable-admission-plugins=${disabled.join(',')}`,
    '--service-cluster-ip-range=10.99.0.0/24',
  ]);
  const stop = (): void => {
    api.kill('SIGKILL');
    etcd.kill('SIGKILL');
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 24, rejectUnauthorized: false });
  const send: ApiServer['send'] = (method, path, body, contentType = 'application/json') =>
    sendTo({ agent, port, method, path, body: body === undefined ? '' : JSON.stringify(body), contentType });
  for (let tries = 0; ; tries += 1) {
    const ready = await send('GET', '/readyz').catch(() => '');
    if (ready === 'ok') break;
    if (tries > 240) {
      stop();
      throw new Error(
        `kube-apiserver is not ready: ${readFileSync(join(folder, 'kube-apiserver.log'), 'utf8').slice(-2000)}`,
      );
    }
    await setTimeout(250);
  }
  const serviceAccountDir = join(folder, 'serviceaccount');
  mkdirSync(serviceAccountDir);
  writeFileSync(join(serviceAccountDir, 'token'), TOKEN);
  writeFileSync(join(serviceAccountDir, 'ca.crt'), readFileSync(join(folder, 'certs/apiserver.crt')));
  return { host: '127.0.0.1', port, serviceAccountDir, send, stop };
}

interface Request {
  agent: Agent;
  port: number;
  method: string;
  path: string;
  body: string;
  contentType: string;
}
const sendTo = ({ agent, port, method, path, body, contentType }: Request): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${TOKEN}`, ...(body ? { 'content-type': contentType } : {}) };
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if ((answer.statusCode ?? 0) < 300) resolve(text);
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
