import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

// In a shared worker `vi.mock` of a module that is loaded already does nothing: a test would then uninstall for real.
test('a test replaces a module only in a file that has a worker of its own', () => {
  const files = globSync('{api,collector,web,scripts}/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**'],
  });
  const replacing = files.filter((file) => /^vi\.(mock|doMock)\(/m.test(readFileSync(join(root, file), 'utf8')));
  expect(replacing).not.toEqual([]);
  expect(replacing.filter((file) => !/\.mock\.(pg\.)?test\.ts$/.test(file))).toEqual([]);
});
