import { PAGE_LIMITS } from '@plimsoll/contract/rules/limits';
import { expect, it } from 'vitest';
import { everyRow } from './every-row.ts';

it('reads page after page until all rows are there', async () => {
  const all = Array.from({ length: PAGE_LIMITS.max * 2 + 5 }, (_, index) => index);
  const offsets: number[] = [];
  const rows = await everyRow(({ limit, offset }) => {
    offsets.push(offset);
    return Promise.resolve({ rows: all.slice(offset, offset + limit), total: all.length });
  });
  expect(rows).toEqual(all);
  expect(offsets).toEqual([0, PAGE_LIMITS.max, PAGE_LIMITS.max * 2]);
});

it('ends when the list got shorter meanwhile', async () => {
  const rows = await everyRow(({ offset }) => Promise.resolve({ rows: offset === 0 ? [1] : [], total: 3 }));
  expect(rows).toEqual([1]);
});
