import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { endLabels } from './end-labels.ts';

const plot = { height: 100, y: (value: number) => 100 - value };
const at = (id: string, avg: number | null) => ({ id, label: id, points: [{ at: 1, avg }] });

it('pushes labels apart and keeps their order', () => {
  const labels = endLabels(plot, [at('a', 50), at('b', 49), at('c', 2), at('d', 0), at('none', null)]);
  expect(labels.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  const gaps = labels.slice(1).map(({ y }, index) => y - (labels[index]?.y ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(13);
  expect(labels.at(-1)?.y).toBe(100);
});

it('keeps every label on the plot, apart and in the order of the values, however many lie together', () => {
  const values = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(values, (given) => {
      const labels = endLabels(
        plot,
        given.map((value, index) => at(String(index), value)),
      );
      expect(labels.map(({ id }) => given[Number(id)])).toEqual(given.toSorted((a, b) => b - a));
      expect(Math.min(...labels.map(({ y }) => y))).toBeGreaterThanOrEqual(0);
      expect(Math.max(...labels.map(({ y }) => y))).toBeLessThanOrEqual(100);
      const gaps = labels.slice(1).map(({ y }, index) => y - (labels[index]?.y ?? 0));
      expect(gaps.filter((gap) => gap < 13)).toEqual([]);
    }),
  );
});

it('pushes labels down where they would leave the plot at its top', () => {
  const labels = endLabels(plot, [at('a', 100), at('b', 100), at('c', 99)]);
  expect(labels.map(({ y }) => y)).toEqual([0, 13, 26]);
});

it('names the end of a line by its last known value, not by a gap after it', () => {
  const points = [
    { at: 1, avg: 70 },
    { at: 2, avg: null },
  ];
  expect(endLabels(plot, [{ id: 'a', label: 'a', points }])).toEqual([{ id: 'a', label: 'a', y: 30 }]);
});
