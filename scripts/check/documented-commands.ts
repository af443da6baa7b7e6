import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/web-build.ts';

export interface DocumentedCommand {
  document: string;
  line: number;
  command: string;
}

/** Programs that a line of a document may begin with, behind settings like `NAME=value`. */
const PROGRAMS =
  'cd|cosign|curl|docker|gh|helm|journalctl|kind|kubectl|node|npm|npx|openssl|plimsoll|sh|sha256sum|sudo|systemctl|tar|vmagent';
const STARTS = new RegExp(`^(?:[A-Z][A-Z_]*=\\S+ )*(?:${PROGRAMS})(?: |$)`);

/** Returns the commands of the blocks of a document; one over several lines is one. */
export function commandsOfBlocks(document: string, text: string): DocumentedCommand[] {
  const found: DocumentedCommand[] = [];
  let open: DocumentedCommand | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    if (!line.startsWith('    ')) continue;
    const words = line.trim();
    if (open) open.command += ` ${words.replace(/ *\\$/, '')}`;
    else if (STARTS.test(words)) {
      open = { document, line: index + 1, command: words.replace(/ *\\$/, '').split(/ {2,}(?:#|while)/)[0] ?? '' };
      found.push(open);
    }
    if (!words.endsWith('\\')) open = undefined;
  }
  return found;
}

/** A test that runs commands which begin so: its file, and a text that it holds. */
export interface Tested {
  command: RegExp;
  file: string;
  holds: string;
}

/** Commands of other programs, which no test of ours can run: why. */
export interface Foreign {
  command: RegExp;
  reason: string;
}

interface Schema {
  properties?: Record<string, Schema>;
}

/** Returns what a command names that this repository does not have: a script, a file, a value of the chart. */
export function missingNames(command: string): string[] {
  const scripts = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts;
  const schema = JSON.parse(readFileSync(join(ROOT, 'charts/plimsoll/values.schema.json'), 'utf8')) as Schema;
  const missing: string[] = [];
  for (const [, name = ''] of command.matchAll(/\bnpm run ([\w:]+)/g))
    if (scripts[name] === undefined) missing.push(`npm run ${name}`);
  for (const [, path = ''] of command.matchAll(/\bnode ((?:api|scripts)\/\S+)/g))
    if (!existsSync(join(ROOT, path))) missing.push(path);
  for (const [, path = ''] of command.matchAll(/--set(?:-file)? '?([A-Za-z.]+)=/g)) {
    let at: Schema | undefined = schema;
    for (const key of path.split('.')) at = at?.properties?.[key];
    if (!at) missing.push(`--set ${path}`);
  }
  return missing;
}
