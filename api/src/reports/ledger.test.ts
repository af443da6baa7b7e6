import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inOrder, play, schedules } from '../testing/schedules.ts';
import type { Answer, Request } from '../testing/schedules.ts';
import { accept, ackOf, EMPTY_LEDGER, isSettled, MAX_ACK_ALSO, missing, settle, settledUpto } from './ledger.ts';
import type { Ledger } from './ledger.ts';

const range = (from: number, to = from) => ({ from, to });

describe('settled ranges', () => {
  it('melt together when they overlap or touch', () => {
    expect(settle([range(1, 3)], [range(4, 5), range(9), range(2)])).toEqual([range(1, 5), range(9)]);
    expect(settle([], [])).toEqual([]);
  });

  it('hold a billion seqs as one', () => {
    expect(settle([range(1)], [range(2, 1e9)])).toEqual([range(1, 1e9)]);
  });

  it('say up to where all is settled, from 1', () => {
    expect(settledUpto([])).toBe(0);
    expect(settledUpto([range(2, 9)])).toBe(0);
    expect(settledUpto([range(1, 9), range(11)])).toBe(9);
  });

  it('name what never came', () => {
    expect(missing([range(3, 4), range(8)])).toEqual([range(1, 2), range(5, 7)]);
    expect(missing([range(1, 4)])).toEqual([]);
  });

  it('agree with a set of seqs', () => {
    const ranges = fc.array(
      fc.tuple(fc.nat(60), fc.nat(8)).map(([from, length]) => range(from + 1, from + 1 + length)),
    );
    fc.assert(
      fc.property(ranges, ranges, (first, second) => {
        const merged = settle(settle([], first), second);
        const inSet = (seq: number) => [...first, ...second].some(({ from, to }) => from <= seq && seq <= to);
        for (let seq = 1; seq <= 80; seq += 1) expect(isSettled(merged, seq)).toBe(inSet(seq));
        for (const [index, { from }] of merged.slice(1).entries())
          expect(from).toBeGreaterThan((merged[index]?.to ?? 0) + 1);
      }),
    );
  });
});

describe('acknowledgement', () => {
  it('names the seqs of the request first, and stays bounded', () => {
    const settled = settle([range(1, 5)], [range(10), range(100, 100_000)]);
    const { upto, also } = ackOf(settled, [3, 10, 50, 120]);
    expect(upto).toBe(5);
    expect(also).toHaveLength(MAX_ACK_ALSO);
    expect(also).toEqual(expect.arrayContaining([10, 120, 100_000]));
    expect(also).not.toContain(50);
  });
});

describe('ledger', () => {
  const deliver = (ledger: Ledger, seqs: number[], hash = 'a') =>
    accept(ledger, { items: seqs.map((seq) => ({ seq, hash })), lost: [] });

  it('takes a replay without storing it again', () => {
    const first = deliver(EMPTY_LEDGER, [1, 2]);
    if (first.outcome !== 'stored') throw new Error('refused');
    expect(deliver(first.ledger, [2, 3, 3])).toMatchObject({ outcome: 'stored', storedSeqs: [3] });
  });

  it('refuses a delivery with a known seq of other content, whole', () => {
    const first = deliver(EMPTY_LEDGER, [1, 2]);
    if (first.outcome !== 'stored') throw new Error('refused');
    expect(deliver(first.ledger, [2, 3], 'b')).toEqual({ outcome: 'conflict' });
  });

  it('ends 5,000 random schedules as one delivery in order, and acknowledges nothing it did not settle', async () => {
    await fc.assert(
      fc.asyncProperty(schedules(30), async (schedule) => {
        let ledger = EMPTY_LEDGER;
        const apply = ({ seqs, rejected, dropped }: Request): Answer => {
          const result = accept(ledger, {
            items: seqs.map((seq) => ({ seq, hash: `h${seq}` })),
            lost: [...rejected.map((seq) => range(seq)), ...dropped],
          });
          if (result.outcome !== 'stored') throw new Error('a replay was taken for a conflict');
          ledger = result.ledger;
          const answer = ackOf(ledger.settled, [...seqs, ...rejected]);
          for (const seq of answer.also) expect(isSettled(ledger.settled, seq)).toBe(true);
          for (let seq = 1; seq <= answer.upto; seq += 1) expect(isSettled(ledger.settled, seq)).toBe(true);
          return answer;
        };
        await play(schedule, { send: async (request) => apply(request), crash: async () => {} });
        const ended = ledger;
        ledger = EMPTY_LEDGER;
        apply(inOrder(schedule));
        expect(ended.settled).toEqual(ledger.settled);
        expect(new Map(ended.hashes)).toEqual(new Map(ledger.hashes));
      }),
      { numRuns: 5000 },
    );
  });
});
