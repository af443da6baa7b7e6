import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { timerMs } from '@plimsoll/contract/rules/timer';
import { createInterface } from 'node:readline';
import { isAlive } from '../../api/src/database/embedded/postmaster.ts';

export interface Started {
  readonly name: string;
  readonly pid: number;
  /** Resolves with the exit code (128 + 15 when a signal ended it). */
  readonly exited: Promise<number>;
  stop(): Promise<void>;
}

/** Seconds a child may take to stop before it is killed: the embedded database writes a checkpoint first. */
const STOP_SECONDS = 30;

const POLL_MS = 25;

const exitCode = (child: ChildProcess) =>
  new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 143 : (code ?? 1)));
  });

interface ProgramStart {
  args: string[];
  env: Record<string, string>;
  /** Receives each line it prints. */
  onLine: (line: string) => void;
}

/** Ends a process that is no child of ours. */
export async function endProcess(pid: number): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    for (let waited = 0; isAlive(pid) && waited < STOP_SECONDS * 1000; waited += POLL_MS) await delay(POLL_MS);
  }
}

/**
 * Starts a program. It is in its own process group: Ctrl-C is ours to pass on. Its standard input is a pipe that nothing
 * is written to. The pipe closes when this process ends in any way, also when it is killed.
 */
export function startProgram(name: string, file: string, { args, env, onLine }: ProgramStart): Started {
  const child = spawn(file, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', onLine);
  const exited = exitCode(child);
  // An end that nothing else announces, such as an uncaught error, must not leave it behind.
  const endWithUs = (): void => void child.kill('SIGTERM');
  process.once('exit', endWithUs);
  child.once('exit', () => process.off('exit', endWithUs));
  return {
    name,
    pid: child.pid ?? -1,
    exited,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const killer = setTimeout(() => child.kill('SIGKILL'), STOP_SECONDS * 1000);
      await exited.catch(() => undefined);
      clearTimeout(killer);
    },
  };
}

/** Starts `node script`. */
export const startNode = (
  name: string,
  args: string[],
  env: Record<string, string>,
  onLine: (line: string) => void,
): Started => startProgram(name, process.execPath, { args, env, onLine });

/** Seconds before the n-th restart in a row of a part that ended by itself. */
const restartDelay = (n: number) => Math.min(30, 2 ** n);
/** A part that ran this long counts as healthy again. */
const HEALTHY_SECONDS = 60;

/**
 * Keeps a part running as a service manager would. It gives up, and `exited` resolves, when the part ends with one of
 * the `final` codes or is stopped.
 */
export function keepRunning(begin: () => Started, final: readonly number[], say: (line: string) => void): Started {
  let current = begin();
  let stopping = false;
  let wake = () => {};
  const watch = async (): Promise<number> => {
    for (let failures = 0; ; failures++) {
      const since = Date.now();
      say(`${current.name} started (pid ${String(current.pid)})`);
      const code = await current.exited;
      if (stopping || final.includes(code)) return code;
      if (Date.now() - since > HEALTHY_SECONDS * 1000) failures = 0;
      const seconds = restartDelay(failures);
      say(`${current.name} ended with exit code ${String(code)}; starting it again in ${String(seconds)} s`);
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, timerMs(seconds * 1000)).unref();
      });
      if (stopping) return code;
      current = begin();
    }
  };
  return {
    name: current.name,
    get pid() {
      return current.pid;
    },
    exited: watch(),
    async stop() {
      stopping = true;
      wake();
      await current.stop();
    },
  };
}
