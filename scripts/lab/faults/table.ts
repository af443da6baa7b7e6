import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../lib/web-build.ts';
import type { Verdict } from './fault.ts';

const FILE = join(ROOT, 'docs/reliability.md');
const BEGIN = '<!-- table: npm run test:faults -->';
const END = '<!-- end of table -->';

export interface Row extends Verdict {
  name: string;
  does: string;
}

/** Replaces the rows of these faults in docs/reliability.md; the rows of others stay. */
export const writeTable = (rows: readonly Row[]): void =>
  writeFileSync(FILE, withRows(readFileSync(FILE, 'utf8'), rows));

/** Returns the document with the rows of these faults. Throws without the two markers. */
export function withRows(document: string, rows: readonly Row[]): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`docs/reliability.md lacks "${BEGIN}" or "${END}"`);
  const kept = document
    .slice(from, to)
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .filter((line) => !rows.some(({ name }) => line.startsWith(`| \`${name}\` |`)));
  const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  const made = rows.map(
    ({ name, does, figures, isHeld }) =>
      `| \`${name}\` | ${cell(does)} | ${cell(figures)} | ${isHeld ? 'held' : '**not held**'} |`,
  );
  const table = ['| fault | what is done | figures | verdict |', '|---|---|---|---|', ...[...kept, ...made].toSorted()];
  return `${document.slice(0, from)}${BEGIN}\n\n${table.join('\n')}\n\n${document.slice(to)}`;
}
