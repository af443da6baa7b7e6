import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const ROOT = dirname(dirname(import.meta.dirname));

/** Stores the hash of a build's sources, so that it is built again only when they changed. */
export interface Stamp {
  isFresh(): boolean;
  /** Call after the build succeeded. */
  keep(): void;
}

function hashOf(inputs: string[]): string {
  const hash = createHash('sha256');
  for (const file of globSync(inputs, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted())
    hash.update(file.slice(ROOT.length)).update(readFileSync(file));
  return hash.digest('hex');
}

/** `inputs`: globs below the root, tests do not count. `product`: what must be there, below the root. */
export function stampOf(name: string, inputs: string[], product: string): Stamp {
  const file = join(ROOT, '.cache', `${name}.stamp`);
  const hash = hashOf(inputs);
  return {
    isFresh: () => existsSync(join(ROOT, product)) && existsSync(file) && readFileSync(file, 'utf8') === hash,
    keep: () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, hash);
    },
  };
}
