import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../lib/web-build.ts';
import type { Target } from './targets.ts';

/** Entry of one package in package-lock.json. */
interface Pinned {
  version: string;
  /** Subresource integrity of the package's archive: "sha512-BASE64". */
  integrity: string;
}

function pinned(name: string): Pinned {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Partial<Pinned>>;
  };
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (!version || !integrity) throw new Error(`package-lock.json does not pin ${name}; it comes with the package bun`);
  return { version, integrity };
}

/** Throws unless the archive's bytes are those the lockfile names. */
export function checkIntegrity(name: string, archive: Buffer, integrity: string): void {
  const [algorithm = '', wanted = ''] = integrity.split(/-(.*)/s);
  const found = createHash(algorithm).update(archive).digest('base64');
  if (found !== wanted)
    throw new Error(`checksum mismatch for ${name}: expected ${integrity}, got ${algorithm}-${found}`);
}

/** Fetches the package with npm into `folder`, where another process may be doing the same. */
function fetchPackage(name: string, folder: string): void {
  const { version, integrity } = pinned(name);
  mkdirSync(dirname(folder), { recursive: true });
  const staging = mkdtempSync(`${folder}.`);
  try {
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', staging], { stdio: 'pipe' });
    const [file = ''] = globSync(join(staging, '*.tgz'));
    checkIntegrity(name, readFileSync(file), integrity);
    execFileSync('tar', ['-xzf', file, '-C', staging], { stdio: 'pipe' });
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(staging, 'package'), folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * Path of Bun's executable for a target: from node_modules when npm put it there (this machine's own), else from a
 * cache that is filled on demand, so that `npm ci` does not bring five foreign platforms at 45 MB each.
 */
export function runtimeFor(target: Target, say: (line: string) => void): string {
  const installed = join(ROOT, 'node_modules', target.package, 'bin', 'bun');
  if (existsSync(installed)) return installed;
  const { version } = pinned(target.package);
  const folder = join(ROOT, '.cache', 'agent-build', `${target.name}-${version}`);
  const cached = join(folder, 'bin', 'bun');
  if (!existsSync(cached)) {
    say(`fetching ${target.package} ${version}`);
    fetchPackage(target.package, folder);
  }
  return cached;
}

/** Path of the Bun that runs on this machine. Throws with the remedy when npm brought none. */
export function hostRuntime(): string {
  const machine = { x64: 'x64', arm64: 'aarch64' }[process.arch as string] ?? process.arch;
  const [found] = globSync(join(ROOT, `node_modules/@oven/bun-${process.platform}-${machine}*/bin/bun`));
  if (!found)
    throw new Error(
      `npm brought no Bun for ${process.platform}-${process.arch}. Run npm ci with optional packages on; Bun runs on Linux and macOS, x64 and arm64.`,
    );
  return found;
}
