import { REDACTED } from '@plimsoll/contract/redaction/shapes';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { RedactedTexts, Redactor } from './redactor.ts';

let serial = 0;
/** A text that no cache has seen. */
const unseen = (text: string): string => `/opt/unseen-${String((serial += 1))} ${text}`;

test('each distinct text is redacted once, with and without a secret in it', () => {
  const redact = vi.fn<(text: string) => string>((text) => text.replace('hunter2', REDACTED));
  const texts = new RedactedTexts(redact);
  const lines = ['run --fast', 'run --password hunter2'];
  const first = lines.map((line) => texts.get(line) ?? texts.add(line));
  const second = lines.map((line) => texts.get(line));
  expect(first).toEqual(['run --fast', `run --password ${REDACTED}`]);
  expect(second).toEqual(first);
  expect(redact).toHaveBeenCalledTimes(2);
});

test('a redacted text is at most 512 bytes and free of control characters', () => {
  const texts = new RedactedTexts((text) => text);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 800 }), (text) => {
      const redacted = texts.add(text);
      expect(Buffer.byteLength(redacted)).toBeLessThanOrEqual(512);
      expect(redacted).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test('beyond the budget the name of the process is stored alone, and counted', () => {
  const line = unseen('--token abc');
  const redactor = new Redactor(line.length);
  expect(redactor.commandLine(line, 'worker')).toContain(`--token ${REDACTED}`);
  expect(redactor.commandLine(unseen('--token abc'), 'worker')).toBe('worker');
  expect(redactor.withheld).toBe(1);
});

test('beyond the budget a long name and any prose are withheld', () => {
  const redactor = new Redactor(0);
  expect(redactor.commandLine(unseen('x'), unseen('password=abc'))).toBe(REDACTED);
  expect(redactor.prose(unseen('x'))).toBe(REDACTED);
  expect(redactor.withheld).toBe(3);
});

test('texts in the cache and single short words take nothing of the budget', () => {
  const line = unseen('--port 80');
  new Redactor(1000).commandLine(line, 'worker');
  const redactor = new Redactor(0);
  expect([redactor.commandLine(line, 'worker'), redactor.prose('nginx.service')]).toEqual([line, 'nginx.service']);
  expect(redactor.withheld).toBe(0);
});

test('a request cannot spend more than its budget, whatever the order of its texts', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 40 })), fc.nat(200), (texts, budget) => {
      const lines = texts.map((text) => unseen(text));
      const redactor = new Redactor(budget);
      const read = lines.map((line) => redactor.commandLine(line, 'worker'));
      const spent = lines.filter((_, index) => read[index] !== 'worker').reduce((sum, { length }) => sum + length, 0);
      expect(spent).toBeLessThanOrEqual(budget);
      expect(redactor.withheld).toBe(read.filter((line) => line === 'worker').length);
    }),
  );
});
