import { bandOf } from '@plimsoll/contract/rules/headroom';
import { assert, double, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { percentText } from './percent-text.ts';

test.each([
  [null, 80, null],
  [41.4, 80, '41'],
  [59.4, 80, '59'],
  [59.97, 80, '59.9'],
  [60, 80, '60'],
  [79.6, 80, '79.6'],
  [80, 80, '80'],
  [84.99, 85, '84.9'],
  [0, 80, '0'],
  [100, 80, '100'],
])('%j with the line %i is %j', (value, line, text) => {
  expect(percentText(value, line)).toBe(text);
});

test('the number that is shown has the colour of the value', () => {
  assert(
    property(double({ min: 0, max: 100, noNaN: true }), integer({ min: 21, max: 99 }), (value, line) => {
      expect(bandOf(Number(percentText(value, line)), line)).toBe(bandOf(value, line));
    }),
  );
});
