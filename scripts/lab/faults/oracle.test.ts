import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { acknowledgedIn, judge } from './oracle.ts';

const CLEAN = { keys: ['a s 1', 'a s 2', 'b t 1'], doubled: 0, unexplained: 0 };

it('holds where everything acknowledged is stored once; what is stored without an answer does no harm', () => {
  expect(judge(['a s 1', 'b t 1'], CLEAN)).toMatchObject({ isHeld: true });
});

it.each([
  ['a lost report', ['a s 1', 'a s 3'], CLEAN, '1 lost'],
  ['a sample that is stored twice', ['a s 1'], { ...CLEAN, doubled: 1 }, '1 doubled'],
  ['a ledger row that is there twice', ['a s 1'], { ...CLEAN, keys: ['a s 1', 'a s 1'] }, '1 doubled'],
  ['a gap without a reason', ['a s 1'], { ...CLEAN, unexplained: 1 }, '1 gaps'],
  ['a run in which nothing was acknowledged', [], CLEAN, '0 reports'],
])('does not hold with %s', (_name, acknowledged, stored, figure) => {
  const verdict = judge(acknowledged, stored);
  expect(verdict.isHeld).toBe(false);
  expect(verdict.figures).toContain(figure);
});

it('leaves out a line that a kill has cut', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-oracle-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(acknowledgedIn(folder)).toEqual([]);
  writeFileSync(join(folder, 'acked.log'), 'a s 1\na s 2\na s');
  expect(acknowledgedIn(folder)).toEqual(['a s 1', 'a s 2']);
});
