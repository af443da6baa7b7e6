import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildKit, kitName } from '../../agent-build/kit.ts';
import { targetsNamed } from '../../agent-build/targets.ts';
import { ROOT } from '../../lib/web-build.ts';

/** The platform of this machine, which is the test machine's too. */
const TARGET = `linux-${process.arch}`;

/** A program that installs well and then does `run`: a version that must be rolled back. */
const faulty = (version: string, run: string): string => `
const [word] = process.argv.slice(2);
if (word === 'version') console.log('plimsoll ${version}');
else if (word === 'once') console.log('{}');
else if (word === 'run') { console.error('this is ${version}'); ${run} }
else process.exit(1);
`;

/** Behaviours of a version; `works`: the collector of this checkout under another number. */
export const BEHAVIOURS = {
  works: null,
  exits: 'process.exit(3);',
  'never reports': 'setInterval(() => {}, 1000);',
} as const;

/** Kits are built beside the folder the API serves and are moved there whole. */
const workshop = (agentDir: string): string => `${agentDir}.built`;
export const publish = (agentDir: string, version: string): void =>
  renameSync(join(workshop(agentDir), version), join(agentDir, version));

/** Builds a kit of the given version. Sources lie in .cache meanwhile, where the compiler finds node_modules. */
export async function makeKit(agentDir: string, version: string, behaviour: keyof typeof BEHAVIOURS): Promise<void> {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  const sources = mkdtempSync(join(ROOT, '.cache', 'kit-'));
  try {
    const entry = join(sources, 'main.ts');
    const run = BEHAVIOURS[behaviour];
    if (run === null) {
      cpSync(join(ROOT, 'collector/src'), sources, { recursive: true });
      writeFileSync(join(sources, 'version.ts'), `export const VERSION = '${version}';\n`);
    } else {
      writeFileSync(entry, faulty(version, run));
    }
    const [target] = targetsNamed([TARGET]);
    if (!target) throw new Error(`no target ${TARGET}`);
    await buildKit({ entry, version, out: workshop(agentDir) }, target, () => {});
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
}

/** Serves the kit's bytes with one of them changed. Undo it with the function returned. */
export function flipOneByte(agentDir: string, version: string): () => void {
  const file = join(agentDir, version, kitName(version, TARGET));
  const good = readFileSync(file);
  const bad = Buffer.from(good);
  const at = Math.floor(bad.length / 2);
  bad.writeUInt8(bad.readUInt8(at) ^ 1, at);
  writeFileSync(file, bad);
  return () => writeFileSync(file, good);
}
