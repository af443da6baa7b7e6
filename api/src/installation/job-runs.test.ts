import { expect, test } from 'vitest';
import { jobsOfAll } from './job-runs.ts';

const run = (
  name: string,
  lastSuccessAt: number | null,
  lastFailureAt: number | null,
  lastErrorCode: string | null,
) => ({
  name,
  lastSuccessAt,
  lastFailureAt,
  lastErrorCode,
});

test('joins the last success and the last failure of all replicas, failing jobs first', () => {
  const joined = jobsOfAll([
    { isRunning: true, jobs: [run('prune', 10, null, null), run('rollup', 20, 30, '22003')] },
    { isRunning: true, jobs: [run('rollup', 40, 5, 'TypeError')] },
    { isRunning: false, jobs: [run('prune', 5, 8, '57014')] },
    { isRunning: true, jobs: null },
  ]);
  expect(joined).toEqual([
    { ...run('rollup', 40, 30, '22003'), replicasFailing: 1 },
    { ...run('prune', 10, 8, '57014'), replicasFailing: 0 },
  ]);
});

test('a process that ended does not fail any more, and its failure is still named', () => {
  expect(jobsOfAll([{ isRunning: false, jobs: [run('rollup', null, 30, '22003')] }])).toEqual([
    { ...run('rollup', null, 30, '22003'), replicasFailing: 0 },
  ]);
  expect(jobsOfAll([])).toEqual([]);
});
