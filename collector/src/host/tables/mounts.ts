import type { Mount } from '@plimsoll/contract/rules/machines/filesystems';

/** Parsers of the mount tables of the kernel. Blanks in names are octal escapes there (getmntent(3)). */

/** A line of mountinfo (proc(5)). */
export interface MountLine extends Mount {
  id: string;
  parent: string;
  number: string;
  root: string;
  /** The mount itself is read-only. A sandbox makes its own mounts so, although others write. */
  isMountReadOnly: boolean;
}

const unescapeOctal = (text: string): string =>
  text.includes('\\')
    ? text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    : text;

/** ext4 sets these when it stops writing (fs/ext4/super.c). */
const STOPPED = ['emergency_ro', 'shutdown'];
const hasStopped = (options: readonly string[]): boolean => STOPPED.some((option) => options.includes(option));

/** Text of /proc/self/mountinfo. A line that is cut is left out. */
export function parseMountinfo(text: string): MountLine[] {
  const lines: MountLine[] = [];
  for (const line of text.split('\n')) {
    const [head = '', tail] = line.split(' - ', 2);
    const [id, parent, number, root, mount, options] = head.split(' ');
    const [type, device, superOptions] = tail?.split(' ') ?? [];
    if (id === undefined || parent === undefined || number === undefined || root === undefined) continue;
    if (mount === undefined || options === undefined || superOptions === undefined) continue;
    if (type === undefined || device === undefined) continue;
    const ofFilesystem = superOptions.split(',');
    lines.push({
      id,
      parent,
      number,
      root: unescapeOctal(root),
      device: unescapeOctal(device),
      mount: unescapeOctal(mount),
      type: unescapeOctal(type),
      isMountReadOnly: options.split(',').includes('ro'),
      isReadOnly: ofFilesystem.includes('ro'),
      becameReadOnly: hasStopped(ofFilesystem),
    });
  }
  return lines;
}

/**
 * Returns the numbers of filesystems that were mounted for writing and refuse writes now. An operator makes the mount
 * and the filesystem read-only, an I/O error only the filesystem. The first mount decides: later ones may be views of it.
 */
export function refusingWrites(lines: readonly MountLine[]): Set<string> {
  const first = new Map<string, MountLine>();
  for (const line of lines) if (!first.has(line.number)) first.set(line.number, line);
  const isRefusing = ({ isReadOnly, isMountReadOnly, becameReadOnly }: MountLine): boolean =>
    becameReadOnly === true || (isReadOnly === true && !isMountReadOnly);
  return new Set([...first.values()].filter(isRefusing).map(({ number }) => number));
}

/** Text of /proc/mounts. It has one "ro" for a read-only mount and for a read-only filesystem. */
export function parseMounts(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split('\n')) {
    const [device, mount, type, options = ''] = line.split(' ').map(unescapeOctal);
    if (device === undefined || mount === undefined || type === undefined) continue;
    const words = options.split(',');
    mounts.push({ device, mount, type, isReadOnly: words.includes('ro'), becameReadOnly: hasStopped(words) });
  }
  return mounts;
}

/** Leaves out what a later mount at the same place covers: its path leads to the other. */
export const lastAtEachPlace = (mounts: readonly Mount[]): Mount[] => {
  const byPlace = new Map(mounts.map((one) => [one.mount, one]));
  return mounts.filter((one) => byPlace.get(one.mount) === one);
};

/** Returns true for mounts that can be reached by their path: a later mount may cover them, or a folder above them. */
export function reachable(lines: readonly MountLine[]): (line: MountLine) => boolean {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const places = new Map<string, string>();
  for (const { id, parent, mount } of lines) places.set(`${parent} ${mount}`, id);
  return (line) => {
    const folders = foldersAbove(line.mount);
    let own: string | null = null;
    const seen = new Set<string>();
    // The mounts that this one stands on, itself first. One beside it, at its path or above, covers it. The root of a
    // table names itself as its parent.
    for (
      let each: MountLine | undefined = line;
      each !== undefined && !seen.has(each.id);
      each = byId.get(each.parent)
    ) {
      const { id } = each;
      seen.add(id);
      const covers = folders.some((folder) => {
        const over = places.get(`${id} ${folder}`);
        return over !== undefined && over !== own && over !== id;
      });
      if (covers) return false;
      own = id;
    }
    return true;
  };
}

/** Returns a path and all folders above it: "/a/b", "/a", "/". */
function foldersAbove(path: string): string[] {
  const folders = [path];
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) folders.push(path.slice(0, end));
  if (path !== '/') folders.push('/');
  return folders;
}

/**
 * Returns the mount points that /etc/fstab (fstab(5)) mounts writable at the start, with their devices. What it does not
 * mount at the start (noauto) was mounted by somebody, who chose read-only.
 */
export function writableInFstab(text: string): Map<string, string> {
  const writable = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [device = '', mount, type, options = ''] = line.trim().split(/\s+/);
    if (device === '' || device.startsWith('#') || mount === undefined || type === undefined) continue;
    const words = options.split(',');
    if (!words.includes('ro') && !words.includes('noauto')) writable.set(unescapeOctal(mount), unescapeOctal(device));
  }
  return writable;
}

/** A name such as /dev/sdb1. Names by label or id, and of LVM, have a second form. */
const PLAIN_DEVICE = /^\/dev\/(?!root$|dm-)[^/]+$/;

/** Returns true if the names prove that the devices differ. */
export const areOtherDevices = (one: string, other: string): boolean =>
  one !== other && PLAIN_DEVICE.test(one) && PLAIN_DEVICE.test(other);
