import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');
export const ACCOUNT = { email: 'ops@example.com', password: 'correct horse battery' } as const;
const READY_TRIES = 2400;
const TRY_MS = 50;

/** The API with the built dashboard, on a free port and a folder of its own, with one account. */
export interface Product {
  origin: string;
  /** Data folder, with its database. */
  dataDir: string;
  /** A session of the account. */
  token: string;
  /** Answers of the API under `data`, as the account sees them. */
  get: <T>(path: string) => Promise<T>;
  /** Ends the API and keeps its data; {@link Product.start} brings it back at the same address. */
  halt: () => Promise<void>;
  start: () => Promise<void>;
  /** Kills the API without a chance to say so, as the kernel does when memory runs out. */
  kill: () => Promise<void>;
  /** Ends it for good and removes its data. */
  stop: () => Promise<void>;
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => null);
  return response?.ok ?? false;
}

/** One process of the API; its output is kept for the message when it does not come up. */
class Api {
  readonly #port: number;
  readonly #dataDir: string;
  readonly #settings: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  #output = '';

  constructor(port: number, dataDir: string, settings: Readonly<Record<string, string>>) {
    this.#port = port;
    this.#dataDir = dataDir;
    this.#settings = settings;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [join(ROOT, 'api/src/main.ts')], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        PLIMSOLL_DATA_DIR: this.#dataDir,
        PLIMSOLL_PORT: String(this.#port),
        PLIMSOLL_ADMIN_EMAIL: ACCOUNT.email,
        PLIMSOLL_ADMIN_PASSWORD: ACCOUNT.password,
        PLIMSOLL_LOG_LEVEL: 'warn',
        PLIMSOLL_AGENT_DIR: join(this.#dataDir, 'kits'),
        ...this.#settings,
      },
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    }
    for (let tries = 0; tries < READY_TRIES; tries += 1) {
      if (child.exitCode !== null) break;
      if (await answers(`http://127.0.0.1:${String(this.#port)}/readyz`)) return;
      await new Promise((next) => setTimeout(next, TRY_MS));
    }
    await this.halt();
    throw new Error(`the API did not come up:\n${this.#output}`);
  }

  async halt(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    child.kill(signal);
    await ended(child);
    this.#child = null;
  }
}

async function signIn(origin: string): Promise<string> {
  const response = await fetch(`${origin}/api/auth/local`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ACCOUNT),
  });
  const { data } = (await response.json()) as { data?: { token: string } };
  if (data === undefined) throw new Error(`signing in answered ${String(response.status)}`);
  return data.token;
}

/** Puts kits where the product looks for them: Setup offers no command for a platform without one. */
function putKits(dataDir: string): void {
  const folder = join(dataDir, 'kits', '0.0.1');
  mkdirSync(folder, { recursive: true });
  for (const target of ['linux-x64', 'linux-arm64', 'darwin-arm64'])
    writeFileSync(join(folder, `plimsoll-0.0.1-${target}.tar.gz`), '');
}

/** Starts the product with settings beside its own; the dashboard must have been built. */
export async function startProduct(settings: Readonly<Record<string, string>> = {}): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-web-'));
  // As root the bundled database runs as another user, who must be able to pass through.
  chmodSync(dataDir, 0o711);
  putKits(dataDir);
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  const api = new Api(port, dataDir, settings);
  await api.start();
  const token = await signIn(origin);
  return {
    origin,
    dataDir,
    token,
    async get<T>(path: string) {
      const response = await fetch(origin + path, { headers: { authorization: `Bearer ${token}` } });
      return ((await response.json()) as { data: T }).data;
    },
    start: () => api.start(),
    halt: () => api.halt(),
    kill: () => api.halt('SIGKILL'),
    async stop() {
      await api.halt();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
