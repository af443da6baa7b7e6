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

it('finds what its letters spell in order, after all that hold the words', () => {
  expect(names('wf1')).toEqual(['web-fra-01']);
  expect(names('dbfra')).toEqual(['db-fra-01']);
  expect(names('eb1')).toEqual([]);
});

it('puts one of hundreds behind a server whose name matches a little less well', () => {
  const pods = ['fraud-1', 'fraud-2', 'x-infra-1'].map((name) => ({ id: name, kind: 'Pod', name, many: true }));
  const found = matchItems([...items, ...pods], 'fra', 10).map(({ name }) => name);
  expect(found).toEqual(['framework', 'web-fra-01', 'db-fra-01', 'fraud-1', 'fraud-2', 'x-infra-1']);
});

it('finds a server by its tags, after those named so', () => {
  const tagged = [
    { id: '1', kind: 'Server', name: 'media-ams-01', also: 'env=prod' },
    { id: '2', kind: 'Server', name: 'prod-01' },
  ];
  expect(matchItems(tagged, 'prod', 9).map(({ name }) => name)).toEqual(['prod-01', 'media-ams-01']);
});

it('takes one letter for a beginning or a part, and never for letters in order', () => {
  expect(names('w')).toEqual(['web-fra-01', 'framework']);
  expect(names('z')).toEqual([]);
});
