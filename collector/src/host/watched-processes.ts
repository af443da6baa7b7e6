import type { WatchedProcessPart } from '@plimsoll/contract/wire/container-part';
import type { ProcessSeen } from './tables/process-list.ts';
import type { Source } from '../source.ts';

/** The kernel keeps this many bytes of a process name (TASK_COMM_LEN − 1). */
const NAME_BYTES = 15;

/**
 * Counts the processes of each watched name in the last reading of all processes. `hiddenReason` returns why this user
 * cannot see every process: then a name without a process is not known to be absent, so it is left out.
 */
export function watchedProcessSource(
  names: readonly string[],
  seen: () => readonly ProcessSeen[],
  hiddenReason: () => string | null,
): Source {
  return {
    name: 'watched-processes',
    read: async () => {
      const all = seen();
      // The collector itself is one, so an empty list was not read.
      if (all.length === 0) throw new Error('the source processes read nothing');
      const counts = countByName(all);
      const watched = names.map((name): WatchedProcessPart => ({ name, running: runningOf(name, counts) }));
      const reason = watched.some(({ running }) => running === 0) ? hiddenReason() : null;
      if (reason === null) return { part: { watched_processes: watched } };
      return { part: { watched_processes: watched.filter(({ running }) => running > 0) }, note: reason };
    },
  };
}

function countByName(all: readonly ProcessSeen[]): Map<string, number> {
  const counts = new Map<string, number>();
  // A zombie has ended: only its parent did not notice yet.
  for (const { name, state } of all) if (state !== 'Z' && state !== 'X') counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** A long name counts under the bytes that the kernel keeps, too. */
function runningOf(name: string, counts: ReadonlyMap<string, number>): number {
  const whole = counts.get(name) ?? 0;
  const bytes = Buffer.from(name);
  if (bytes.length <= NAME_BYTES) return whole;
  return whole + (counts.get(bytes.toString('utf8', 0, NAME_BYTES)) ?? 0);
}
