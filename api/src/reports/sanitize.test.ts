import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { isPlainJson, sanitizeText, sanitizeTree } from './sanitize.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 800 });
const surrogates = fc.array(fc.constantFrom('\ud800', '\udc00', '\0', '\u001b', 'ä', '😀', 'x')).map((c) => c.join(''));

test('whatever comes in, what is stored is well-formed, free of control characters and at most 512 bytes', () => {
  fc.assert(
    fc.property(fc.oneof(anyText, surrogates), (text) => {
      const clean = sanitizeText(text);
      expect(clean.isWellFormed()).toBe(true);
      expect(Buffer.byteLength(clean)).toBeLessThanOrEqual(512);
      expect(clean).not.toMatch(/\p{Cc}/u);
      expect(sanitizeText(clean)).toBe(clean);
    }),
  );
});

test('a harmless text stays as it is', () => {
  expect(sanitizeText('/srv/Ünïcode 😀')).toBe('/srv/Ünïcode 😀');
});

test('the cut never splits a character', () => {
  expect(sanitizeText('😀'.repeat(200))).toBe('😀'.repeat(128));
});

test('a tree keeps its shape; keys are cleaned and __proto__ is dropped', () => {
  const hostile: unknown = JSON.parse('{"a\\u0000":["\\ud800",1,null,true],"__proto__":{"polluted":1}}');
  expect(sanitizeTree(hostile)).toEqual({ 'a ': ['\uFFFD', 1, null, true] });
  expect({}).not.toHaveProperty('polluted');
});

test('only a message keeps its line ends', () => {
  const lines = { message: 'a\r\nb\u001b[0m\n', reason: 'a\nb' };
  expect(sanitizeTree(lines)).toEqual({ message: 'a\nb\uFFFD[0m\n', reason: 'a\uFFFDb' });
  fc.assert(
    fc.property(fc.oneof(anyText, surrogates), (text) => {
      const { message } = sanitizeTree({ message: text }) as { message: string };
      expect(Buffer.byteLength(message)).toBeLessThanOrEqual(512);
      expect(message.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    }),
  );
});

test('1e400 is not a number any more: it becomes null and the schema judges it', () => {
  expect(sanitizeTree(JSON.parse('[1e400]'))).toEqual([null]);
});

test('what is told from the bytes of a document is told from its texts, too', () => {
  const text = fc.oneof(fc.string({ maxLength: 600 }), fc.constantFrom('__proto__', 'ä', '\u007f', '\0', '\ud800'));
  const tree = fc.letrec((tie) => ({
    any: fc.oneof(text, fc.double(), fc.constant(null), fc.array(tie('any')), fc.dictionary(text, tie('any'))),
  })).any;
  fc.assert(
    fc.property(tree, fc.boolean(), (value, overflows) => {
      const json = JSON.stringify([value, 0]).replace(/0\]$/, overflows ? '1e400]' : '0]');
      const isPlain = isPlainJson(Buffer.from(json));
      expect(isPlain).toBe(/^[ -[\]-~]*$/.test(json));
      const parsed = JSON.parse(json) as unknown;
      expect(sanitizeTree(parsed, isPlain)).toEqual(sanitizeTree(parsed));
    }),
  );
});

test('a tree that is safe comes back as it is; one bad leaf costs its neighbours nothing', () => {
  const safe = JSON.parse('{"a":[{"name":"x","n":1}],"b":null}') as unknown;
  expect(sanitizeTree(safe)).toBe(safe);
  const mixed = { list: [{ name: 'fine' }, { name: 'NUL \0' }, { 'k\0': 'fine' }] };
  expect(sanitizeTree(mixed)).toEqual({ list: [{ name: 'fine' }, { name: 'NUL  ' }, { 'k ': 'fine' }] });
  expect(mixed.list[1]).toEqual({ name: 'NUL \0' });
});
