import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { ProcessList } from './process-block.ts';

interface ProcessHistoryPoint {
  /** Start of the bucket, epoch ms. */
  at: number;
  /** Per cent of one core, all matching processes together; null when none was among the greediest. */
  cpuPercent: number | null;
  memoryBytes: number | null;
  /** The most matching processes at once. */
  processes: number;
}
export interface ProcessHistory {
  stepMs: number;
  points: ProcessHistoryPoint[];
  /** When each of the processes started, epoch seconds, oldest first. */
  starts: number[];
}

/** Points of a history at most. */
const MOST_POINTS = 400;

/** Returns the command line, or the name of a process that has none, such as a kernel thread. */
const commandOf = ({ command, name }: Pick<ProcessPart, 'command' | 'name'>): string => command || name;

const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};
const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  const sum = sumOf(known);
  return sum === null ? null : sum / known.length;
};

/**
 * Returns the figures of one command over time, across its restarts, or of one process when `pid` is given. A bucket has
 * the mean of its lists; a bucket without any list is absent.
 */
export function processHistory(
  lists: readonly ProcessList[],
  wanted: { command: string; pid?: number | undefined },
  range: { from: number; to: number; leastStepMs: number },
): ProcessHistory {
  const { from, to, leastStepMs } = range;
  const stepMs = Math.max(1, Math.ceil((to - from) / MOST_POINTS / leastStepMs)) * leastStepMs;
  const buckets = new Map<number, ProcessPart[][]>();
  const starts = new Set<number>();
  for (const { at, processes } of lists) {
    const found = processes.filter(
      (each) => commandOf(each) === wanted.command && (wanted.pid ?? each.pid) === each.pid,
    );
    for (const { started_at: startedAt } of found) starts.add(startedAt);
    const bucket = Math.floor(at / stepMs) * stepMs;
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), found]);
  }
  return {
    stepMs,
    starts: [...starts].toSorted((a, b) => a - b),
    points: [...buckets].map(([at, seen]) => {
      const present = seen.filter((each) => each.length > 0);
      return {
        at,
        cpuPercent: meanOf(present.map((each) => sumOf(each.map(({ cpu_percent: cpu }) => cpu)))),
        memoryBytes: meanOf(present.map((each) => sumOf(each.map(({ memory_bytes: bytes }) => bytes)))),
        processes: Math.max(0, ...seen.map((each) => each.length)),
      };
    }),
  };
}
