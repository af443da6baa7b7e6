import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { ProcessPart } from '@plimsoll/contract/wire/report';

/** The greediest processes of a server at one moment. */
export interface ProcessList {
  /** Sample time, epoch ms. */
  at: number;
  processes: ProcessPart[];
}

/** The facts of a process that stay the same while it runs. */
export type Identity = [pid: number, name: string, command: string, user: string, startedAt: number];

/**
 * The lists of an hour, by process: its identity once, and each figure as the difference to the list before. Numbers that
 * hardly change then compress to almost nothing.
 */
interface ProcessBlock {
  v: 1;
  /** ms, each as the difference to the one before. */
  times: number[];
  processes: {
    is: Identity;
    /** Indexes of `times`, as differences. */
    seen: number[];
    /** Tenths of a per cent of one core; null is unknown. */
    cpu: (number | null)[];
    /** KB, as differences. */
    memory: number[];
    /** Hundredths of a per cent, as differences; null is unknown. */
    share: (number | null)[];
    threads: (number | null)[];
    status: string[];
  }[];
}

export const differences = (values: readonly number[]): number[] =>
  values.map((value, index) => value - (values[index - 1] ?? 0));
export function sums(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

export const getIdentity = ({ pid, name, command, user, started_at: startedAt }: ProcessPart): Identity => [
  pid,
  name,
  command,
  user,
  startedAt,
];
const scaled = (value: number | null, factor: number): number | null =>
  value === null ? null : Math.round(value * factor);

/** Binary digits that the memory of a process keeps: what is lost is below 0.1 %, and a sixth of the disk is saved. */
const MEMORY_DIGITS = 10;
/** Returns whole KB, above 1 MB to ten binary digits. */
function kilobytesOf(bytes: number): number {
  const kilobytes = Math.round(bytes / 1024);
  const step = 2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, kilobytes))) - MEMORY_DIGITS + 1);
  return Math.round(kilobytes / step) * step;
}

/** Returns the block of these lists, in order of time, each time once. */
function blockOf(lists: readonly ProcessList[]): ProcessBlock {
  const byTime = new Map(lists.map((list) => [Math.round(list.at), list]));
  const ordered = [...byTime].map(([at, { processes }]) => ({ at, processes })).toSorted((a, b) => a.at - b.at);
  const seen = new Map<string, { is: Identity; at: number[]; parts: ProcessPart[] }>();
  for (const [index, { processes }] of ordered.entries())
    for (const part of processes) {
      const is = getIdentity(part);
      const key = JSON.stringify(is);
      const known = seen.get(key) ?? { is, at: [], parts: [] };
      seen.set(key, known);
      known.at.push(index);
      known.parts.push(part);
    }
  return {
    v: 1,
    times: differences(ordered.map(({ at }) => at)),
    processes: [...seen.values()].map(({ is, at, parts }) => ({
      is,
      seen: differences(at),
      cpu: parts.map(({ cpu_percent: cpu }) => scaled(cpu, 10)),
      memory: differences(parts.map(({ memory_bytes: bytes }) => kilobytesOf(bytes))),
      share: parts.map(({ memory_percent: share }) => scaled(share, 100)),
      threads: parts.map(({ threads }) => threads),
      status: parts.map(({ status }) => status),
    })),
  };
}

/** Returns the lists of a block, oldest first. `isWanted` leaves out lists before their processes are made. */
function listsOfBlock(
  { times, processes }: ProcessBlock,
  isWanted: (at: number) => boolean = () => true,
): ProcessList[] {
  const lists = sums(times).map((at): ProcessList | null => (isWanted(at) ? { at, processes: [] } : null));
  for (const { is, seen, cpu, memory, share, threads, status } of processes) {
    const [pid, name, command, user, startedAt] = is;
    const kilobytes = sums(memory);
    for (const [place, index] of sums(seen).entries()) {
      const [percent, part] = [cpu[place] ?? null, share[place] ?? null];
      lists[index]?.processes.push({
        pid,
        name,
        command,
        user,
        started_at: startedAt,
        status: status[place] ?? '',
        cpu_percent: percent === null ? null : percent / 10,
        memory_percent: part === null ? null : part / 100,
        memory_bytes: (kilobytes[place] ?? 0) * 1024,
        threads: threads[place] ?? null,
      });
    }
  }
  return lists.filter((list) => list !== null);
}

/** 6 % smaller than the default, for some 5 ms of CPU per server and hour. */
const COMPRESSION_LEVEL = 9;
/** Returns a value as compressed JSON. */
export const compressed = (value: unknown): Buffer =>
  zstdCompressSync(JSON.stringify(value), { params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL } });
/** Returns the value of compressed JSON. */
export const uncompressed = (bytes: Buffer): unknown => JSON.parse(zstdDecompressSync(bytes).toString());

/** Returns the lists as one compressed block. */
export const packed = (lists: readonly ProcessList[]): Buffer => compressed(blockOf(lists));
/** Returns the lists of a compressed block, oldest first. */
export const unpacked = (bytes: Buffer): ProcessList[] => listsOfBlock(uncompressed(bytes) as ProcessBlock);

/** Returns the list of a block that is nearest to the moment (ms), of two equally near the earlier; null: it is empty. */
export function nearestOfBlock(bytes: Buffer, moment: number): ProcessList | null {
  const block = uncompressed(bytes) as ProcessBlock;
  const nearest = nearestTo(moment, sums(block.times));
  return listsOfBlock(block, (at) => at === nearest)[0] ?? null;
}
/** Returns the time nearest to the moment, of two equally near the earlier; undefined without any. Times ascend. */
const nearestTo = (moment: number, times: readonly number[]): number | undefined =>
  times.reduce<number | undefined>(
    (best, at) => (best === undefined || Math.abs(at - moment) < Math.abs(best - moment) ? at : best),
    undefined,
  );

/** Processes of a list by CPU, and by memory: as many of each. */
const GREEDIEST = 10;

const byCpu = (a: ProcessPart, b: ProcessPart): number => (b.cpu_percent ?? 0) - (a.cpu_percent ?? 0);
const byMemory = (a: ProcessPart, b: ProcessPart): number => b.memory_bytes - a.memory_bytes;

/** Returns the top by CPU and the top by memory together, each process once. */
export const greediest = (processes: readonly ProcessPart[]): ProcessPart[] => {
  const top = [byCpu, byMemory].flatMap((order) => processes.toSorted(order).slice(0, GREEDIEST));
  return [...new Map(top.map((part) => [part.pid, part])).values()];
};
