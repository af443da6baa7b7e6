import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { duration } from '../alerts/duration.ts';
import { cut, oneLine, plain } from './message.ts';

test.each([
  [12_000, '12 s'],
  [300_000, '5 min'],
  [3_600_000, '1 h'],
  [11_100_000, '3 h 5 min'],
  [187_200_000, '2 d 4 h'],
])('%i ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('control and bidirectional characters of a hostile name are replaced', () => {
  expect(plain('web\u202E1\n\u0000x')).toBe('web\uFFFD1\uFFFD\uFFFDx');
});

test('a detail of several lines becomes one line without marks for its line ends', () => {
  expect(oneLine('Error: boom\n    at main\r\nexit 1')).toBe('Error: boom at main exit 1');
});

test('a cut text is short enough and whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 20 }), (text, units) => {
      const short = cut(text, units);
      expect([short.length <= units, short.isWellFormed()]).toEqual([true, text.isWellFormed()]);
    }),
  );
});
