import { spawn, spawnSync } from 'node:child_process';

/** A command that ended with something else than 0. */
export class CommandError extends Error {
  readonly output: string;
  constructor(command: string, status: number | string, output: string) {
    super(`${command}: exit ${String(status)}${output === '' ? '' : `\n${output.slice(-4000)}`}`);
    this.name = 'CommandError';
    this.output = output;
  }
}

export interface Options {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
  /** Seconds; a command that takes longer is killed and fails. */
  timeout?: number;
}

const environment = (options: Options) => ({ ...process.env, ...options.env });

/** Runs a command and returns what it printed. Throws `CommandError` with its messages when it fails. */
export function capture(command: string, args: string[], options: Options = {}): string {
  const { status, signal, stdout, stderr, error } = spawnSync(command, args, {
    cwd: options.cwd,
    env: environment(options),
    input: options.input ?? '',
    timeout: (options.timeout ?? 600) * 1000,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error) throw new CommandError([command, ...args].join(' '), error.message, stderr ?? '');
  if (status !== 0)
    throw new CommandError([command, ...args].join(' '), status ?? signal ?? 'unknown', `${stderr}${stdout}`);
  return stdout;
}

/** Returns true if the command ends with 0 (within a minute unless `timeout` says otherwise). Drops its output. */
export function succeeds(command: string, args: string[], options: Options = {}): boolean {
  return (
    spawnSync(command, args, { env: environment(options), stdio: 'ignore', timeout: (options.timeout ?? 60) * 1000 })
      .status === 0
  );
}

/** Runs a command with its output shown on stderr. Throws `CommandError` when it fails. */
export async function show(command: string, args: string[], options: Options = {}): Promise<void> {
  const child = spawn(command, args, { cwd: options.cwd, env: environment(options), stdio: ['ignore', 2, 2] });
  const status = await new Promise<number | string>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
  if (status !== 0) throw new CommandError([command, ...args].join(' '), status, '');
}

export const say = (line: string) => void process.stderr.write(`plimsoll: ${line}\n`);

/** Does one step and says how long it took. */
export async function step<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  const started = Date.now();
  say(`${what} …`);
  const result = await work();
  say(`${what}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return result;
}
