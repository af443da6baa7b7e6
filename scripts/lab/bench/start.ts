import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { quantile } from './ingest/load.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DEFAULT_RUNS = 7;
const LOOK_MS = 20;
const GIVE_UP_MS = 180_000;
const ACCOUNT = { email: 'ops@example.com', password: 'correct horse battery' } as const;

export const help = `npm start with a new data folder and with an existing one, in turn: milliseconds until /readyz answers, until the
collector of this machine has its first figure on a screen, and of the first two sign-ins. Build the dashboard before.
  --runs 7   how often both are measured`;

/** Milliseconds since `npm start`, or of one call. */
interface Times {
  /** PostgreSQL writes its process id: node has read the program, and a new database is created. */
  database: number;
  ready: number;
  firstSignIn: number;
  secondSignIn: number;
  firstFigure: number;
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

/** Looks until `find` returns a value. Throws if the program ends before. */
async function until<T>(child: ChildProcess, find: () => Promise<T | null>): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpAt) {
    if (child.exitCode !== null) throw new Error(`npm start ended with ${String(child.exitCode)}`);
    const found = await find().catch(() => null);
    if (found !== null) return found;
    await new Promise((next) => setTimeout(next, LOOK_MS));
  }
  throw new Error('npm start was not ready in three minutes');
}

async function signIn(origin: string): Promise<{ token: string; ms: number }> {
  const begun = performance.now();
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${origin}/api/auth/local`, { method: 'POST', headers, body: JSON.stringify(ACCOUNT) });
  const { data } = (await response.json()) as { data?: { token: string } };
  if (data === undefined) throw new Error(`signing in answered ${String(response.status)}`);
  return { token: data.token, ms: performance.now() - begun };
}

async function hasFigure(origin: string, token: string): Promise<true | null> {
  const response = await fetch(`${origin}/api/servers/list`, { headers: { authorization: `Bearer ${token}` } });
  const { data } = (await response.json()) as { data?: { summary: { avg_memory: number | null } } };
  return data !== undefined && data.summary.avg_memory !== null ? true : null;
}

const hasStarted = (dataDir: string): boolean => existsSync(join(dataDir, 'postgres', 'postmaster.pid'));

async function measure(dataDir: string): Promise<Times> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${String(port)}`;
  const begun = performance.now();
  const since = (): number => performance.now() - begun;
  // npm forwards no signal on every system, so the group is ended.
  const child = spawn('npm', ['start'], {
    cwd: ROOT,
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PLIMSOLL_DATA_DIR: dataDir,
      PLIMSOLL_PORT: String(port),
      PLIMSOLL_ADMIN_EMAIL: ACCOUNT.email,
      PLIMSOLL_ADMIN_PASSWORD: ACCOUNT.password,
    },
  });
  try {
    await until(child, async () => (hasStarted(dataDir) ? true : null));
    const database = since();
    await until(child, async () => ((await fetch(`${origin}/readyz`)).ok ? true : null));
    const ready = since();
    const first = await signIn(origin);
    await until(child, () => hasFigure(origin, first.token));
    const firstFigure = since();
    const second = await signIn(origin);
    return { database, ready, firstSignIn: first.ms, secondSignIn: second.ms, firstFigure };
  } finally {
    await new Promise<void>((resolve) => {
      if (child.exitCode !== null) return resolve();
      child.once('exit', () => resolve());
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    });
  }
}

function print(name: string, runs: readonly Times[]): void {
  const line = (label: string, of: (times: Times) => number): string => {
    const sorted = runs.map(of).toSorted((a, b) => a - b);
    const at = (share: number): string => quantile(sorted, share).toFixed(0);
    return `  ${label.padEnd(26)} ${at(0.5)} ms (${at(0)}–${at(1)})`;
  };
  console.log(name);
  console.log(line('PostgreSQL begins', ({ database }) => database));
  console.log(line('/readyz', ({ ready }) => ready));
  console.log(line('first figure after that', ({ firstFigure, ready }) => firstFigure - ready));
  console.log(line('first sign-in', ({ firstSignIn }) => firstSignIn));
  console.log(line('second sign-in', ({ secondSignIn }) => secondSignIn));
}

export async function main(argv: readonly string[]): Promise<void> {
  const runs = Number(argv[argv.indexOf('--runs') + 1 || argv.length] ?? DEFAULT_RUNS);
  if (!existsSync(join(ROOT, 'web', 'dist', 'index.html'))) throw new Error('build the dashboard first: npm run build');
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  // As root the bundled database runs as another user, who must be able to pass through.
  chmodSync(folder, 0o711);
  console.log(`load before: ${loadavg()[0]?.toFixed(1) ?? ''}`);
  const rows = { fresh: [] as Times[], existing: [] as Times[] };
  try {
    const existing = join(folder, 'existing');
    await measure(existing); // fills the caches of compiled code
    for (let run = 0; run < runs; run += 1) {
      const fresh = join(folder, `fresh-${String(run)}`);
      rows.fresh.push(await measure(fresh));
      rmSync(fresh, { recursive: true });
      rows.existing.push(await measure(existing));
    }
    print('new data folder', rows.fresh);
    print('existing data folder', rows.existing);
    console.log(`load after: ${loadavg()[0]?.toFixed(1) ?? ''}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
