import { execFile } from 'node:child_process';

/** Runs a program and gives what it printed. Throws an error that names the program and why it gave nothing. */
export type Exec = (file: string, argv: readonly string[]) => Promise<string>;

const ANSWER_MS = 5000;
const OUTPUT_BYTES = 8 * 1_048_576;

/** No shell, an empty environment but for a plain locale, and an end to waiting. `path` is searched for the program. */
export function systemExec(path = '/usr/sbin:/usr/bin:/sbin:/bin'): Exec {
  const env = { PATH: path, LC_ALL: 'C', LANG: 'C' };
  return (file, argv) =>
    new Promise((resolve, reject) => {
      const options = { env, timeout: ANSWER_MS, maxBuffer: OUTPUT_BYTES, encoding: 'utf8', cwd: '/' } as const;
      execFile(file, [...argv], options, (error, stdout, stderr) => {
        if (!error) resolve(stdout);
        else reject(new Error(`${file}: ${reasonOf(error, stderr)}`));
      });
    });
}

function reasonOf(error: { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.killed === true) return `no answer within ${ANSWER_MS} ms`;
  if (error.code === 'ENOENT') return 'is not installed';
  const [first = ''] = stderr.trim().split('\n');
  return first === '' ? `failed (${String(error.code)})` : first.slice(0, 200);
}
