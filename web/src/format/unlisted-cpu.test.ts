import { expect, it } from 'vitest';
import { unlistedCpuText } from './unlisted-cpu.ts';

const AT = 1_790_000_000;
const process = (name: string, cpu: number | null, age = 3600, count: number | null = 4) => ({
  name,
  cpu_usage: cpu,
  server_cpu_cores: count,
  start_time: AT - age,
  timestamp: AT,
});

it('says what the list does not explain, and what began within its minute', () => {
  const processes = [process('make', 30), process('cc1', 5, 20), process('cc1', 5, 10), process('ld', 0, 3)];
  expect(unlistedCpuText({ processes, cpuPercent: 80, isTop: false })).toBe(
    'The listed processes use 0.40 cores of 3.20 cores in use. The other 2.80 cores: processes that ended within the ' +
      'minute, and the kernel. Began within the minute: cc1 (2), ld.',
  );
  expect(unlistedCpuText({ processes: [process('make', 30)], cpuPercent: 80, isTop: true })).toContain(
    'ended within the minute, those below the top, and the kernel.',
  );
});

it.each([
  ['the list explains most of it', [process('make', 280)], 80],
  ['the rest is small', [process('make', 1)], 5],
  ['the CPU of the machine is not known', [process('make', 1)], null],
  ['the cores are not known', [process('make', 1, 3600, null)], 80],
  ['there is no list', [], 80],
])('says nothing where %s', (_what, processes, cpuPercent) =>
  expect(unlistedCpuText({ processes, cpuPercent, isTop: false })).toBeNull(),
);

it('counts what began within the minute, and not what began when it did', () => {
  const of = (age: number) => unlistedCpuText({ processes: [process('cc1', 5, age)], cpuPercent: 80, isTop: false });
  expect(of(59)).toContain('Began within the minute: cc1.');
  expect(of(60)).not.toContain('Began');
});

it('names three of what began, most of one name first', () => {
  const names = ['a', 'b', 'b', 'c', 'd', 'e'];
  const processes = names.map((name) => process(name, 1, 10));
  expect(unlistedCpuText({ processes, cpuPercent: 80, isTop: false })).toContain('minute: b (2), a, c, 2 more.');
});

it('says nothing below a quarter of a core or three tenths of what is in use', () => {
  const of = (listed: number, percent: number) =>
    unlistedCpuText({ processes: [process('make', listed)], cpuPercent: percent, isTop: false }) !== null;
  // The machine has four cores. One is in use, and the list explains 0.75 or 0.76 of it.
  expect([of(75, 25), of(76, 25)]).toEqual([false, false]);
  expect([of(69, 25), of(70, 25)]).toEqual([true, true]);
  expect([of(0, 6.25), of(0, 6)]).toEqual([true, false]);
});
