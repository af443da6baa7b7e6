import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** For a database or a program to end by itself. */
const PATIENCE_MS = 5000;
const LOOK_MS = 50;

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the processes that have this folder in their command line or their environment: databases leave their group. */
const processesOf = (folder: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((name) => read(`/proc/${String(pid)}/${name}`).includes(folder)));

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

/** Ends every process of this folder. PostgreSQL ends at once by SIGQUIT, and takes its children along. */
async function endAll(folder: string): Promise<void> {
  for (const pid of processesOf(folder)) kill(pid, 'SIGQUIT');
  for (let waited = 0; waited < PATIENCE_MS && processesOf(folder).length > 0; waited += LOOK_MS) await delay(LOOK_MS);
  for (const pid of processesOf(folder)) kill(pid, 'SIGKILL');
}

/**
 * Runs a script of Node in a process of its own and returns its exit code. Its temporary files are in a folder of their own.
 * A signal, an error and its end leave neither a process nor a file of it behind.
 */
export async function runApart(script: string, argv: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  // Databases of other users pass through.
  chmodSync(folder, 0o711);
  const child = spawn(process.execPath, [script, ...argv], {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: folder },
  });
  let signalled: NodeJS.Signals | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    signalled = signal;
    child.kill('SIGKILL');
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  const code = await new Promise<number>((resolve) => child.once('exit', (exit) => resolve(exit ?? 1)));
  await endAll(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  for (const signal of SIGNALS) process.off(signal, stop);
  return signalled === null ? code : 130;
}
