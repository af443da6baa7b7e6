import type { DroppedRange } from '@plimsoll/contract/wire/report';
import type { Disk } from '../runtime/disk.ts';

/** Seqs that will never arrive, by stream, until the server has accepted their declaration. */
export interface DroppedLedger {
  add(stream: string, from: number, to: number, why: string): void;
  /** All numbers of an ended stream from here on. How many reports had one is not known. */
  addRest(stream: string, from: number, why: string): void;
  of(stream: string): DroppedRange[];
  streams(): string[];
  /** The server has these, which were the first of the stream; one that has grown since keeps what is new. */
  declared(stream: string, sent: readonly DroppedRange[]): void;
  clear(): void;
}

const FILE = 'dropped.json';
/** Longest reason the wire takes. */
const WHY_LENGTH = 64;
/** More numbers than a spool has reports: a day of them, one a second. */
const REST = 86_400;

/** Kept in one small file, for the segments that held the reports are gone. */
export function droppedLedger(disk: Disk): DroppedLedger {
  const ranges = readRanges(disk);
  const save = (): void => {
    try {
      disk.replace(FILE, JSON.stringify([...ranges]));
    } catch {
      // A full disk must not stop the report; the ranges stay in memory and the next change tries again.
    }
  };
  const add = (stream: string, range: DroppedRange): void => {
    const known = ranges.get(stream) ?? [];
    ranges.set(stream, merge([...known, { ...range, why: range.why.slice(0, WHY_LENGTH) }]));
    save();
  };
  return {
    add: (stream, from, to, why) => add(stream, { from, to, n: to - from + 1, why }),
    addRest: (stream, from, why) => add(stream, { from, to: from + REST - 1, n: 1, why }),
    of: (stream) => ranges.get(stream) ?? [],
    streams: () => [...ranges.keys()],
    declared: (stream, sent) => {
      if (sent.length === 0) return;
      const rest = (ranges.get(stream) ?? []).flatMap((range, index) => remainder(range, sent[index]));
      if (rest.length > 0) ranges.set(stream, rest);
      else ranges.delete(stream);
      save();
    },
    clear: () => {
      ranges.clear();
      save();
    },
  };
}

/** Only the newest range grows, so that what was just sent is still the head of the list when it is acknowledged. */
function merge(ranges: DroppedRange[]): DroppedRange[] {
  const last = ranges.at(-1);
  const before = ranges.at(-2);
  if (!last || !before || before.to + 1 !== last.from || before.why !== last.why) return ranges;
  return [...ranges.slice(0, -2), { ...before, to: last.to, n: before.n + last.n }];
}

function remainder(range: DroppedRange, sent: DroppedRange | undefined): DroppedRange[] {
  if (!sent || sent.from !== range.from) return [range];
  return range.to > sent.to ? [{ ...range, from: sent.to + 1, n: range.to - sent.to }] : [];
}

function readRanges(disk: Disk): Map<string, DroppedRange[]> {
  try {
    const parsed: unknown = JSON.parse(disk.read(FILE).toString('utf8'));
    return new Map(Array.isArray(parsed) ? parsed.filter(isOfStream) : []);
  } catch {
    return new Map();
  }
}

/** A power cut or a hand may have written anything. */
const isOfStream = (value: unknown): value is [string, DroppedRange[]] =>
  Array.isArray(value) && typeof value[0] === 'string' && Array.isArray(value[1]) && value[1].every(isRange);

function isRange(value: unknown): value is DroppedRange {
  const { from, to, n, why } = (value ?? {}) as Partial<DroppedRange>;
  return [from, to, n].every(Number.isSafeInteger) && typeof why === 'string';
}
