import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundedPercentOf, percentOf } from './percent-of.ts';

it.each([
  [1, 4, 25, 25],
  [5, 4, 125, 100],
  [-1, 4, -25, 0],
  [0, 4, 0, 0],
  [1, 0, null, null],
  [1, -4, null, null],
  [1, Number.NaN, null, null],
  [null, 4, null, null],
  [1, null, null, null],
  [undefined, 4, null, null],
])('%s of %s is %s per cent, bounded %s', (part, whole, percent, bounded) => {
  expect(percentOf(part, whole)).toBe(percent);
  expect(boundedPercentOf(part, whole)).toBe(bounded);
});

it('stays within 0–100 when it is bounded', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (part, whole) => {
        const percent = boundedPercentOf(part, whole) ?? 0;
        expect(percent >= 0 && percent <= 100).toBe(true);
      },
    ),
  );
});
