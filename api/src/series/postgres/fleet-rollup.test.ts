import { expect, test } from 'vitest';
import { runsOf } from './fleet-rollup.ts';

const HOUR = 3_600_000;
const STEP = 300_000;

test('due buckets close to each other are one run, far ones are not', () => {
  const due = [0, STEP, 3 * STEP, 30 * HOUR].map((at) => ({ account: 'a', at }));
  expect(runsOf(due.toReversed(), STEP)).toEqual([
    { accounts: ['a'], from: 0, to: 4 * STEP },
    { accounts: ['a'], from: 30 * HOUR, to: 30 * HOUR + STEP },
  ]);
});

test('accounts with the same run share it, and one’s backlog costs no other account', () => {
  const due = [
    { account: 'a', at: 0 },
    { account: 'a', at: 9 * HOUR },
    { account: 'b', at: 9 * HOUR },
  ];
  expect(runsOf(due, STEP)).toEqual([
    { accounts: ['a'], from: 0, to: STEP },
    { accounts: ['a', 'b'], from: 9 * HOUR, to: 9 * HOUR + STEP },
  ]);
});

test('nothing due is no run', () => {
  expect(runsOf([], STEP)).toEqual([]);
});
