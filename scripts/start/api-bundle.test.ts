import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ROOT } from '../lib/stamp.ts';
import { bundledApi } from './api-bundle.ts';

const entry = fileURLToPath(bundledApi());
const text = readFileSync(entry, 'utf8');

test('the API is bundled, each module with the place of its source', () => {
  expect(text).toContain('new URL("../../api/src/database/migrate.ts", import.meta.url).href');
  expect(text).not.toContain(ROOT);
});

test('it is not bundled again while the sources are the same, and is for others', () => {
  const { ino } = statSync(entry);
  bundledApi();
  expect(statSync(entry).ino).toBe(ino);
  writeFileSync(join(ROOT, '.cache/api.stamp'), 'of other sources');
  bundledApi();
  expect(statSync(entry).ino).not.toBe(ino);
  expect(readFileSync(entry, 'utf8')).toBe(text);
});
