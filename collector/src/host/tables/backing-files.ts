import { filesystemKind } from '@plimsoll/contract/rules/machines/filesystem-kinds';
import type { Mount } from '@plimsoll/contract/rules/machines/filesystems';
import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../../runtime/files.ts';

/**
 * Marks filesystems whose blocks are in a file, so that sums count them with the filesystem that holds the file. `places`
 * are all mounts, in the order of the table.
 */
export function withBackingFiles(
  files: Files,
  places: readonly Mount[],
  parts: readonly FilesystemPart[],
): FilesystemPart[] {
  return parts.map((part) => {
    const path = backingFile(files, blockDevice(part.device, places));
    if (path === null) return part;
    const others = parts.filter((one) => one !== part);
    const holder = holderOf(files, path, places, others);
    return holder === undefined ? part : { ...part, part_of: holder.device };
  });
}

/** Returns the name of a block device, which may have a file below it; null if it is no block device. */
function blockDevice(device: string, places: readonly Mount[]): string | null {
  const name = /^\/dev\/(p?loop\d+(?:p\d+)?)$/.exec(device)?.[1];
  if (name !== undefined) return name;
  if (!device.startsWith('/dev/mapper/')) return null;
  // The minor number of a device of device mapper is in its name.
  const minor = places.find((place) => place.device === device)?.number?.split(':')[1];
  return minor === undefined ? null : `dm-${minor}`;
}

/** A container of Docker lies on a thin pool, and that on a loop device. */
const MOST_LAYERS = 6;

/**
 * Path of the file that holds the blocks: of a loop device, of ploop (Virtuozzo), or of the loop devices below dm-crypt or
 * a thin pool. Null: a disk holds them.
 */
function backingFile(files: Files, block: string | null, layer = 0): string | null {
  const [, name, kind] = /^((p?loop|dm-)\d+)(?:p\d+)?$/.exec(block ?? '') ?? [];
  if (name === undefined || layer > MOST_LAYERS) return null;
  if (kind === 'loop') return textOf(files, `sys/block/${name}/loop/backing_file`);
  if (kind === 'ploop') return textOf(files, `sys/block/${name}/pdelta/0/image`);
  const below = files.list(`sys/block/${name}/slaves`).map((one) => backingFile(files, one, layer + 1));
  return below.includes(null) ? null : (below[0] ?? null);
}

const textOf = (files: Files, path: string): string | null => files.optional(path)?.trimEnd() ?? null;

/**
 * Finds the filesystem that holds a file; undefined if it is on another machine. A layer over several filesystems (mergerfs,
 * shfs of Unraid) is not listed: one of them has the file at the same path.
 */
function holderOf(
  files: Files,
  path: string,
  places: readonly Mount[],
  parts: readonly FilesystemPart[],
): FilesystemPart | undefined {
  const [place] = nearestAbove(places, path);
  const direct = parts.find(({ device }) => device === place?.device);
  if (place === undefined || direct !== undefined) return direct;
  if (filesystemKind(place) === 'network' && !place.type.startsWith('fuse')) return undefined;
  const within = place.mount === '/' ? path : path.slice(place.mount.length);
  const branch = parts.find(({ mount }) => mount !== '/' && files.stat(`${mount}${within}`.slice(1)) !== null);
  return branch ?? nearestAbove(parts, path)[0];
}

/** Returns the mounts above a path, the nearest first. */
const nearestAbove = <T extends { mount: string }>(mounts: readonly T[], path: string): T[] =>
  mounts
    .toReversed()
    .filter(({ mount }) => path.startsWith(mount === '/' ? '/' : `${mount}/`))
    .toSorted((a, b) => b.mount.length - a.mount.length);
