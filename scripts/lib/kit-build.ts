import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../collector/src/version.ts';
import { ROOT, stampOf } from './stamp.ts';

const INPUTS = [
  'collector/src/**/*',
  'collector/units/*',
  'api/contract/*.ts',
  'scripts/install.sh',
  'package-lock.json',
];

const target = `${process.platform}-${process.arch}`;
const KIT = `dist/agent/${VERSION}/plimsoll-${VERSION}-${target}.tar.gz`;
const kitStamp = () => stampOf(`kit-${target}`, INPUTS, KIT);

/** Environment of the collector's service, which halves the memory of the program. */
export const programEnvironment = (): Record<string, string> =>
  Object.fromEntries(
    [
      ...readFileSync(join(ROOT, 'collector/units/plimsoll.service'), 'utf8').matchAll(
        /^Environment=(BUN_\w+)=(.+)$/gm,
      ),
    ].map(([, name = '', value = '']) => [name, value]),
  );

/** Unpacks the program of a kit, unless it was unpacked after the kit was built. */
function unpackProgram(): string {
  const kit = join(ROOT, KIT);
  const folder = join(ROOT, '.cache', `collector-${target}`);
  const program = join(folder, 'plimsoll');
  if (existsSync(program) && statSync(program).mtimeMs >= statSync(kit).mtimeMs) return program;
  const draft = join(folder, `draft-${String(process.pid)}`);
  mkdirSync(draft, { recursive: true });
  // -m: the time of unpacking, not that of the archive.
  execFileSync('tar', ['-xzmf', kit, '-C', draft, 'plimsoll']);
  renameSync(join(draft, 'plimsoll'), program);
  rmSync(draft, { recursive: true });
  return program;
}

/** Returns true if the program runs here; it does not on a system with another C library. */
const runs = (program: string): boolean => {
  try {
    execFileSync(program, ['version'], { stdio: 'ignore', timeout: 20_000, cwd: '/' });
    return true;
  } catch {
    return false;
  }
};

/** Returns the collector as it is shipped, built from today's sources; null if it is not built or does not run here. */
export function builtCollector(): string | null {
  if (!kitStamp().isFresh()) return null;
  const program = unpackProgram();
  return runs(program) ? program : null;
}

/**
 * Builds the installable collector for platforms like this machine in the background, so that the Setup page's command
 * works for them. Other platforms: npm run build:agent. A failure is said and stops nothing. `onBuilt` is called when a
 * new one is there.
 */
export function buildLocalKit(say: (line: string) => void, onBuilt: () => void = () => {}): void {
  const stamp = kitStamp();
  if (stamp.isFresh()) return;
  const child = spawn(process.execPath, [join(ROOT, 'scripts/agent-build/main.ts'), '--target', target], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const messages: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => messages.push(part));
  child.once('error', (error) => say(`the collector for ${target} did not build: ${error.message}`));
  child.once('exit', (code, signal) => {
    if (code === 0) {
      stamp.keep();
      onBuilt();
      say(`the collector for ${target} is ready to install from here; other platforms: npm run build:agent`);
    } else if (signal === null)
      say(`the collector for ${target} did not build:\n${Buffer.concat(messages).toString()}`);
  });
  child.unref();
}
