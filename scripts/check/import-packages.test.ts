import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rules } from './import-rules.ts';

const root = join(import.meta.dirname, '../..');
const declared = ['', 'api', 'api/contract', 'collector', 'web'].flatMap((folder) => {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
  };
  return Object.keys(dependencies);
});
const named = rules
  .flatMap(({ may, mayTypes = [] }) => [...may, ...mayTypes])

  .flatMap((matcher) => (matcher instanceof RegExp ? [matcher.source] : []))
  .flatMap((source) => /^\^pkg:\((.*)\)\$$/.exec(source)?.[1]?.replaceAll('\\', '').split('|') ?? []);

test('the import rules name only packages that a workspace depends on', () => {
  expect(named).toContain('hono');
  expect([...new Set(named)].filter((name) => !declared.includes(name))).toEqual([]);
});
