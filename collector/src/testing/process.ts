import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

type Environment = Record<string, string>;

/** Drops root's rights: files of other users are closed, and the checkout stays readable. */
const WITHOUT_RIGHTS = ['setpriv', '--bounding-set=-all', '--inh-caps=-all'];

/** Runs a program of the collector as its own process, with nothing of this one's environment; ends with the test. */
export function startProgram(
  entry: 'main.ts' | 'kubernetes/main.ts',
  argv: string[],
  environment: Environment,
  rights: 'ours' | 'none' = 'ours',
) {
  const program = [process.execPath, join(import.meta.dirname, '..', entry), ...argv];
  const [command = '', ...words] = rights === 'none' ? [...WITHOUT_RIGHTS, ...program] : program;
  const child = spawn(command, words, { env: { PATH: '/usr/bin:/bin', ...environment } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { out: '', err: '' };
  child.stdout.on('data', (text: Buffer) => (output.out += text.toString()));
  child.stderr.on('data', (text: Buffer) => (output.err += text.toString()));
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return { child, output, ended };
}

export const plimsoll = (argv: string[], environment: Environment, rights?: 'ours' | 'none') =>
  startProgram('main.ts', argv, environment, rights);

export async function until(holds: () => boolean): Promise<void> {
  await expect.poll(holds, { timeout: 40_000, interval: 20 }).toBe(true);
}

/** Messages of a log in JSON, one a line. */
export const messagesOf = (log: string): string[] =>
  log
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
