import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SPEC_TABLE } from '../../web/src/testing/spec-table.ts';
import { ROOT } from '../lib/web-build.ts';
import { brokenRows } from './spec-table.ts';

describe('the table of the specification', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'plimsoll-spec-'));
    mkdirSync(join(root, 'web/src'), { recursive: true });
    writeFileSync(join(root, 'web/src/page.tsx'), '<p>\n  Server not\n  found\n</p>');
    writeFileSync(join(root, 'web/src/page.test.ts'), "expect('Server not found'); expect('Only tested');");
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  const row = (says: string, test = 'web/src/page.test.ts', source = says) => ({ where: 'page', says, test, source });

  it('is content with words that are tested and said, over two lines too', () => {
    expect(brokenRows(root, [row('Server not found')])).toEqual([]);
  });

  it('names an untested row, a test that is gone, and words nobody says', () => {
    expect(
      brokenRows(root, [
        row('Never tested', undefined, 'Server not found'),
        row('Server not found', 'web/src/gone.test.ts'),
        row('Only tested'),
      ]),
    ).toEqual([
      'page: Never tested: untested, web/src/page.test.ts does not say it',
      'page: Server not found: there is no web/src/gone.test.ts',
      'page: Only tested: nothing in the interface says “Only tested”',
    ]);
  });

  it('holds for this repository, and lists nothing twice', () => {
    expect(brokenRows(ROOT)).toEqual([]);
    const keys = SPEC_TABLE.map(({ where, says, test }) => `${where}: ${says} (${test})`);
    expect(keys).toEqual([...new Set(keys)]);
    expect(SPEC_TABLE.length).toBeGreaterThan(250);
  });
});
