import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { nestingDepth, parseJson, countContainers } from './parse-json.ts';

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

const refused = (body: Uint8Array, limit: number): boolean => {
  try {
    parseJson(body, limit);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: 'nesting_too_deep' });
    return true;
  }
};

test('a small body and the same one made large are held to the same depth', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 7 }), (text, limit) => {
      const isTooDeep = depthOf(JSON.parse(text)) > limit;
      expect(refused(bytes(text), limit)).toBe(isTooDeep);
      expect(refused(bytes(text + ' '.repeat(70_000)), limit)).toBe(isTooDeep);
    }),
  );
});

test.each([10_000, 30_000, 4_000_000])('%i levels are refused', (levels) => {
  const deep = bytes('['.repeat(levels) + ']'.repeat(levels));
  expect(refused(deep, 8)).toBe(true);
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

test.each([
  ['{"a":[{},[]]}', 4],
  ['"[{"', 0],
  ['["\\"[", "\\\\", {}]', 2],
])('%s has %i arrays and objects', (text, count) => {
  expect(countContainers(Buffer.from(text))).toBe(count);
});
