import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryDisk } from '../testing/memory-disk.ts';
import { droppedLedger } from './dropped.ts';

const S = 'a'.repeat(32);
const FILE = 'dropped.json';

describe('droppedLedger', () => {
  it('joins neighbours that were given up for the same reason', () => {
    const ledger = droppedLedger(memoryDisk());
    ledger.add(S, 1, 1, 'spool_full');
    ledger.add(S, 2, 4, 'spool_full');
    ledger.add(S, 5, 5, 'spool_damaged');
    ledger.add(S, 7, 7, 'spool_damaged');
    expect(ledger.of(S)).toEqual([
      { from: 1, to: 4, n: 4, why: 'spool_full' },
      { from: 5, to: 5, n: 1, why: 'spool_damaged' },
      { from: 7, to: 7, n: 1, why: 'spool_damaged' },
    ]);
  });

  it('keeps what came after the server was told', () => {
    const ledger = droppedLedger(memoryDisk());
    ledger.add(S, 1, 2, 'spool_full');
    const told = ledger.of(S);
    ledger.add(S, 3, 3, 'spool_full');
    ledger.declared(S, told);
    expect(ledger.of(S)).toEqual([{ from: 3, to: 3, n: 1, why: 'spool_full' }]);
    ledger.declared(S, ledger.of(S));
    expect(ledger.streams()).toEqual([]);
  });

  it('counts every number once, also over a restart', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom('thinned', 'spool_full')));
    fc.assert(
      fc.property(steps, (given) => {
        const disk = memoryDisk();
        let next = 1;
        for (const [count, why] of given) {
          droppedLedger(disk).add(S, next, next + count - 1, why);
          next += count;
        }
        const ranges = droppedLedger(disk).of(S);
        const numbers = ranges.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
        expect(numbers).toEqual(Array.from({ length: next - 1 }, (_, at) => at + 1));
        expect(ranges.reduce((sum, { n }) => sum + n, 0)).toBe(next - 1);
      }),
    );
  });

  it('goes on in memory on a full disk, and writes all of it when there is room again', () => {
    const disk = memoryDisk();
    const ledger = droppedLedger(disk);
    disk.fault.writes = true;
    ledger.add(S, 1, 1, 'spool_full');
    disk.fault.writes = false;
    ledger.add(S, 3, 3, 'spool_full');
    expect(droppedLedger(disk).of(S)).toHaveLength(2);
  });

  it.each(['', '{', '7', '[1]', '[["s",5]]', '[["s",[{"from":"x"}]]]', '[["s",[null]]]', '{"s":[]}'])(
    'starts with nothing where its file says %j',
    (text) => {
      const ledger = droppedLedger(memoryDisk(new Map([[FILE, Buffer.from(text)]])));
      expect(ledger.streams()).toEqual([]);
      ledger.add('s', 1, 1, 'spool_full');
      expect(ledger.of('s')).toHaveLength(1);
    },
  );
});
