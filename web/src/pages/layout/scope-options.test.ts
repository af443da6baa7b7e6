import { expect, test } from 'vitest';
import { sampleServer } from '../../testing/sample-server.ts';
import { scopeGroups } from './scope-options.ts';

test('lists tags, regions, clusters and statuses in use, most servers first', () => {
  const servers = [
    sampleServer({ tags: { env: 'prod', gpu: '' }, region: 'fra' }),
    sampleServer({ tags: { env: 'web' }, region: 'nyc', status: 'offline' }),
    sampleServer({ tags: { env: 'web' }, region: 'nyc' }),
    sampleServer({ region: null }),
  ];
  const groups = scopeGroups(servers, [
    { cluster_id: 'uid-1', name: 'shop' },
    { cluster_id: 'uid-2', name: null },
  ]);
  const shown = groups.map(({ key, options }) => [key, options.map(({ term, count }) => [term.value, count])]);
  expect(shown).toEqual([
    [
      'tag',
      [
        ['env=web', 2],
        ['env=prod', 1],
        ['gpu', 1],
      ],
    ],
    [
      'region',
      [
        ['nyc', 2],
        ['fra', 1],
      ],
    ],
    [
      'cluster',
      [
        ['shop', null],
        ['uid-2', null],
      ],
    ],
    [
      'status',
      [
        ['active', 3],
        ['offline', 1],
      ],
    ],
  ]);
});

test('has no group without a choice', () => {
  expect(scopeGroups([], [])).toEqual([]);
});

test('keeps a group with one choice: a fleet of one region can still be narrowed to it', () => {
  const groups = scopeGroups([sampleServer({ region: 'fra' })], []);
  expect(groups.map(({ key, options }) => [key, options.length])).toEqual([
    ['region', 1],
    ['status', 1],
  ]);
});
