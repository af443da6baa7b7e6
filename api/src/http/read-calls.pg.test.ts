/** Readers in this process name a call by its address: one that is not declared fails only when it is read. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allRoutes } from '../app.ts';
import { testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const SOURCES = join(import.meta.dirname, '..');
/** An address in a string: "/api/servers/:serverId". */
const ADDRESS = /'(\/api\/[\w/:.-]*\w)'/g;

test('every call that the assistant and the analyser read is declared', () => {
  const declared = new Set(allRoutes(testApp(db.storage()).deps).map(({ spec }) => spec.path));
  const files = globSync('{ai,causes}/**/*.ts', { cwd: SOURCES, exclude: ['**/*.test.ts'] });
  const named = files.flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(ADDRESS)].map(([, path = '']) => ({ file, path })),
  );
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ path }) => !declared.has(path))).toEqual([]);
});
