import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { signAdHoc } from './code-signature.ts';
import { hostRuntime, runtimeFor } from './runtime.ts';
import type { Target } from './targets.ts';

/** Identifier of the program in our signatures. */
const IDENTIFIER = 'plimsoll';

/**
 * `--no-compile-autoload-*`: a default Bun program executes bunfig.toml's preload and reads .env from the folder it is
 * started in; ours runs as root there when an operator types `plimsoll`.
 * `--bytecode`: parsed here and not at each start, which halves the CPU of a short command and spares half a MB of private
 * memory. A runtime that does not take it parses the source, which is there too.
 */
const FLAGS = [
  '--bytecode',
  '--format=cjs',
  '--keep-names',
  '--no-compile-autoload-bunfig',
  '--no-compile-autoload-dotenv',
];

/** The collector as one executable for a target. Throws with Bun's messages when the build fails. */
export function compile(
  entry: string,
  target: Target,
  say: (line: string) => void,
  sign: (file: Buffer) => Buffer = (file) => signAdHoc(file, IDENTIFIER),
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-build-'));
  try {
    const outfile = join(folder, 'plimsoll');
    const args = [
      'build',
      '--compile',
      `--target=${target.bunTarget}`,
      `--compile-executable-path=${runtimeFor(target, say)}`,
      ...FLAGS,
      `--outfile=${outfile}`,
      basename(entry),
    ];
    const { status, stderr, error } = spawnSync(hostRuntime(), args, { cwd: dirname(entry), encoding: 'utf8' });
    if (error || status !== 0)
      throw new Error(`bun build for ${target.name} failed (exit ${String(status)}): ${error?.message ?? stderr}`);
    const program = readFileSync(outfile);
    return target.name.startsWith('darwin-') ? sign(program) : program;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
