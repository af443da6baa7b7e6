import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../lib/web-build.ts';

/**
 * Returns the commands of a document between `<!-- test: NAME -->` and `<!-- end of test -->`, as one script. Throws if
 * there are none: a document that lost them is not tested any more.
 */
export function commandsOf(document: string, name: string): string {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const [, part = ''] = text.split(`<!-- test: ${name} -->`);
  const [marked = ''] = part.split('<!-- end of test -->');
  const lines = marked.split('\n').filter((line) => line.startsWith('    '));
  if (lines.length === 0) throw new Error(`${document} has no commands marked "test: ${name}"`);
  return lines.map((line) => line.slice(4)).join('\n');
}
