import { expect, test } from 'vitest';
import { nameList } from './name-list.ts';

const named = (count: number, length = 1): string[] => Array.from({ length: count }, () => 'x'.repeat(length));

test.each([
  [[], ''],
  [['cpu'], 'cpu'],
  [['cpu', 'disk'], 'cpu, disk'],
  [named(22), `${named(20).join(', ')} and 2 more`],
  [[...named(3, 900), 'disk'], `${named(2, 900).join(', ')} and 2 more`],
  [named(2, 5000), '2 names'],
])('the names %j are %j', (names, text) => {
  expect(nameList(names)).toBe(text);
});
