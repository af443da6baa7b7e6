import type { FilesystemPart } from '../../wire/report.ts';
import { filesystemKind, isLayeredRoot, type NamedFilesystem } from './filesystem-kinds.ts';

/** Chooses the filesystems of a report from the mounts of a machine, so that every block is counted once. */

export interface Mount extends NamedFilesystem {
  /** Device number of the filesystem ("8:1"), equal for all its mounts. Absent: the agent does not send it. */
  number?: string;
  /** Path within the filesystem that is mounted; "/" is all of it. */
  root?: string;
  /** It was mounted for writing, and the kernel refuses writes now. */
  becameReadOnly?: boolean;
}

/** Sealed system and data are two volumes of one container; data is what fills. */
const MAC_DATA = '/System/Volumes/Data';
/** Volumes that macOS keeps for itself, some of them in small containers of their own. */
const MAC_INTERNAL = /^(?:\/System\/Volumes\/|\/private\/var\/vm$)/;
const APFS_CONTAINER = /\/dev\/(disk\d+)s\d/;
/** Containers and sandboxes mount single files and folders here. */
const BORROWED = /^\/(?:dev|etc|proc|run|sys)(?:\/|$)/;

const isZfs = ({ type }: { type: string }): boolean => type.toLowerCase() === 'zfs';
/** Returns true for a snapshot ("tank/home@monday"), which ZFS mounts while someone looks into it. The dataset has its blocks. */
const isSnapshot = (mount: Mount): boolean => isZfs(mount) && mount.device.includes('@');
/** Returns the pool of a dataset. */
export const poolOf = (dataset: string): string => dataset.split('/', 1)[0] ?? dataset;

/** Identifies the filesystem of a mount. A dataset of ZFS is one; mergeFilesystems makes pools of them. */
function filesystemOf({ device, mount, type, number }: Mount): string {
  if (isZfs({ type })) return `zfs ${device}`;
  const container = type.toLowerCase() === 'apfs' ? APFS_CONTAINER.exec(device)?.[1] : undefined;
  if (container !== undefined) return container;
  return number ?? (device === '' || device === 'none' ? mount : device);
}

/** Returns the place of a mount among those of one filesystem: a reader looks for the first. */
function rankOf({ mount, root }: Mount): number {
  if (mount === MAC_DATA) return 0;
  if (mount === '/') return 1;
  if (BORROWED.test(mount)) return 4;
  return root === '/' ? 2 : 3;
}
const byRank = (a: Mount, b: Mount): number => rankOf(a) - rankOf(b) || a.mount.length - b.mount.length;

function isListed(mounts: readonly Mount[], isPoolReadOnly: (device: string) => boolean): boolean {
  if (mounts.every(({ mount, type }) => isMacInternal(mount, type))) return false;
  if (mounts.some(({ becameReadOnly }) => becameReadOnly === true)) return true;
  // The sealed system is read-only, but its container is not.
  if (mounts.some(({ mount, type }) => mount === '/' && type.toLowerCase() === 'apfs')) return true;
  const [first] = mounts;
  if (first !== undefined && isZfs(first)) return !isPoolReadOnly(first.device);
  // The kernel calls a target of Lustre read-only, which only its server writes.
  return mounts.some(({ isReadOnly, type }) => isReadOnly !== true || type.toLowerCase() === 'lustre');
}
const isMacInternal = (mount: string, type: string): boolean =>
  type.toLowerCase() === 'apfs' && mount !== MAC_DATA && MAC_INTERNAL.test(mount);

/**
 * Returns one mount of each filesystem that can fill: no image, none of another machine, none that shows the space of
 * another, and none that nobody can write, except one that became read-only. Datasets of ZFS are all returned, because
 * their use adds up to that of the pool.
 */
export function countedMounts(mounts: readonly Mount[]): Mount[] {
  const groups = new Map<string, Mount[]>();
  const writablePools = new Set<string>();
  for (const mount of mounts) {
    if (filesystemKind(mount) !== 'local' || isSnapshot(mount)) continue;
    const key = filesystemOf(mount);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [mount]);
    else group.push(mount);
    if (isZfs(mount) && mount.isReadOnly !== true) writablePools.add(poolOf(mount.device));
  }
  const isPoolReadOnly = (device: string): boolean => !writablePools.has(poolOf(device));
  return [...groups.values()].flatMap((group) => {
    if (!isListed(group, isPoolReadOnly)) return [];
    const [first] = group.toSorted(byRank);
    if (first === undefined) return [];
    return [group.some(({ becameReadOnly }) => becameReadOnly === true) ? { ...first, becameReadOnly: true } : first];
  });
}

/** Returns the list of a report: datasets become pools, and what is covered or lies below a layered root goes. */
export const mergeFilesystems = (parts: readonly FilesystemPart[]): FilesystemPart[] =>
  mergePools(withoutBelowRoot(withoutCovered(parts)));

/** Leaves out a covered mount. Its path leads to the mount above it, so an agent sends the same figures for both. */
function withoutCovered(parts: readonly FilesystemPart[]): readonly FilesystemPart[] {
  const last = new Map(parts.map((part) => [part.mount, part]));
  return last.size === parts.length ? parts : parts.filter((part) => last.get(part.mount) === part);
}

/** Part of the size by which two readings of one filesystem may differ, because programs write in between. */
const SAME_SPACE = 0.001;

/** Leaves out the disk below the root of a container, which sees it again where single files are mounted (/etc/hosts). */
function withoutBelowRoot(parts: readonly FilesystemPart[]): readonly FilesystemPart[] {
  const root = parts.find(isLayeredRoot);
  if (root === undefined) return parts;
  const isBelow = (one: FilesystemPart): boolean =>
    one.size_bytes === root.size_bytes &&
    Math.abs(one.used_bytes - root.used_bytes) <= root.size_bytes * SAME_SPACE &&
    Math.abs(one.available_bytes - root.available_bytes) <= root.size_bytes * SAME_SPACE;
  return parts.filter((one) => one === root || !isBelow(one));
}

/** A pool, or a dataset with a quota and what is below it. */
interface Entry {
  /** The dataset that has the quota; the name of the pool. */
  name: string;
  above: Entry | null;
  available: number;
  used: number;
  datasets: FilesystemPart[];
}

function mergePools(parts: readonly FilesystemPart[]): FilesystemPart[] {
  const pools = new Map<string, FilesystemPart[]>();
  for (const part of parts)
    if (isZfs(part)) pools.set(poolOf(part.device), [...(pools.get(poolOf(part.device)) ?? []), part]);
  const merged = new Set<string>();
  return parts.flatMap((part) => {
    if (!isZfs(part)) return [part];
    const pool = poolOf(part.device);
    if (merged.has(pool)) return [];
    merged.add(pool);
    return listPool(pool, pools.get(pool) ?? []);
  });
}

/** ZFS makes inodes on demand, so their total is no limit. */
const WITHOUT_INODES = { inodes_total: null, inodes_used: null } as const;

/**
 * Lists a pool and its datasets with a quota. statfs(2) of a dataset has its own use, beside what the pool or the nearest
 * quota leaves. The use of all datasets together is that of the pool, without snapshots and volumes (zvols).
 */
function listPool(pool: string, datasets: readonly FilesystemPart[]): FilesystemPart[] {
  const [first] = datasets;
  if (datasets.length === 1 && first !== undefined) return [{ ...first, ...WITHOUT_INODES }];
  return entriesOf(pool, datasets).map(({ above, available, used, datasets: own, name }) => {
    const shown =
      own.find(({ mount }) => mount === '/') ?? own.find(({ device }) => device === name) ?? own.toSorted(byRank)[0];
    return {
      mount: shown?.mount ?? '',
      device: name,
      type: shown?.type ?? 'zfs',
      size_bytes: used + available,
      used_bytes: used,
      available_bytes: available,
      ...WITHOUT_INODES,
      ...(above === null ? {} : { part_of: above.name }),
    };
  });
}

/** Returns the pool first, then the datasets with a quota. */
function entriesOf(pool: string, datasets: readonly FilesystemPart[]): Entry[] {
  const whole = wholePool(pool, datasets);
  const entries = whole === null ? [] : [whole];
  const entryOf = new Map(entries.map((entry) => [pool, entry]));
  for (const dataset of datasets.toSorted((a, b) => (a.device < b.device ? -1 : 1))) {
    const { device, available_bytes: available } = dataset;
    const above = nearestAbove(entryOf, device);
    const isWithin = above !== null && hasSameLeft(available, above.available);
    const entry = isWithin ? above : { name: device, above, available, used: 0, datasets: [] };
    if (!isWithin) entries.push(entry);
    entryOf.set(device, entry);
    entry.datasets.push(dataset);
    for (let each: Entry | null = entry; each !== null; each = each.above) each.used += dataset.used_bytes;
  }
  return entries;
}

/**
 * Returns what is left of a pool: what its own dataset has left, or several others alike. Null: only quotas are seen, as
 * in a container that has a dataset for each of its mounts.
 */
function wholePool(pool: string, datasets: readonly FilesystemPart[]): Entry | null {
  const own = datasets.find(({ device }) => device === pool)?.available_bytes;
  const available = own ?? Math.max(...datasets.map((one) => one.available_bytes));
  const alike = datasets.filter((one) => hasSameLeft(one.available_bytes, available)).length;
  return own === undefined && alike < 2 ? null : { name: pool, above: null, available, used: 0, datasets: [] };
}

function nearestAbove(known: ReadonlyMap<string, Entry>, device: string): Entry | null {
  for (let end = device.length; end > 0; end = device.lastIndexOf('/', end - 1)) {
    const entry = known.get(device.slice(0, end));
    if (entry !== undefined) return entry;
  }
  return null;
}

const LEAST_DIFFERENCE_BYTES = 64 * 2 ** 20;
/** Returns false if a dataset has so much less left than what holds it that a quota is the reason. */
const hasSameLeft = (left: number, above: number): boolean =>
  left >= above - Math.max(above / 100, LEAST_DIFFERENCE_BYTES);
