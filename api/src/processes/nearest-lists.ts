import type { ProcessPart } from '@plimsoll/contract/wire/report';
import type { ProcessList } from './process-block.ts';
import type { ProcessSnapshot } from './types.ts';

const byCpu = (a: ProcessPart, b: ProcessPart): number =>
  (b.cpu_percent ?? -1) - (a.cpu_percent ?? -1) || b.memory_bytes - a.memory_bytes || a.pid - b.pid;

/**
 * Returns the newest list at or before the moment and the time of the next one. Of two lists of one time, the snapshot is
 * longer. Minutes are in order of time; times are ms.
 */
export function nearestLists(
  moment: number,
  minutes: readonly ProcessList[],
  known: { snapshot: ProcessSnapshot | null; nextAt: number | null },
): { found: ProcessSnapshot | null; nextAt: number | null } {
  const before = minutes.findLast(({ at }) => at <= moment);
  const after = minutes.find(({ at }) => at > moment)?.at ?? Infinity;
  const nextAt = Math.min(after, known.nextAt ?? Infinity);
  const isNewer = before !== undefined && Math.round(before.at) > Math.round(known.snapshot?.sampleAt ?? 0);
  return {
    found: isNewer
      ? { sampleAt: before.at, list: 'minute', processes: before.processes.toSorted(byCpu) }
      : known.snapshot,
    nextAt: Number.isFinite(nextAt) ? nextAt : null,
  };
}
