import { expect, test } from 'vitest';
import { explainFault, requireOpenFiles } from './odd-machine.ts';

const limits = (files: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax processes             63467                63467                processes\nMax open files            ${files}                   1048576              files\n`;

test('too few open files are named with the remedy', () => {
  expect(() => requireOpenFiles(limits('64'))).toThrow(/only 64 open files are allowed here.*ulimit -n 1024/);
});

test.each([limits('256'), limits('unlimited'), null, ''])('enough, or an unknown number, is accepted', (text) => {
  expect(() => requireOpenFiles(text)).not.toThrow();
});

test.each([
  ['ENOSPC', /The disk is full\. Free/],
  ['EROFS', /read-only\. Set PLIMSOLL_DATA_DIR/],
  ['EACCES', /Give it the folder, or set PLIMSOLL_DATA_DIR/],
])('%s has a remedy', (code, remedy) => {
  expect(explainFault(Object.assign(new Error(`${code}: write, '/data/x'`), { code }))).toMatch(remedy);
});

test('any other error keeps its words', () => {
  expect(explainFault(new Error('the port is in use'))).toBe('the port is in use');
});
