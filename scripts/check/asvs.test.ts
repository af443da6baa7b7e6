/** docs/asvs.md names tests that exist, and each requirement once. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../lib/web-build.ts';

const TEXT = readFileSync(join(ROOT, 'docs/asvs.md'), 'utf8');
const ROWS = [
  ...TEXT.matchAll(/^\| (\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (test|met|n\/a|\*\*not met\*\*) \| (.+) \|$/gm),
].map(([, id = '', , , state = '', evidence = '']) => ({ id, state, evidence }));
/** Requirements of levels 1 and 2 in each chapter. */
const COUNTS = [27, 11, 19, 10, 9, 33, 18, 7, 7, 29, 13, 9, 13, 9, 13, 16, 7];
const REFERENCE = /`([^`]+\.test\.tsx?)` “([^”]+)”/g;

test('has each requirement once, chapter by chapter', () => {
  expect(new Set(ROWS.map(({ id }) => id)).size).toBe(ROWS.length);
  const counts = COUNTS.map((_, index) => ROWS.filter(({ id }) => id.startsWith(`${String(index + 1)}.`)).length);
  expect(counts).toEqual(COUNTS);
  expect(TEXT.match(/^\| \d+\./gm)).toHaveLength(ROWS.length);
});

test('says in its head how many rows have which state', () => {
  const of = (state: string): number => ROWS.filter((row) => row.state === state).length;
  const head = TEXT.slice(0, TEXT.indexOf('## V1')).replaceAll('\n', ' ');
  expect(head).toContain(`Each of the ${String(ROWS.length)} requirements`);
  expect(head).toContain(`${String(of('test'))} name a test`);
  expect(head).toContain(`${String(of('met'))} are met`);
  expect(head).toContain(`${String(of('n/a'))} do not apply`);
  expect(head).toContain(`${String(of('**not met**'))} are not met`);
});

describe.each(ROWS.filter(({ state }) => state === 'test'))('$id', ({ evidence }) => {
  const references = [...evidence.matchAll(REFERENCE)].map(([, file = '', title = '']) => ({ file, title }));

  test('names tests that exist', () => {
    expect(references.length).toBeGreaterThan(0);
    for (const { file, title } of references) {
      const path = join(ROOT, file);
      const source = existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : '';
      expect([file, source.includes(title) ? title : 'no such test']).toEqual([file, title]);
    }
  });
});
