import type { ProcessPart } from '@plimsoll/contract/wire/report';
import {
  compressed,
  differences,
  getIdentity,
  sums,
  uncompressed,
  type Identity,
  type ProcessList,
} from './process-block.ts';

/** The top 20 of a quarter of an hour, or what an alert kept. */
export interface QuarterList extends ProcessList {
  /** Start of the quarter of an hour, or the sample time of a list that an alert kept; ms. A server has one list of it. */
  slot: number;
}

/**
 * The lists of six hours, by process: its identity once, and each figure as it was. Nothing is rounded, so an answer is
 * the same before and after its lists are packed.
 */
interface QuarterBlock {
  v: 1;
  /** µs, each as the difference to the one before. */
  slots: number[];
  /** Sample times, µs after the slot. */
  delays: number[];
  /** Indexes of `processes` in the order of each list. */
  lists: number[][];
  /** The figures of a process, in the order of the lists that have it. */
  processes: {
    is: Identity;
    status: string[];
    cpu: (number | null)[];
    memory: number[];
    share: (number | null)[];
    threads: (number | null)[];
  }[];
}

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000);

/** Returns the lists in order of their slots, of each slot the first. */
export function firstOfEachSlot(lists: readonly QuarterList[]): QuarterList[] {
  const bySlot = new Map<number, QuarterList>();
  for (const list of lists) if (!bySlot.has(list.slot)) bySlot.set(list.slot, list);
  return [...bySlot.values()].toSorted((a, b) => a.slot - b.slot);
}

function blockOf(lists: readonly QuarterList[]): QuarterBlock {
  const seen = new Map<string, { index: number; parts: ProcessPart[] }>();
  const indexOf = (part: ProcessPart): number => {
    const key = JSON.stringify(getIdentity(part));
    const known = seen.get(key) ?? { index: seen.size, parts: [] };
    seen.set(key, known);
    known.parts.push(part);
    return known.index;
  };
  return {
    v: 1,
    slots: differences(lists.map(({ slot }) => microseconds(slot))),
    delays: lists.map(({ at, slot }) => microseconds(at) - microseconds(slot)),
    lists: lists.map(({ processes }) => processes.map(indexOf)),
    processes: [...seen].map(([key, { parts }]) => ({
      is: JSON.parse(key) as Identity,
      status: parts.map(({ status }) => status),
      cpu: parts.map(({ cpu_percent: cpu }) => cpu),
      memory: parts.map(({ memory_bytes: bytes }) => bytes),
      share: parts.map(({ memory_percent: share }) => share),
      threads: parts.map(({ threads }) => threads),
    })),
  };
}

function listsOfBlock({ slots, delays, lists, processes }: QuarterBlock): QuarterList[] {
  const places = processes.map(() => 0);
  const next = (index: number): ProcessPart[] => {
    const process = processes[index];
    const place = places[index] ?? 0;
    if (process === undefined) return [];
    places[index] = place + 1;
    const [pid, name, command, user, startedAt] = process.is;
    return [
      {
        pid,
        name,
        command,
        user,
        started_at: startedAt,
        status: process.status[place] ?? '',
        cpu_percent: process.cpu[place] ?? null,
        memory_percent: process.share[place] ?? null,
        memory_bytes: process.memory[place] ?? 0,
        threads: process.threads[place] ?? null,
      },
    ];
  };
  return sums(slots).map((slot, index) => ({
    slot: slot / 1000,
    at: (slot + (delays[index] ?? 0)) / 1000,
    processes: (lists[index] ?? []).flatMap(next),
  }));
}

/** Returns the lists as one compressed block, of each slot the first. */
export const packedQuarters = (lists: readonly QuarterList[]): Buffer => compressed(blockOf(firstOfEachSlot(lists)));
/** Returns the lists of a compressed block, in order of their slots. */
export const unpackedQuarters = (bytes: Buffer): QuarterList[] => listsOfBlock(uncompressed(bytes) as QuarterBlock);
