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
