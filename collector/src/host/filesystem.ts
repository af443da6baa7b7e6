import { errorText } from '@plimsoll/contract/rules/error-text';
import { filesystemKind } from '@plimsoll/contract/rules/machines/filesystem-kinds';
import { countedMounts, mergeFilesystems, poolOf, type Mount } from '@plimsoll/contract/rules/machines/filesystems';
import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Space, StatSpace } from './filesystem-space.ts';
import type { Source } from '../source.ts';
import { withBackingFiles } from './tables/backing-files.ts';
import {
  areOtherDevices,
  lastAtEachPlace,
  parseMountinfo,
  parseMounts,
  reachable,
  refusingWrites,
  writableInFstab,
} from './tables/mounts.ts';

/**
 * Space and inodes of each local filesystem that can be written, one entry each. A pool of ZFS is one entry.
 * `isContainer`: pools belong to the host, so their unseen volumes are no matter of this machine.
 */
export function filesystemSource(files: Files, statSpace: StatSpace, isContainer = false): Source {
  return {
    name: 'filesystem',
    instant: true,
    read: async () => {
      const table = readTable(files);
      const mounts = countedMounts(table.mounts);
      const { part, failed } = await measureFilesystems(mounts, statSpace);
      if (part.length === 0 && failed.length > 0) throw new Error(failed.join('; '));
      const notes = [...failed, ...(isContainer ? [] : unseenVolumes(files, mounts))];
      const filesystems = withBackingFiles(files, table.places, mergeFilesystems(part));
      return { part: { filesystems }, ...(notes.length > 0 ? { note: notes.join('; ') } : {}) };
    },
  };
}

/**
 * Returns the mounts whose paths lead to them. mountinfo has what decides: the number of the filesystem and its own
 * "ro". /proc/mounts is read where the kernel has no mountinfo.
 */
function readTable(files: Files): MountTable {
  const text = files.optional('proc/self/mountinfo');
  if (text === null) {
    const places = lastAtEachPlace(parseMounts(files.text('proc/mounts')));
    return { mounts: markFaults(files, places, new Set()), places };
  }
  const lines = parseMountinfo(text);
  const isReachable = reachable(lines);
  const mounts = lines.filter((line) => filesystemKind(line) === 'local' && isReachable(line));
  return { mounts: markFaults(files, mounts, refusingWrites(lines)), places: lines };
}

interface MountTable {
  /** Local ones that their path leads to. */
  mounts: readonly Mount[];
  /** Every mount, in the order of the table. */
  places: readonly Mount[];
}

/**
 * Marks filesystems that should be writable and are not. A sandbox makes all its mounts read-only, so the mounts of the
 * first process decide too, and /etc/fstab after them. `faults` holds the numbers of known ones.
 */
function markFaults(files: Files, mounts: readonly Mount[], faults: ReadonlySet<string>): Mount[] {
  const isKnown = ({ number, becameReadOnly }: Mount): boolean => becameReadOnly === true || faults.has(number ?? '');
  const isReadOnly = (mount: Mount): boolean => mount.isReadOnly === true && filesystemKind(mount) === 'local';
  const isOpen = (mount: Mount): boolean => isReadOnly(mount) && !isKnown(mount) && !CHOSEN_READ_ONLY.has(mount.type);
  const needsMore = mounts.some(isOpen);
  const others = needsMore ? refusingWrites(parseMountinfo(files.optional('proc/1/mountinfo') ?? '')) : null;
  const writable = needsMore ? writableInFstab(files.optional('etc/fstab') ?? '') : null;
  const isWanted = ({ mount, device }: Mount): boolean => {
    const wanted = writable?.get(mount);
    return wanted !== undefined && !areOtherDevices(wanted, device);
  };
  return mounts.map((mount) => {
    const isFault = isKnown(mount) || (isOpen(mount) && (others?.has(mount.number ?? '') === true || isWanted(mount)));
    return { ...mount, becameReadOnly: isFault && !CHOSEN_READ_ONLY.has(mount.type) };
  });
}

/**
 * These are read-only by choice: an overlay without an upper layer, and a dataset or a pool with readonly=on. A target of
 * Lustre says so although its server writes.
 */
const CHOSEN_READ_ONLY = new Set(['aufs', 'lustre', 'overlay', 'overlayfs', 'unionfs', 'zfs']);

/** Measures one mount after the other. One that does not answer is named and left out, with its pool. */
export async function measureFilesystems(
  mounts: readonly Mount[],
  statSpace: StatSpace,
): Promise<{ part: FilesystemPart[]; failed: string[] }> {
  const part: FilesystemPart[] = [];
  const failed: string[] = [];
  const hanging = new Set<string>();
  for (const mount of mounts) {
    const pool = mount.type === 'zfs' ? poolOf(mount.device) : null;
    if (pool !== null && hanging.has(pool)) continue;
    try {
      const space = await statSpace(mount.mount);
      if (space.sizeBytes > 0) part.push(shapeFilesystem(mount, requirePossible(space)));
    } catch (error) {
      const reason = errorText(error);
      failed.push(`${mount.mount}: ${reason}`);
      if (pool !== null && reason.startsWith('mount does not answer')) hanging.add(pool);
    }
  }
  return { part: part.filter(({ type, device }) => type !== 'zfs' || !hanging.has(poolOf(device))), failed };
}

/**
 * Names the pools of ZFS whose use is not all in the mount table: disks of virtual machines (zvols) are no mounts. The
 * kernel has one kstat for each dataset or volume in use.
 */
function unseenVolumes(files: Files, mounts: readonly Mount[]): string[] {
  const mounted = new Map<string, number>();
  for (const { type, device } of mounts)
    if (type === 'zfs') mounted.set(poolOf(device), (mounted.get(poolOf(device)) ?? 0) + 1);
  return [...mounted].flatMap(([pool, count]) => {
    const inUse = files.list(`proc/spl/kstat/zfs/${pool}`).filter((name) => name.startsWith('objset-')).length;
    if (inUse > 0 && inUse <= count) return [];
    const unseen = inUse > 0 ? 'volumes (zvols) or datasets that are not mounted here' : 'volumes (zvols)';
    return [`${pool}: the space of its ${unseen} cannot be seen and is not counted`];
  });
}

/**
 * Throws for a size that no filesystem has: some drivers report 2^63 blocks for "no limit", and damaged counters more free
 * blocks than there are.
 */
function requirePossible(space: Space): Space {
  const { sizeBytes, freeBytes, availableBytes } = space;
  const isWithin = freeBytes <= sizeBytes && availableBytes <= sizeBytes;
  if (!isWithin || ![sizeBytes, freeBytes, availableBytes].every(isPossible))
    throw new Error('reports an impossible size');
  return space;
}
const isPossible = (value: number): boolean => value >= 0 && value <= Number.MAX_SAFE_INTEGER;

/** btrfs and some others have no fixed number of inodes: 0 there means "no such figure". */
export function shapeFilesystem({ device, mount, type, becameReadOnly }: Mount, space: Space): FilesystemPart {
  const hasInodes = space.inodes > 0 && isPossible(space.inodes) && isPossible(space.inodesFree);
  return {
    device,
    mount,
    type,
    size_bytes: space.sizeBytes,
    used_bytes: Math.max(0, space.sizeBytes - space.freeBytes),
    available_bytes: space.availableBytes,
    inodes_total: hasInodes ? space.inodes : null,
    inodes_used: hasInodes ? Math.max(0, space.inodes - space.inodesFree) : null,
    ...(becameReadOnly === true ? { became_read_only: true } : {}),
  };
}
