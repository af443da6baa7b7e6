import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../e2e/product.ts';
import { ROOT } from '../../lib/web-build.ts';

const READY_SECONDS = 120;
export const ACCOUNT = { email: 'operator@example.com', password: 'a long password for a test' };

/** The API as it runs in production, with its own database, on an address a test machine reaches. */
export interface Dashboard {
  url: string;
  /** The folder kits are served from. */
  agentDir: string;
  /** Returns the API's log, which must hold no secret. */
  log(): string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** `data` of a GET as the operator. Throws with the answer unless it is 200. */
  get<T>(path: string): Promise<T>;
  enrolmentToken(): Promise<string>;
  remove(): Promise<void>;
}

const freePort = (host: string) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

async function call<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${String(response.status)} ${text}`);
  return (JSON.parse(text) as { data: T }).data;
}

/** `app`: the folder of the product. */
export async function makeDashboard(host: string, app: string = ROOT): Promise<Dashboard> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-dashboard-'));
  // The database's own user passes through.
  chmodSync(folder, 0o711);
  const port = await freePort(host);
  const url = `http://${host}:${String(port)}`;
  const agentDir = join(folder, 'agent');
  mkdirSync(agentDir);
  const output: string[] = [];
  let running: { child: ChildProcess; ended: Promise<void> } | null = null;
  let session = '';
  const stop = async (): Promise<void> => {
    running?.child.kill('SIGTERM');
    await running?.ended;
    running = null;
  };
  const bearer = () => ({ authorization: `Bearer ${session}` });
  return {
    url,
    agentDir,
    log: () => output.join(''),
    stop,
    async start() {
      const child = startApi({ app, host, port, folder, agentDir }, (text) => output.push(text));
      running = { child, ended: new Promise((resolve) => child.once('exit', () => resolve())) };
      const ready = until('the API to be ready', () => answers(`${url}/readyz`), READY_SECONDS);
      await Promise.race([ready, running.ended.then(() => Promise.reject(new Error('the API ended')))]).catch(
        (error) => {
          throw new Error(`${(error as Error).message}; it said:\n${output.join('')}`, { cause: error });
        },
      );
      const signIn = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(ACCOUNT) };
      session = (await call<{ token: string }>(`${url}/api/auth/local`, signIn)).token;
    },
    get: (path) => call(url + path, { headers: bearer() }),
    enrolmentToken: async () =>
      (await call<{ token: string }>(`${url}/api/user/enrolment-tokens`, { method: 'POST', headers: bearer() })).token,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Place {
  app: string;
  host: string;
  port: number;
  folder: string;
  agentDir: string;
}

function startApi({ app, host, port, folder, agentDir }: Place, write: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, [join(app, 'api/src/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      PLIMSOLL_HOST: host,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_DATA_DIR: join(folder, 'state'),
      PLIMSOLL_AGENT_DIR: agentDir,
      PLIMSOLL_ADMIN_EMAIL: ACCOUNT.email,
      PLIMSOLL_ADMIN_PASSWORD: ACCOUNT.password,
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => write(chunk.toString()));
  return child;
}
