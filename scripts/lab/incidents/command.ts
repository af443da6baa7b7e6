import { spawn } from 'node:child_process';
import { CommandError } from '../../cluster/shell.ts';

/** Runs a command beside others and returns what it printed. Throws `CommandError` when it fails. */
export function runCommand(command: string, args: string[], input = '', seconds = 120): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], timeout: seconds * 1000 });
    const output: string[] = [];
    const problems: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => problems.push(text));
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve(output.join(''));
      else reject(new CommandError([command, ...args].join(' '), code ?? signal ?? 'unknown', problems.join('')));
    });
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
