import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { capture, show, step, succeeds } from '../../cluster/shell.ts';
import type { Tool } from './tools.ts';

const MINIMUM_GO = [1, 26] as const;

/** Throws with the remedy when there is no Go that can read the go.mod files under tools/. */
function requireGo(): void {
  let version: string;
  try {
    version = capture('go', ['env', 'GOVERSION']).trim();
  } catch {
    throw new Error(
      'Go is missing: the cluster is compiled from Go modules. Install Go 1.26 or newer (https://go.dev/dl)',
    );
  }
  const [major = 0, minor = 0] = (/^go(\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
  const isOld = major < MINIMUM_GO[0] || (major === MINIMUM_GO[0] && minor < MINIMUM_GO[1]);
  if (isOld && capture('go', ['env', 'GOTOOLCHAIN']).trim() === 'local')
    throw new Error(`${version} is too old: install Go ${MINIMUM_GO.join('.')} or newer, or allow GOTOOLCHAIN=auto`);
}

/**
 * Compiles what is missing of `tools`, whose go.mod files are in `folder`, into `bin`, in the background of whatever else the machine does: about 15 min
 * on two cores when Go's own cache is cold.
 */
export async function compile(tools: Tool[], folder: string, bin: string): Promise<void> {
  const wanted = tools.filter((tool) => Object.values(tool.binaries).some((name) => !existsSync(join(bin, name))));
  if (wanted.length === 0) return;
  requireGo();
  mkdirSync(bin, { recursive: true });
  for (const tool of wanted) {
    const names = Object.values(tool.binaries);
    await step(`compiling ${names.join(', ')}`, () => compileOne(tool, join(folder, tool.module), bin));
  }
}

async function compileOne(tool: Tool, folder: string, bin: string): Promise<void> {
  const values = Object.entries(tool.versions ?? {}).map(([name, value]) => `-X ${name}=${value}`);
  const out = join(bin, `.${tool.module}`);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const flags = ['-trimpath', '-ldflags', ['-s', '-w', ...values].join(' ')];
  const go = ['go', 'build', ...flags, '-o', `${out}/`, ...Object.keys(tool.binaries)];
  const [command = 'go', ...args] = [...unfelt(), ...go];
  await show(command, args, { cwd: folder, env: { CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false' } });
  for (const [path, name] of Object.entries(tool.binaries)) renameSync(join(out, builtName(path)), join(bin, name));
  rmSync(out, { recursive: true });
}

/** The idle class of Linux is below every nice value: its programs never delay the tests that run beside them. */
const unfelt = (): string[] => {
  const polite = ['nice', '-n', '19'];
  return succeeds('chrt', ['--idle', '0', 'true']) ? ['chrt', '--idle', '0', ...polite] : polite;
};

/** Go names a binary after the last part of its path that is not a version. */
function builtName(path: string): string {
  const parts = path.split('/');
  const last = parts.at(-1) ?? path;
  return /^v\d+$/.test(last) ? (parts.at(-2) ?? last) : last;
}
