import { getHeapStatistics } from 'node:v8';

const EVERY_MS = 60_000;
/** Below this share of one core the process counts as idle: a viewer's polling takes several times as much. */
const IDLE_CPU = 0.01;
/** A collection takes 1 ms for each MB of heap, and all else waits. */
const LARGEST_HEAP = 128 * 2 ** 20;
/** Less than this is not worth a collection. */
const WORTHWHILE = 4 * 2 ** 20;

interface Minute {
  /** Share of one core, from 0. */
  cpu: number;
  /** Bytes of V8's heap, now and after the last collection of this module. */
  heap: number;
  heapAfterLast: number;
}

/** Returns true if a full collection gives memory back and disturbs nobody. */
export const isTimeToCollect = ({ cpu, heap, heapAfterLast }: Minute): boolean =>
  cpu < IDLE_CPU && heap <= LARGEST_HEAP && heap - heapAfterLast >= WORTHWHILE;

const heapBytes = (): number => getHeapStatistics().total_heap_size;

/**
 * Gives the memory of a start, or of a viewer who left, back to the system. V8 collects when it allocates, so an idle
 * process keeps 7 MB of what its start needed. Needs `--expose-gc`; without it nothing happens.
 */
export function giveMemoryBack(): void {
  const { gc } = globalThis;
  if (gc === undefined) return;
  let heapAfterLast = 0;
  let used = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(used);
    used = process.cpuUsage();
    if (!isTimeToCollect({ cpu: (user + system) / 1000 / EVERY_MS, heap: heapBytes(), heapAfterLast })) return;
    gc({ type: 'major', flavor: 'last-resort', execution: 'sync' });
    heapAfterLast = heapBytes();
  }, EVERY_MS).unref();
}
