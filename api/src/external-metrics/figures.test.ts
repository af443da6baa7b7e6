import { expect, test } from 'vitest';
import { Figures } from './figures.ts';

test('a counter grows between the newest values of two intervals', () => {
  const figures = new Figures(
    [
      ['c', 130, 70_000],
      ['c', 160, 80_000],
    ],
    [['c', 100, 20_000]],
    [],
  );
  expect(figures.grown('c')).toEqual({ amount: 60, seconds: 60 });
  expect(figures.perSecond('c')).toBe(1);
  expect(figures.windowSeconds).toBe(60);
});

test.each([
  ['began anew', 99, 80_000],
  ['is too far from the one before', 160, 321_000],
  ['has the same time', 160, 20_000],
])('a counter that %s has no rate', (_, value, at) => {
  const figures = new Figures([['c', value, at]], [['c', 100, 20_000]], []);
  expect(figures.grown('c')).toBeNull();
  expect(figures.windowSeconds).toBeNull();
});

test('a counter without a value before has no rate', () => {
  expect(new Figures([['c', 1, 1000]], [], []).perSecond('c')).toBeNull();
});

test('differences are summed, and one that came twice counts once', () => {
  const growths = [
    ['c', 30, 0, 10_000],
    ['c', 60, 10_000, 30_000],
    ['c', 30, 0, 10_000],
  ] as const;
  expect(new Figures([], [], growths).grown('c')).toEqual({ amount: 90, seconds: 30 });
});
