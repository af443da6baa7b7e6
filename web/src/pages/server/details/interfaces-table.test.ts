import { expect, it } from 'vitest';
import { bothWays } from './interfaces-table.tsx';

it('sums both directions, and no direction stands for both', () => {
  expect(bothWays(1, 2)).toBe(3);
  expect([bothWays(3, null), bothWays(null, 0), bothWays(null, null)]).toEqual([null, null, null]);
});
