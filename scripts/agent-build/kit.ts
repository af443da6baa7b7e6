import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../lib/web-build.ts';
import { compile } from './compile.ts';
import { tar } from '../lib/tar.ts';
import type { Target } from './targets.ts';

/** Sources of a build and its target folder. */
export interface Build {
  /** The collector's entry, an absolute path. */
  entry: string;
  /** Stands in the file names; the installer refuses a program that calls itself otherwise. */
  version: string;
  /** Kits go to `out/VERSION/`, which is the folder the API serves. */
  out: string;
}

/** Files beside the program: the script that installs it and the files that run it. */
const COMPANIONS = [
  'scripts/install.sh',
  'collector/units/plimsoll.service',
  'collector/units/socket-owners.conf',
  'collector/units/smart.conf',
  'collector/units/gpu.conf',
  'collector/units/zpool.conf',
  'collector/units/journal.conf',
  'collector/units/token-file.conf',
  'collector/units/app.plimsoll.collector.plist',
  'collector/units/plimsoll.openrc',
];

export const kitName = (version: string, target: string): string => `plimsoll-${version}-${target}.tar.gz`;

/** Builds one kit: program, installer and units in an archive whose bytes depend on the sources alone. */
export async function buildKit(
  build: Build,
  target: Target,
  say: (line: string) => void,
): Promise<{ file: string; sha256: string }> {
  const archive = await tar([
    { name: 'plimsoll', content: compile(build.entry, target, say), executable: true },
    ...COMPANIONS.map((path) => ({ name: basename(path), content: readFileSync(join(ROOT, path)) })),
  ]);
  const kit = gzipSync(archive, { level: 6 });
  const sha256 = createHash('sha256').update(kit).digest('hex');
  const file = join(build.out, build.version, kitName(build.version, target.name));
  mkdirSync(join(build.out, build.version), { recursive: true });
  writeFileSync(file, kit);
  // The format of sha256sum, so that `sha256sum -c` checks a copy carried by hand.
  writeFileSync(`${file}.sha256`, `${sha256}  ${kitName(build.version, target.name)}\n`);
  return { file, sha256 };
}
