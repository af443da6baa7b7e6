import { expect, it } from 'vitest';
import { matchItems } from './palette-match.ts';

const items = ['Setup', 'Servers', 'web-fra-01', 'db-fra-01', 'framework'].map((name) => ({
  id: name,
  kind: 'x',
  name,
}));
const names = (query: string, most = 10) => matchItems(items, query, most).map((item) => item.name);

it('puts what begins with the words first, then words, then the rest', () => {
  expect(names('fra')).toEqual(['framework', 'web-fra-01', 'db-fra-01']);
  expect(names('S')).toEqual(['Setup', 'Servers']);
  expect(names('ork')).toEqual(['framework']);
  expect(names('zzz')).toEqual([]);
});

it('shows all when nothing is asked, never more than wanted', () => {
  expect(names('', 3)).toEqual(['Setup', 'Servers', 'web-fra-01']);
});
