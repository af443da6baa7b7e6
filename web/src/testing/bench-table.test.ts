import { expect, it } from 'vitest';
import { quantile, tableOf } from './bench-table.ts';

it('takes a share of what was measured, by nearest rank', () => {
  const twenty = Array.from({ length: 20 }, (_, index) => 20 - index);
  expect([quantile(twenty, 0.5), quantile(twenty, 0.95), quantile([7], 0.95)]).toEqual([10, 19, 7]);
  expect(quantile([], 0.5)).toBeNaN();
});

it('sets every value beside its budget, and says nothing of a budget there is not', () => {
  const [, size, time] = tableOf([
    { what: 'entry', values: [153], unit: 'kB', budget: 170 },
    { what: 'open', values: [40, 80, 120], unit: 'ms', budget: null, shown: [300] },
  ]).split('\n');
  expect(size?.trim().split(/ {2,}/)).toEqual(['entry', '153 kB', '170 kB', '0.90']);
  expect(time?.trim().split(/ {2,}/)).toEqual(['open', '80.0 ms', '120 ms', '300 ms']);
});
