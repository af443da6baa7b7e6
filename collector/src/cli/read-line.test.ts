import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SettingError } from '../settings.ts';
import { readLine } from './read-line.ts';

it.each([
  ['token\n', 'token'],
  ['  token \r\nsecond line\n', 'token'],
  ['token', 'token'],
  ['', ''],
])('takes of %j the first line, without blanks around it', (text, line) => {
  const folder = mkdtempSync(join(tmpdir(), 'read-line-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'token'), text);
  expect(readLine(join(folder, 'token'))).toBe(line);
});

it('names the file that cannot be read', () => {
  expect(() => readLine('/nowhere/token')).toThrow(SettingError);
  expect(() => readLine('/nowhere/token')).toThrow('/nowhere/token cannot be read');
});
