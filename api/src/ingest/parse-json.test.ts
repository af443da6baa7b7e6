import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { nestingDepth, parseJson } from './parse-json.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('counts what the parser would build, brackets in texts left out', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      expect(nestingDepth(bytes(text), 100)).toBe(depthOf(JSON.parse(text)));
    }),
  );
});

test('10,000 levels are refused without being parsed', () => {
  const deep = bytes('['.repeat(10_000) + ']'.repeat(10_000));
  expect(() => parseJson(deep, 8)).toThrow(expect.objectContaining({ code: 'nesting_too_deep' }));
  expect(nestingDepth(deep, 8)).toBe(9);
});

test.each([['{"a":'], ['[1e]'], ['']])('%j is no JSON', (text) => {
  expect(() => parseJson(bytes(text), 8)).toThrow(expect.objectContaining({ code: 'invalid_json' }));
});

test('bytes that are no UTF-8 are no JSON', () => {
  expect(() => parseJson(new Uint8Array([0x22, 0xff, 0x22]), 8)).toThrow(
    expect.objectContaining({ code: 'invalid_json' }),
  );
});
