import { expect, test } from 'vitest';
import { figureKey } from '../collect-readings.ts';
import { Figures } from '../figures.ts';
import type { Value } from '../types.ts';
import { shapeCpu } from './shape-cpu.ts';

type Times = readonly [cpu: string, mode: string, before: number | null, now: number];

/** Seconds of CPU time at two readings 60 seconds apart. */
function figuresOf(times: readonly Times[]): Figures {
  const key = ([cpu, mode]: Times): string => figureKey('cpu', cpu, mode);
  const before = times.flatMap((one): Value[] => (one[2] === null ? [] : [[key(one), one[2], 0]]));
  const now = times.map((one): Value => [key(one), one[3], 60_000]);
  return new Figures(now, before, []);
}
const cpuOf = (...times: Times[]): ReturnType<typeof shapeCpu> => shapeCpu(figuresOf(times));

test('a CPU is busy whose idle time falls back by a tick, as that of a tickless kernel does', () => {
  const cpu = cpuOf(['0', 'idle', 900, 899.99], ['0', 'user', 100, 160], ['1', 'idle', 900, 960], ['1', 'user', 1, 1]);
  expect(cpu).toMatchObject({ percent: 50, per_core_percent: [100, 0] });
});

test.each([
  ['begin anew', 900],
  ['are new, because the CPU was added', null],
])('the other CPUs have the use when the counters of one %s', (_, before) => {
  const cpu = cpuOf(
    ...([
      ['0', 'idle', 900, 915],
      ['0', 'user', 100, 145],
      ['1', 'idle', before, 5],
      ['1', 'user', before, 1],
    ] as const),
  );
  expect(cpu).toMatchObject({ percent: 75, per_core_percent: [75, null] });
});

test('nothing is known when the counters of all CPUs begin anew', () => {
  expect(cpuOf(['0', 'idle', 900, 5], ['0', 'user', 900, 1])?.percent).toBeNull();
});

test('only steal is lost when it grows by more time than passed', () => {
  const cpu = cpuOf(['0', 'idle', 0, 45], ['0', 'user', 0, 15], ['0', 'steal', 10, 18_446_744_073]);
  expect(cpu).toMatchObject({ percent: 25, steal_percent: null });
});

test('steal that took all the time that passed is believed', () => {
  const cpu = cpuOf(['0', 'idle', 0, 0], ['0', 'user', 0, 1], ['0', 'steal', 10, 69]);
  expect(cpu).toMatchObject({ percent: 100, steal_percent: (59 / 60) * 100 });
});
