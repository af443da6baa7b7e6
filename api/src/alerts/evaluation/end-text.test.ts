import { expect, test } from 'vitest';
import { endText, memoryText } from './end-text.ts';

const end = { reason: 'Error', exitCode: 1, message: null, memoryLimitBytes: null };

test.each([
  [end, 'last exit 1'],
  [{ ...end, message: 'a\n\n  panic: no database  \n' }, 'last exit 1: panic: no database'],
  [{ ...end, reason: 'Completed', exitCode: 0 }, 'last exit 0'],
  [{ ...end, reason: 'ContainerCannotRun', exitCode: 127 }, 'ContainerCannotRun, last exit 127'],
  [{ ...end, reason: 'OOMKilled', exitCode: 137 }, 'OOMKilled'],
  [{ ...end, reason: 'OOMKilled', exitCode: 137, memoryLimitBytes: 2 ** 28, message: 'x' }, 'OOMKilled at 256 MB'],
  [{ ...end, reason: null, exitCode: null, message: 'text without an end' }, null],
] as const)('%j', (given, text) => {
  expect(endText(given)).toBe(text);
});

test('a long last line is cut by characters', () => {
  expect(endText({ ...end, message: '😀'.repeat(500) })).toMatch(/^last exit 1: 😀{119,120}…?$/u);
});

test.each([
  [2 ** 28, '256 MB'],
  [1.5 * 2 ** 30, '1.5 GB'],
  [2 ** 30, '1 GB'],
])('%i bytes are %s', (bytes, text) => {
  expect(memoryText(bytes)).toBe(text);
});
