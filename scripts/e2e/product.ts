import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../lib/web-build.ts';

/** The product as `npm start` runs it, on a free port and a folder of its own. */
export interface Product {
  url: string;
  dataDir: string;
  /** The single-use link it printed. */
  signInLink: string;
  /** Milliseconds from the command to "is ready". */
  readyMs: number;
  lines: string[];
  process: ChildProcess;
  stop(): Promise<void>;
}

/** A port nobody listens on now. */
export const freePort = () =>
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

const exited = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });

/**
 * Starts `node scripts/start.mjs` and waits for its two lines.
 * Throws with everything it printed when it ends before them.
 */
export async function startProduct(options: { args?: string[]; env?: Record<string, string> } = {}): Promise<Product> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-e2e-'));
  // As root the bundled database runs as another user, who must be able to pass through.
  chmodSync(dataDir, 0o711);
  const port = await freePort();
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [join(ROOT, 'scripts/start.mjs'), '--port', String(port), '--verbose', ...(options.args ?? [])],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DATABASE_URL: '', PLIMSOLL_DATA_DIR: dataDir, ...options.env },
    },
  );
  const lines: string[] = [];
  const found = Promise.withResolvers<{ url: string; link: string; ms: number }>();
  let link = '';
  let url = '';
  const read = (line: string) => {
    lines.push(line);
    link = /^Sign in: (\S+)/.exec(line)?.[1] ?? link;
    url = /^Plimsoll is ready: (\S+)/.exec(line)?.[1] ?? url;
    if (link && url) found.resolve({ url, link, ms: performance.now() - started });
  };
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', read);
  void exited(child).then(() => found.reject(new Error(`npm start ended early:\n${lines.join('\n')}`)));
  const { url: at, link: signInLink, ms: readyMs } = await found.promise;
  return {
    url: at,
    dataDir,
    signInLink,
    readyMs,
    lines,
    process: child,
    async stop() {
      child.kill('SIGTERM');
      await exited(child);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Waits until `probe` gives a value; throws naming what it waited for. */
export async function until<T>(
  what: string,
  probe: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  seconds = 60,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`waited ${String(seconds)} s for ${what}`);
    await new Promise((next) => setTimeout(next, 50));
  }
}
