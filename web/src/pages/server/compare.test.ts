import { describe, expect, it } from 'vitest';
import { asOfNow, comparison, earlier } from './compare.ts';

const HOUR = 3600;

describe('comparison', () => {
  it('takes the day before for a day or less, its ends rounded outwards', () => {
    expect(comparison({ from: 0, to: HOUR }).name).toBe('yesterday');
    expect(comparison({ from: 0, to: 25 * HOUR })).toEqual({ shiftSeconds: 24 * HOUR, name: 'yesterday' });
  });

  it('takes the week before for more', () => {
    expect(comparison({ from: 0, to: 72 * HOUR })).toEqual({ shiftSeconds: 168 * HOUR, name: 'last week' });
  });
});

it('asks for the same stretch earlier and lays it under the present', () => {
  expect(earlier({ from: 200_000, to: 210_000 }, 86_400)).toEqual({ kind: 'absolute', from: 113_600, to: 123_600 });
  expect(
    asOfNow(
      [
        { at: 10, avg: 4, min: 1, max: 9 },
        { at: 20, avg: null },
      ],
      100,
    ),
  ).toEqual([
    { at: 110, avg: 4 },
    { at: 120, avg: null },
  ]);
});
