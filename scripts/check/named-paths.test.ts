import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { missingPaths } from './named-paths.ts';

test('a named file that is gone is found, one that is there is not', () => {
  const root = mkdtempSync(join(tmpdir(), 'plimsoll-paths-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'api'));
  writeFileSync(join(root, 'api/here.ts'), '');
  writeFileSync(
    join(root, 'MAP.md'),
    'See `api/here.ts` and `api/gone.ts`; a source is `api/NOUN.ts`, run `npm test`.',
  );
  expect(missingPaths(root, ['MAP.md'])).toEqual(['MAP.md: api/gone.ts']);
});
