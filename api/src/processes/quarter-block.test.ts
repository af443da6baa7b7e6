import type { ProcessPart } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstOfEachSlot, packedQuarters, unpackedQuarters } from './quarter-block.ts';

const QUARTER = 900_000;

const figure = fc.double({ min: 0, max: 2 ** 53, noNaN: true }).map((value) => value + 0);
const anyProcess: fc.Arbitrary<ProcessPart> = fc.record({
  pid: fc.nat(9),
  name: fc.constantFrom('a', 'ü"\\'),
  command: fc.oneof(fc.constant('/bin/a'), fc.string({ unit: 'binary' })),
  user: fc.constantFrom('root', 'app'),
  status: fc.constantFrom('S', 'R', ''),
  cpu_percent: fc.option(figure),
  memory_percent: fc.option(figure),
  memory_bytes: fc.oneof(fc.maxSafeNat(), figure),
  threads: fc.option(fc.nat()),
  started_at: fc.constantFrom(0, 1_790_000_000.25),
});
/** Also a process twice in one list, as a report may have it. */
const anyList = fc
  .record({ slot: fc.nat(40), late: fc.nat(900_000_000), processes: fc.array(anyProcess, { maxLength: 20 }) })
  .map(({ slot, late, processes }) => {
    const start = 1_790_000_000_000 + slot * QUARTER;
    return { slot: start, at: start + Math.floor(late / 1000), processes };
  });

test('a block holds each list of a slot as it was, in its order', () => {
  fc.assert(
    fc.property(fc.array(anyList, { maxLength: 30 }), (lists) => {
      const read = unpackedQuarters(packedQuarters(lists));
      expect(read).toEqual(firstOfEachSlot(lists));
      expect(unpackedQuarters(packedQuarters(read))).toEqual(read);
    }),
  );
});

test('a block keeps the first list of a slot, and microseconds', () => {
  const slot = 1_790_000_000_000;
  const list = (at: number) => ({ slot, at, processes: [] });
  const late = { slot: slot + 0.123, at: slot + 0.123, processes: [] };
  expect(unpackedQuarters(packedQuarters([late, list(slot + 5), list(slot + 9)]))).toEqual([list(slot + 5), late]);
});
