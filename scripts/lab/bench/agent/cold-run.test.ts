import { expect, test } from 'vitest';
import { childrenSeconds, coldRun } from './cold-run.ts';

test("the children's time is the second line, user and system together", () => {
  expect(childrenSeconds('0m0.00s 0m0.01s\n1m2.50s 0m0.25s\n')).toBeCloseTo(62.75, 9);
  expect(childrenSeconds('0m0.000000s 0m0.000000s\n0m0.010000s 0m0.030000s\n')).toBeCloseTo(0.04, 9);
});

test('what is no pair of times, and a program that fails, are errors', () => {
  expect(() => childrenSeconds('sh: times: not found')).toThrow('times printed');
  expect(() => coldRun('/bin/false')).toThrow('/bin/false version failed');
});
