import { expect, it } from 'vitest';
import { lackingRuns } from './lacking-runs.ts';
import { lackingOf } from './series-shape.ts';

it('joins neighbouring buckets that lack servers and names the fewest', () => {
  const points = [
    { at: 0, avg: 10 },
    { at: 60, avg: 9, lacking: '31 of 36 reported' },
    { at: 120, avg: 8, lacking: '9 of 36 reported' },
    { at: 180, avg: 10 },
    { at: 240, avg: 9, lacking: '35 of 36 reported' },
  ];
  expect(lackingRuns(points)).toEqual([
    { from: 30, to: 150, fewest: '9 of 36 reported' },
    { from: 210, to: 270, fewest: '35 of 36 reported' },
  ]);
  expect(lackingRuns([])).toEqual([]);
});

it.each([
  [31, 36, { lacking: '31 of 36 reported' }],
  [36, 36, {}],
  [null, null, {}],
  [undefined, undefined, {}],
  // Nothing came: a gap, not a sum that lacks some.
  [0, 36, {}],
])('%s of %s', (servers_reported, servers_installed, words) =>
  expect(lackingOf({ servers_reported, servers_installed })).toEqual(words),
);
