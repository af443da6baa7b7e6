import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SPEC_TABLE } from '../../web/src/testing/spec-table.ts';
import type { SpecRow } from '../../web/src/testing/spec-table.ts';

const SOURCES = ['web/src/**/*.{ts,tsx}', 'api/contract/{wire,rules}/*.ts', 'api/src/accounts/plans.ts'];
const isTest = /\.test\.tsx?$|(^|\/)testing\//;

/** Words that a formatter broke over two lines are the same words. */
const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ');

/** What the interface is made of, without its tests; the landing page's plans are the API's. */
function sourceOf(root: string): string {
  const files = globSync(SOURCES, { cwd: root }).filter((file) => !isTest.test(file));
  return inOneLine(files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n'));
}

/** Rows no test holds, or that nothing in the interface says; each as a line to read. */
export function brokenRows(root: string, table: readonly SpecRow[] = SPEC_TABLE): string[] {
  const source = sourceOf(root);
  const tests = new Map<string, string | null>();
  const textOf = (file: string) => {
    if (!tests.has(file)) {
      const path = join(root, file);
      tests.set(file, existsSync(path) ? inOneLine(readFileSync(path, 'utf8')) : null);
    }
    return tests.get(file) ?? null;
  };
  return table.flatMap((row) => {
    const name = `${row.where}: ${row.says}`;
    const test = textOf(row.test);
    if (test === null) return [`${name}: there is no ${row.test}`];
    if (!test.includes(row.says)) return [`${name}: untested, ${row.test} does not say it`];
    return source.includes(row.source) ? [] : [`${name}: nothing in the interface says “${row.source}”`];
  });
}
