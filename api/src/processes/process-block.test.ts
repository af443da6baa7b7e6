import type { ProcessPart } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { greediest, nearestOfBlock, packed, unpacked, type ProcessList } from './process-block.ts';

const process = (pid: number, given: Partial<ProcessPart> = {}): ProcessPart => ({
  pid,
  name: `p${String(pid)}`,
  command: `/bin/p${String(pid)} "ünï" \\`,
  user: 'root',
  status: 'S',
  cpu_percent: 1.5,
  memory_percent: 2.25,
  memory_bytes: 1024 * pid,
  threads: 3,
  started_at: 1_790_000_000.5,
  ...given,
});

const anyProcess = fc.record({
  pid: fc.nat(40),
  name: fc.string(),
  command: fc.string(),
  user: fc.constantFrom('root', 'app'),
  status: fc.constantFrom('S', 'R', ''),
  cpu_percent: fc.option(fc.nat(100_000).map((tenths) => tenths / 10)),
  memory_percent: fc.option(fc.nat(10_000).map((hundredths) => hundredths / 100)),
  memory_bytes: fc.nat(2 ** 30).map((kilobytes) => kilobytes * 1024),
  threads: fc.option(fc.nat()),
  started_at: fc.nat(),
});
const anyLists = fc.uniqueArray(
  fc.record({ at: fc.nat(4e12), processes: fc.uniqueArray(anyProcess, { selector: ({ pid }) => pid, maxLength: 20 }) }),
  { selector: ({ at }) => at, maxLength: 30 },
);
const byPid = (a: ProcessPart, b: ProcessPart) => a.pid - b.pid;

const ordered = (all: readonly ProcessList[]) =>
  all.toSorted((a, b) => a.at - b.at).map(({ at, processes }) => ({ at, processes: processes.toSorted(byPid) }));
const memoryOf = (lists: readonly ProcessList[]) =>
  lists.flatMap(({ processes }) => processes.map(({ memory_bytes: bytes }) => bytes));

test('a block holds every list as it was, its memory to 0.1 %', () => {
  fc.assert(
    fc.property(anyLists, (lists) => {
      const [given, read] = [ordered(lists), ordered(unpacked(packed(lists)))];
      const [before, after] = [memoryOf(given), memoryOf(read)];
      for (const [index, bytes] of before.entries())
        expect(Math.abs((after[index] ?? Number.NaN) - bytes)).toBeLessThanOrEqual(bytes * 0.001);
      const withoutMemory = (all: readonly ProcessList[]) =>
        all.map(({ at, processes }) => ({ at, processes: processes.map((each) => ({ ...each, memory_bytes: 0 })) }));
      expect(withoutMemory(read)).toEqual(withoutMemory(given));
      // A late list packs its hour again, which must not move the figures again.
      expect(ordered(unpacked(packed(read)))).toEqual(read);
    }),
  );
});

test('a block keeps every KB below 1 MB', () => {
  const lists = [{ at: 1, processes: [process(1, { memory_bytes: 1023 * 1024 })] }];
  expect(memoryOf(unpacked(packed(lists)))).toEqual([1023 * 1024]);
});

test('a block keeps a process before and after its restart apart', () => {
  const lists = [1, 2, 3].map((at) => ({ at, processes: [process(1), process(2, { started_at: at < 3 ? 1 : 9 })] }));
  expect(unpacked(packed(lists))).toEqual(lists);
});

test('the list nearest to a moment is that of the whole block, of two equally near the earlier', () => {
  fc.assert(
    fc.property(anyLists, fc.nat(4e12), (lists, moment) => {
      const all = unpacked(packed(lists));
      const [first] = all.toSorted((a, b) => Math.abs(a.at - moment) - Math.abs(b.at - moment) || a.at - b.at);
      expect(nearestOfBlock(packed(lists), moment)).toEqual(first ?? null);
    }),
  );
  const [before, after] = [1000, 3000].map((at) => ({ at, processes: [process(at)] }));
  expect(nearestOfBlock(packed([before!, after!]), 2000)).toEqual(before);
});

test('an hour of lists takes a small part of its JSON', () => {
  const hour = Array.from({ length: 60 }, (_, minute) => ({
    at: minute * 60_000,
    processes: Array.from({ length: 15 }, (__, pid) =>
      process(pid, { cpu_percent: ((pid * 7 + minute * 13) % 300) / 10 }),
    ),
  }));
  expect(packed(hour).length * 50).toBeLessThan(JSON.stringify(hour).length);
});

test('the greediest are the top ten by CPU and the top ten by memory', () => {
  const many = Array.from({ length: 50 }, (_, pid) => process(pid, { cpu_percent: pid < 1 ? null : 100 - pid }));
  const pids = greediest(many).map(({ pid }) => pid);
  expect(pids.toSorted((a, b) => a - b)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49,
  ]);
  expect(greediest(many.slice(0, 3))).toHaveLength(3);
});
