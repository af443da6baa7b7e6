import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';

/** Identifies one run of a container at one reading. */
export interface Run {
  /** Inode of its control group, which is a new one after each start; null: not known. */
  inode: number | null;
  /** Restarts as the runtime counts them; null: not known. */
  counted: number | null;
}

interface Remembered extends Run {
  /** Seconds since boot. */
  seenAt: number;
  /** When restarts were seen, seconds since boot, the oldest first. */
  restarts: number[];
}

/** More restarts than this in an hour are a loop anyway. */
const MOST_RESTARTS = 200;
const MOST_CONTAINERS = 1000;

/**
 * Counts the restarts of each container in the last hour. The count of the runtime is used where there is one: it holds
 * the restarts between two readings and leaves out those by hand. Else a new control group of the same container is one.
 */
export class RestartMemory {
  #known = new Map<string, Remembered>();

  /** Notes a reading and returns the restarts of the last hour. `up`: seconds since boot. */
  note(key: string, run: Run, up: number): number {
    const before = this.#known.get(key);
    const since = up - HOUR_SECONDS;
    const restarts = (before?.restarts ?? []).filter((at) => at > since);
    const more = before ? Math.min(restartsBetween(before, run), MOST_RESTARTS - restarts.length) : 0;
    for (let index = 0; index < more; index += 1) restarts.push(up);
    // The newest entry goes last, so the first are those that were not seen for longest.
    this.#known.delete(key);
    this.#known.set(key, {
      inode: run.inode ?? before?.inode ?? null,
      counted: run.counted ?? before?.counted ?? null,
      seenAt: up,
      restarts,
    });
    return restarts.length;
  }

  /** Forgets containers that are gone for an hour, so that the memory does not grow for ever. */
  forget(up: number): void {
    for (const [key, { seenAt }] of this.#known) {
      if (seenAt > up - HOUR_SECONDS && this.#known.size <= MOST_CONTAINERS) break;
      this.#known.delete(key);
    }
  }
}

function restartsBetween(before: Run, now: Run): number {
  if (before.counted !== null && now.counted !== null) return Math.max(0, now.counted - before.counted);
  return before.inode !== null && now.inode !== null && before.inode !== now.inode ? 1 : 0;
}
