import { expect, test } from 'vitest';
import { loadText, pressureRows } from './pressure-rows.ts';

const line = (avg10: number) => ({ avg10, avg60: avg10 + 1, avg300: avg10 + 2, total_seconds: 1 });

test('each resource has its own shares, and none without kernel figures', () => {
  const rows = pressureRows({ cpu: { some: line(1) }, memory: null, io: { some: line(10), full: line(5) } });
  expect(rows.map(({ resource, tasks, shares }) => [`${resource} ${tasks}`, shares])).toEqual([
    ['CPU some', [1, 2, 3]],
    ['Memory some', null],
    ['Memory all', null],
    ['Disk some', [10, 11, 12]],
    ['Disk all', [5, 6, 7]],
  ]);
});

test.each([
  [{ one: 2.5, five: 2, fifteen: 1.506 }, 8, 'load 2.50, 2.00, 1.51 over 1, 5, 15 min, 0.31 a core'],
  [{ one: 0, five: 0, fifteen: 0 }, 1, 'load 0.00, 0.00, 0.00 over 1, 5, 15 min, 0.00 a core'],
  [{ one: 1, five: 1, fifteen: 1 }, null, 'load 1.00, 1.00, 1.00 over 1, 5, 15 min'],
  [{ one: 1, five: 1, fifteen: 1 }, 0, 'load 1.00, 1.00, 1.00 over 1, 5, 15 min'],
])('%j on %s cores: %s', (load, cores, text) => {
  expect(loadText(load, cores)).toBe(text);
});
