import { expect, it } from 'vitest';
import { padSinglePoint } from './pad-single-point.ts';

it('pads a lone point with nought five minutes before and after', () => {
  expect(
    padSinglePoint([
      { at: 0, avg: null },
      { at: 1000, avg: 42 },
    ]),
  ).toEqual([
    { at: 700, avg: 0 },
    { at: 1000, avg: 42 },
    { at: 1300, avg: 0 },
  ]);
});

it('leaves none or many alone', () => {
  expect(padSinglePoint([])).toBeNull();
  expect(
    padSinglePoint([
      { at: 1, avg: 1 },
      { at: 2, avg: 1 },
    ]),
  ).toBeNull();
});
