/**
 * Which seqs of a stream are settled: stored, refused for good or declared dropped. Kept as ranges, so that a dropped
 * range of any size costs as much as one seq.
 */
export interface SeqRange {
  from: number;
  /** Included. */
  to: number;
}
/** Sorted, apart from each other by at least one unsettled seq. */
export type Settled = readonly SeqRange[];

/** Adds ranges; overlapping and adjacent ones melt together. */
export const settle = (settled: Settled, added: readonly SeqRange[]): Settled => {
  const merged: SeqRange[] = [];
  for (const { from, to } of [...settled, ...added].toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
};

export const isSettled = (settled: Settled, seq: number): boolean =>
  settled.some(({ from, to }) => from <= seq && seq <= to);

/** Every seq up to this one is settled; seqs begin at 1. */
export const settledUpto = (settled: Settled): number => (settled[0]?.from === 1 ? settled[0].to : 0);

/** Bound of `also` in an answer: with 16-digit seqs 34 KB of the 64 KiB an agent reads. */
export const MAX_ACK_ALSO = 2000;

/**
 * Returns the sequence numbers to acknowledge: all of this request, then the highest others while the response has
 * room.
 */
export const ackOf = (settled: Settled, requestSeqs: readonly number[]): { upto: number; also: number[] } => {
  const upto = settledUpto(settled);
  const also = new Set(requestSeqs.filter((seq) => seq > upto && isSettled(settled, seq)));
  for (const range of settled.toReversed()) {
    for (let seq = range.to; seq >= range.from && seq > upto && also.size < MAX_ACK_ALSO; seq -= 1) also.add(seq);
  }
  return { upto, also: [...also].toSorted((a, b) => a - b) };
};

/** Seqs below the highest settled one that never came. */
export const missing = (settled: Settled): SeqRange[] =>
  settled.flatMap((range, index) => {
    const from = (settled[index - 1]?.to ?? 0) + 1;
    return from < range.from ? [{ from, to: range.from - 1 }] : [];
  });

/** State of one stream. */
export interface Ledger {
  settled: Settled;
  /** Content hash of every stored seq. */
  hashes: ReadonlyMap<number, string>;
}
export const EMPTY_LEDGER: Ledger = { settled: [], hashes: new Map() };

export interface Delivery {
  items: readonly { seq: number; hash: string }[];
  /** Seqs refused for good, and ranges the agent gave up. */
  lost: readonly SeqRange[];
}
export type Acceptance = { outcome: 'conflict' } | { outcome: 'stored'; ledger: Ledger; storedSeqs: number[] };

/**
 * The rule of at-least-once delivery with exactly-once effect: a known seq with the same content is a replay, with other
 * content a second writer, and then nothing of the delivery counts. The accepting statement does the same inside the
 * database; a property test holds the two together.
 */
export const accept = ({ settled, hashes }: Ledger, { items, lost }: Delivery): Acceptance => {
  const next = new Map(hashes);
  for (const { seq, hash } of items) {
    if ((next.get(seq) ?? hash) !== hash) return { outcome: 'conflict' };
    next.set(seq, hash);
  }
  const storedSeqs = [...new Set(items.map(({ seq }) => seq))].filter((seq) => !hashes.has(seq));
  const ranges = items.map(({ seq }) => ({ from: seq, to: seq }));
  return { outcome: 'stored', ledger: { settled: settle(settled, [...ranges, ...lost]), hashes: next }, storedSeqs };
};
