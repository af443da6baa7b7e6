import { expect, it } from 'vitest';
import { sampleChange } from '../../testing/sample-change.ts';
import { foldChanges } from './fold-changes.ts';

const host = (id: string, minutes: number, title = 'nginx 1 → 2') =>
  sampleChange({
    id,
    title,
    source: 'host',
    kind: 'packages',
    namespace: null,
    name: id,
    hostname: id,
    at: new Date(1e12 - minutes * 60_000).toISOString(),
  });
const idsOf = (changes: Parameters<typeof foldChanges>[0]) =>
  foldChanges(changes).map(({ change, others }) => [change.id, ...others.map(({ id }) => id)]);

it('joins one update of several hosts within a quarter of an hour, whatever stands between', () => {
  expect(idsOf([host('a', 0), host('x', 1, 'curl 1 → 2'), host('b', 2), host('late', 20)])).toEqual([
    ['a', 'b'],
    ['x'],
    ['late'],
  ]);
});

it('joins one rollout in two clusters, and not two workloads of one namespace', () => {
  const at = new Date(1e12).toISOString();
  const one = sampleChange({ id: '1', at });
  expect(idsOf([one, { ...one, id: '2', cluster_id: 'd' }, { ...one, id: '3', name: 'cart' }])).toEqual([
    ['1', '2'],
    ['3'],
  ]);
});

it('joins nothing that is a quarter of an hour apart: an update of the next day is another one', () => {
  expect(idsOf([host('a', 0), host('b', 14)])).toEqual([['a', 'b']]);
  expect(idsOf([host('a', 0), host('b', 15)])).toEqual([['a'], ['b']]);
  // The time counts from the newest of a row: a chain of updates is not one update.
  expect(idsOf([host('a', 0), host('b', 10), host('c', 20)])).toEqual([['a', 'b'], ['c']]);
});
