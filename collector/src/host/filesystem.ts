import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Space, StatSpace } from './filesystem-space.ts';
import type { Source } from '../source.ts';

export interface Mount {
  device: string;
  mount: string;
  type: string;
}

/** Memory, kernel views and images that are full by nature: none of them can fill up to an operator's harm. */
const PSEUDO = new Set(
  `autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs erofs fusectl hugetlbfs iso9660
   mqueue nsfs proc pstore ramfs rpc_pipefs securityfs selinuxfs squashfs swap sysfs tmpfs tracefs`.split(/\s+/),
);
/** A server that is gone makes statfs hang: these are left out. */
const REMOTE = /^(?:nfs\d?|cifs|smb\w*|sshfs|fuse(?:\..+)?|9p|ceph|glusterfs|lustre|afs|beegfs|virtiofs)$/;

/** Space and inodes of each local filesystem, one entry per device. */
export function filesystemSource(files: Files, statSpace: StatSpace): Source {
  return {
    name: 'filesystem',
    instant: true,
    read: async () => {
      const mounts = localMounts(parseMounts(files.text('proc/mounts')));
      const { part, failed } = await shapeFilesystems(mounts, statSpace);
      if (part.length === 0 && failed.length > 0) throw new Error(failed.join('; '));
      return { part: { filesystems: part }, ...(failed.length > 0 ? { note: failed.join('; ') } : {}) };
    },
  };
}

/** Text of /proc/mounts; blanks in names are octal escapes there (getmntent(3)). */
export function parseMounts(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split('\n')) {
    const [device, mount, type] = line.split(' ').map(unescapeOctal);
    if (device !== undefined && mount !== undefined && type !== undefined) mounts.push({ device, mount, type });
  }
  return mounts;
}

const unescapeOctal = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** One mount per device, the shortest path: bind mounts and sandboxes show a device many times. */
export function localMounts(mounts: Mount[]): Mount[] {
  const byDevice = new Map<string, Mount>();
  for (const mount of mounts) {
    if (PSEUDO.has(mount.type) || REMOTE.test(mount.type)) continue;
    // In a container the root is an overlay and the only view of the disk; elsewhere overlays repeat their disk.
    if (mount.type === 'overlay' && mount.mount !== '/') continue;
    const device = mount.type === 'zfs' ? (mount.device.split('/')[0] ?? '') : mount.device;
    const known = byDevice.get(device);
    if (!known || mount.mount.length < known.mount.length) byDevice.set(device, mount);
  }
  return [...byDevice.values()];
}

async function shapeFilesystems(
  mounts: Mount[],
  statSpace: StatSpace,
): Promise<{ part: FilesystemPart[]; failed: string[] }> {
  const part: FilesystemPart[] = [];
  const failed: string[] = [];
  for (const mount of mounts) {
    try {
      const space = await statSpace(mount.mount);
      if (space.sizeBytes > 0) part.push(shapeFilesystem(mount, space));
    } catch (error) {
      failed.push(`${mount.mount}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { part, failed };
}

/** btrfs and some others have no fixed number of inodes: 0 there means "no such figure". */
export function shapeFilesystem(mount: Mount, space: Space): FilesystemPart {
  return {
    ...mount,
    size_bytes: space.sizeBytes,
    used_bytes: Math.max(0, space.sizeBytes - space.freeBytes),
    available_bytes: space.availableBytes,
    inodes_total: space.inodes > 0 ? space.inodes : null,
    inodes_used: space.inodes > 0 ? Math.max(0, space.inodes - space.inodesFree) : null,
  };
}
