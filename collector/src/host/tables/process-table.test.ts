import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeFiles } from '../../testing/captured.ts';
import { parsePidStat } from './pid-stat.ts';
import type { ProcessSeen } from './process-list.ts';
import { processTable } from './process-table.ts';

const TICKS = 100;

interface Figures {
  ticks: number;
  startTicks: number;
  pages: number;
}
const statLine = (pid: number, { ticks, startTicks, pages }: Figures): string =>
  `${pid} (p${pid % 2}) S ${'0 '.repeat(10)}${ticks} 0 ${'0 '.repeat(4)}1 0 ${startTicks} 0 ${pages} ${'0 '.repeat(20)}\n`;

/** Reads without any cache beside the readings themselves. */
function plainly(files: ReturnType<typeof fakeFiles>, before: ProcessSeen[] | null, from: number, up: number) {
  return files.list('proc').flatMap((entry): ProcessSeen[] => {
    const stat = parsePidStat(files.bytes(`proc/${entry}/stat`));
    if (!stat) return [];
    const then = before?.find(({ pid }) => pid === Number(entry));
    const same = then?.startTicks === stat.startTicks;
    const grown = same ? stat.cpuTicks - then.cpuTicks : stat.startTicks / TICKS >= from - 1 ? stat.cpuTicks : null;
    const known = before !== null && up > from && grown !== null && grown >= 0;
    return [{ pid: Number(entry), ...stat, cpuPercent: known ? (100 * grown) / TICKS / (up - from) : null }];
  });
}

const figures = fc.record({
  ticks: fc.integer({ min: 0, max: 2 }),
  startTicks: fc.constantFrom(1, 500),
  pages: fc.integer({ min: 0, max: 1 }),
});
const round = fc.record({
  seconds: fc.constantFrom(0, 60),
  processes: fc.dictionary(fc.constantFrom('1', '2', '3', '40'), fc.option(figures, { nil: null })),
});

it('tells of each process what a reading without memory tells, whatever stayed, changed, went and came back', () => {
  fc.assert(
    fc.property(fc.array(round, { maxLength: 8 }), (rounds) => {
      const texts: Record<string, string> = {};
      const files = fakeFiles(texts);
      const read = processTable(files, TICKS);
      let before: ProcessSeen[] | null = null;
      const [given, kept]: [ProcessSeen[][], ProcessSeen[][]] = [[], []];
      let up = 4;
      for (const { seconds, processes } of rounds) {
        for (const path of Object.keys(texts)) delete texts[path];
        for (const [pid, one] of Object.entries(processes))
          texts[`proc/${pid}/stat`] = one === null ? `${pid} (cut` : statLine(Number(pid), one);
        const expected = plainly(files, before, up, up + seconds);
        up += seconds;
        const all = read(up);
        expect(all).toEqual(expected);
        given.push(all);
        kept.push(structuredClone(all));
        before = expected;
      }
      // The caller compares two readings, so it still holds the older one.
      expect(given).toEqual(kept);
    }),
    { numRuns: 300 },
  );
});

it('does not parse again what did nothing', () => {
  const texts = { 'proc/7/stat': statLine(7, { ticks: 5, startTicks: 1, pages: 1 }) };
  const read = processTable(fakeFiles(texts), TICKS);
  const [, second, third] = [read(10), read(70), read(130)];
  expect(third[0]).toBe(second[0]);
  texts['proc/7/stat'] = statLine(7, { ticks: 605, startTicks: 1, pages: 1 });
  expect(read(190)[0]).toMatchObject({ cpuTicks: 605, cpuPercent: 10 });
});
