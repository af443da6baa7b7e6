import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeInvisible, escapeMessage } from './escape-invisible.ts';

describe('escapeInvisible', () => {
  it('writes what hides or reorders as its code', () => {
    expect(escapeInvisible('a\u202Eb\nc\u0000')).toBe('a\\u202Eb\\u000Ac\\u0000');
    expect(escapeInvisible('zero\u200Bwidth')).toBe('zero\\u200Bwidth');
  });

  it('leaves ordinary text of any script alone', () => {
    for (const text of ['nginx: worker process', 'söhne', '日本語', 'مرحبا', '<b>&amp;'])
      expect(escapeInvisible(text)).toBe(text);
  });

  it('leaves nothing invisible behind', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeInvisible(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  it('keeps the line ends of a message and nothing else', () => {
    expect(escapeMessage('a\nb\u001b[0m\n')).toBe('a\nb\\u001B[0m\n');
  });
});

it.each(['\u200b', '\u200f', '\u202a', '\u202e', '\u2060', '\u2065', '\u2066', '\u2069', '\ufeff', '\u061c', '\u2028'])(
  'shows the code of %j, of which a reader would see nothing',
  (hidden) => {
    const shown = escapeInvisible(`a${hidden}b`);
    expect(shown).toMatch(/^a\\u[0-9A-F]{4}b$/);
  },
);
