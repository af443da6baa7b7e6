import type { Files } from '../../runtime/files.ts';

/** Which process holds which socket. */
export interface SocketOwners {
  /** Fills in the owners of these inodes; those it cannot find stay unknown. */
  find(inodes: readonly number[]): ReadonlyMap<number, number>;
  /** True when descriptors of other users' processes could not be read. */
  readonly limited: boolean;
}

/** Descriptors looked at in one collection, some microseconds each; what is not found by then is sought next time. */
const DESCRIPTORS_PER_FIND = 2000;

/** Reads descriptors only for sockets that are to be sent and are not known yet; owners of old ones are asked first. */
export function socketOwners(files: Files, most: number = DESCRIPTORS_PER_FIND): SocketOwners {
  let known = new Map<number, number>();
  let limited = false;
  /** End of the last search; the next goes on below it. */
  let below = Infinity;
  return {
    get limited() {
      return limited;
    },
    find: (inodes) => {
      const wanted = new Set(inodes.filter((inode) => inode > 0 && !known.has(inode)));
      const kept = new Map(inodes.flatMap((inode) => (known.has(inode) ? [[inode, known.get(inode) ?? -1]] : [])));
      if (wanted.size > 0) {
        const whole = below === Infinity;
        const { denied, stoppedAt } = search(files, wanted, new Set(known.values()), kept, { most, below });
        limited = denied;
        below = stoppedAt ?? Infinity;
        // Sought everywhere and not found: a socket we may not see would cost the same every minute.
        if (whole && stoppedAt === null) for (const inode of wanted) kept.set(inode, -1);
      }
      known = kept;
      return known;
    },
  };
}

/** Moves what it finds from `wanted` to `found`. Young processes first: a new socket is mostly one of theirs. */
function search(
  files: Files,
  wanted: Set<number>,
  first: Set<number>,
  found: Map<number, number>,
  { most, below }: { most: number; below: number },
): { denied: boolean; stoppedAt: number | null } {
  const pids = Float64Array.from(
    files
      .list('proc')
      .map(Number)
      .filter((pid) => pid > 0 && pid < below && !first.has(pid)),
  );
  let left = most;
  let denied = false;
  // Sorted as numbers without a call for each comparison: a host may have thousands.
  for (const pid of [...first, ...pids.toSorted().toReversed()]) {
    if (wanted.size === 0) break;
    if (pid <= 0) continue;
    if (left <= 0 && !first.has(pid)) return { denied, stoppedAt: pid + 1 };
    const descriptors = files.list(`proc/${pid}/fd`);
    denied ||= descriptors.length === 0;
    // Known owners are few and are asked every time; the rest share what may be spent.
    if (!first.has(pid)) left -= descriptors.length + 1;
    for (const descriptor of descriptors) {
      const inode = socketInode(files.link(`proc/${pid}/fd/${descriptor}`));
      if (wanted.delete(inode)) found.set(inode, pid);
    }
  }
  return { denied: denied && wanted.size > 0, stoppedAt: null };
}

/** "socket:[123]" → 123; 0 for anything else. */
function socketInode(link: string | null): number {
  return link?.startsWith('socket:[') ? Number(link.slice(8, -1)) : 0;
}
