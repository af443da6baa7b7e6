import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from '../cluster/shell.ts';

/**
 * Returns the SHA-256 of tracked files, of their paths and their content in the working tree. `decides` gets each path from
 * the root of the repository.
 */
export function hashOfFiles(root: string, decides: (file: string) => boolean): string {
  const hash = createHash('sha256');
  const tracked = capture('git', ['ls-files', '-z'], { cwd: root }).split('\0');
  for (const file of tracked.filter(decides).toSorted()) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    // The length separates a file's end from the next path.
    const content = readFileSync(path);
    hash.update(`${file}\0${String(content.length)}\0`).update(content);
  }
  return hash.digest('hex');
}
