import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutText, isStorable, isVisible, printableLines, printableText, printableTree } from './printable-text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });
/** Also halves of surrogate pairs, which `fc.string` never makes. */
const oddText = fc
  .array(fc.oneof(fc.constantFrom('\uD83D', '\uDE00', '😀', '\0', '\u007F', 'é', 'a'), fc.string({ maxLength: 3 })))
  .map((parts) => parts.join(''));

describe('printableText', () => {
  test.each([
    ['a\0b\u0007c', 'a b\uFFFDc'],
    ['\uD83D', '\uFFFD'],
    ['plain', 'plain'],
  ])('of %j is %j', (text, expected) => {
    expect(printableText(text)).toBe(expected);
  });

  test('keeps an emoji at the limit whole, and cuts the next', () => {
    expect(printableText(`${'a'.repeat(255)}😀😀`, 256)).toBe(`${'a'.repeat(255)}😀`);
  });

  test('is well-formed, without control characters, no longer than the limit and the same when repeated', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, oddText), fc.nat(40), (text, limit) => {
        const clean = printableText(text, limit);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/\p{Cc}/u);
        expect(Array.from(clean).length).toBeLessThanOrEqual(limit);
        expect(printableText(clean, limit)).toBe(clean);
      }),
    );
  });

  test('changes no text of letters that is short enough', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (text) => {
        expect(printableText(text, 200)).toBe(text);
      }),
    );
  });
});

test('printableLines keeps line ends and tabs', () => {
  expect(printableLines('a\n\tb\r\n\0c\u0007\uD83D')).toBe('a\n\tb\r\n c\uFFFD\uFFFD');
});

test('a tree of any texts is storable once it is printable', () => {
  const tree = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 3 }, oddText, fc.double(), fc.array(tie('tree')), fc.dictionary(oddText, tie('tree'))),
  })).tree;
  fc.assert(
    fc.property(tree, (value) => {
      expect(isStorable(printableTree(value))).toBe(true);
    }),
  );
  expect([isStorable({ a: ['\uD83D'] }), isStorable({ '\0': 1 }), isStorable([1, null, 'a'])]).toEqual([
    false,
    false,
    true,
  ]);
});

test('cutText returns as many characters as there may be', () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), (text, limit) => {
      expect(cutText(text, limit)).toBe(Array.from(text).slice(0, limit).join(''));
    }),
  );
});

test.each([
  ['web-1', true],
  ['ウェブ', true],
  ['😀', true],
  ['', false],
  ['\0', false],
  [' \u00A0\u200B', false],
  ['\uFFFD', false],
])('%j is visible: %j', (text, expected) => {
  expect(isVisible(text)).toBe(expected);
});
