import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { capture } from '../../cluster/shell.ts';
import { changed, decides, hashOfFault, recordHeld } from './verified.ts';

const NAMES = ['kills', 'spool', 'flood', 'attacks', 'memory'];
const FILES = [
  'scripts/lab/faults/spool.ts',
  'scripts/lab/faults/oracle.ts',
  'collector/src/send/spool.ts',
  'api/src/http/listen.ts',
  'api/src/reports/ingest.ts',
  'README.md',
];

let root: string;
const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-held-'));
  capture('git', ['init', '-qb', 'main'], { cwd: root });
  for (const file of FILES) write(file, file);
  capture('git', ['add', '.'], { cwd: root });
});
afterEach(() => rmSync(root, { recursive: true }));
const allHeld = (): void => {
  for (const name of ['kills', 'spool', 'flood']) recordHeld(root, name, hashOfFault(root, name));
};

test('a fault without a recorded run is run; the two that never run by themselves are not', () => {
  expect(changed(root, NAMES)).toEqual(['kills', 'spool', 'flood']);
});

test('after all held none is run', () => {
  allHeld();
  expect(changed(root, NAMES)).toEqual([]);
});

test.each([
  ['collector/src/send/spool.ts', ['kills', 'spool']],
  ['api/src/http/listen.ts', ['flood']],
  ['api/src/reports/ingest.ts', ['kills', 'flood']],
  ['scripts/lab/faults/spool.ts', ['spool']],
  ['scripts/lab/faults/oracle.ts', ['kills', 'spool', 'flood']],
  ['README.md', []],
])('a change of %s runs %j', (file, wanted) => {
  allHeld();
  write(file, 'changed');
  expect(changed(root, NAMES)).toEqual(wanted);
});

test('a fault that held again replaces its line and leaves the others', () => {
  allHeld();
  write('api/src/http/listen.ts', 'changed');
  recordHeld(root, 'flood', hashOfFault(root, 'flood'));
  expect(changed(root, NAMES)).toEqual([]);
});

test.each([
  ['kills', 'prisma/migrations/20270101000000_more/migration.sql', true],
  ['upgrade', 'prisma/migrations/20270101000000_more/migration.sql', true],
  ['spool', 'prisma/migrations/20270101000000_more/migration.sql', false],
  ['replicas', 'api/src/alerts/evaluate.ts', true],
  ['spool', 'scripts/lab/faults/spool.ts', true],
  ['kills', 'scripts/lab/faults/spool.ts', false],
  ['patroni', 'scripts/lab/faults/replicas/proxy.ts', true],
  ['replicas', 'scripts/lab/faults/patroni/fault.ts', false],
  ['spool', 'scripts/lab/faults/oracle.test.ts', false],
  ['spool', 'scripts/lab/faults/verified', false],
  ['spool', 'collector/src/send/spool.test.ts', false],
  ['kills', 'api/src/reports/testing/bodies.ts', false],
])('%s: %s decides is %s', (fault, file, wanted) => {
  expect(decides(fault, file)).toBe(wanted);
});
