import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../cluster/shell.ts';
import { ROOT } from '../lib/web-build.ts';
import type { ProductImage } from './images.ts';

/** Writes the npm packages of an image as an SPDX document into `folder`. Returns its path. */
export function writeSbom(folder: string, { name, workspace }: ProductImage): string {
  const words = ['sbom', '--sbom-format', 'spdx', '--omit', 'dev', '--package-lock-only', '--workspace', workspace];
  const file = join(folder, `${name}.spdx.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, capture('npm', words, { cwd: ROOT }));
  return file;
}
