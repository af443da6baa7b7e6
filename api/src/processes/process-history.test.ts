import type { ProcessPart } from '@plimsoll/contract/wire/report';
import { expect, test } from 'vitest';
import { processHistory } from './process-history.ts';

const MINUTE = 60_000;
const process = (pid: number, cpu: number | null, given: Partial<ProcessPart> = {}): ProcessPart => ({
  pid,
  name: 'postgres',
  command: 'postgres -D /data',
  user: 'postgres',
  status: 'S',
  cpu_percent: cpu,
  memory_percent: 1,
  memory_bytes: 100 * pid,
  threads: 1,
  started_at: pid,
  ...given,
});
const RANGE = { from: 0, to: 6 * 3_600_000, leastStepMs: MINUTE };
const wanted = { command: 'postgres -D /data' };

test('a command goes on across a restart, and processes of one moment are added up', () => {
  const lists = [
    { at: 0, processes: [process(1, 10), process(2, 5), process(9, 99, { command: 'other' })] },
    { at: MINUTE, processes: [] },
    { at: 2 * MINUTE, processes: [process(3, null)] },
  ];
  expect(processHistory(lists, wanted, RANGE)).toEqual({
    stepMs: MINUTE,
    starts: [1, 2, 3],
    points: [
      { at: 0, cpuPercent: 15, memoryBytes: 300, processes: 2 },
      { at: MINUTE, cpuPercent: null, memoryBytes: null, processes: 0 },
      { at: 2 * MINUTE, cpuPercent: null, memoryBytes: 300, processes: 1 },
    ],
  });
  expect(processHistory(lists, { ...wanted, pid: 2 }, RANGE).points[0]).toMatchObject({ cpuPercent: 5, processes: 1 });
});

test('a long range has at most 400 buckets, each with the mean of its lists', () => {
  const lists = Array.from({ length: 2880 }, (_, n) => ({ at: n * MINUTE, processes: n % 2 ? [process(1, 30)] : [] }));
  const { points, stepMs } = processHistory(lists, wanted, { ...RANGE, to: 48 * 3_600_000 });
  expect(stepMs).toBe(8 * MINUTE);
  expect(points).toHaveLength(360);
  expect(points[0]).toEqual({ at: 0, cpuPercent: 30, memoryBytes: 100, processes: 1 });
});

test('a process without a command line is found by its name', () => {
  const lists = [{ at: 0, processes: [process(1, 3, { name: 'kworker/0:1', command: '' })] }];
  expect(processHistory(lists, { command: 'kworker/0:1' }, RANGE).points[0]?.cpuPercent).toBe(3);
});
