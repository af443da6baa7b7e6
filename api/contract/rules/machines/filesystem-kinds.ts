/**
 * Kinds of filesystems, for the collector and for the metrics of other agents. A name means the same on every system
 * that has it, so all columns are one table. Sources: filesystems(5) and /proc/filesystems of Linux, lsvfs(1) of macOS
 * and FreeBSD, mount(8) of OpenBSD and NetBSD, vfstab(5) of Solaris, GetVolumeInformation of Windows.
 */

export type FilesystemKind =
  /** A disk, or a part of one, that can fill. */
  | 'local'
  /** Memory and views of the kernel. */
  | 'pseudo'
  /** Written once and full ever after, such as a CD or the system of an appliance. */
  | 'image'
  /** On another machine. A server that is gone makes statfs(2) hang. */
  | 'network'
  /** Shows the space of another mount. */
  | 'stacked';

type System = 'linux' | 'darwin' | 'bsd' | 'solaris' | 'windows';

const NAMES: Readonly<Record<Exclude<FilesystemKind, 'local'>, Partial<Record<System, string>>>> = {
  pseudo: {
    linux: `autofs bdev binder binfmt_misc bpf cgroup cgroup2 configfs cpuset dax debugfs devpts devtmpfs efivarfs
      functionfs fusectl gadgetfs hugetlbfs ipathfs kdbusfs mqueue nfsd nsfs oracleasmfs pipefs proc pstore ramfs resctrl rootfs
      rpc_pipefs securityfs selinuxfs smackfs sockfs swap sysfs tmpfs tracefs usbdevfs usbfs xenfs`,
    darwin: 'autofs devfs fdesc procfs tmpfs volfs',
    bsd: 'autofs devfs fdesc fdescfs kernfs linprocfs linsysfs mfs procfs ptyfs tmpfs',
    solaris: 'autofs bootfs ctfs dev devfs fd mntfs objfs proc sharefs tmpfs',
  },
  image: {
    linux: 'composefs cramfs erofs iso9660 romfs squashfs udf',
    darwin: 'cd9660 cddafs udf',
    bsd: 'cd9660 udf',
    solaris: 'hsfs udfs',
    windows: 'cdfs udf',
  },
  network: {
    linux: `9p acfs afs beegfs beegfs_nodev ceph cifs coda cvfs davfs dvs fhgfs fhgfs_nodev glusterfs gpfs lustre mvfs ncpfs orangefs panfs prl_fs
      pvfs2 sshfs vboxsf virtiofs vmhgfs wekafs`,
    darwin: 'afpfs cifs ftp smbfs virtio-fs webdav',
    bsd: 'p9fs smbfs',
    solaris: 'cachefs smbfs',
  },
  stacked: {
    linux: 'aufs drvfs ecryptfs esdfs mergerfs overlay overlayfs sdcardfs shiftfs unionfs wrapfs',
    darwin: 'bindfs nullfs unionfs',
    bsd: 'null nullfs umapfs union unionfs',
    solaris: 'lofs',
  },
};

const KINDS: ReadonlyMap<string, FilesystemKind> = new Map(
  (Object.entries(NAMES) as [FilesystemKind, Record<string, string>][]).flatMap(([kind, bySystem]) =>
    Object.values(bySystem).flatMap((names) => names.split(/\s+/).map((name) => [name, kind] as const)),
  ),
);
const NETWORK = /^(?:nfs\d*|smb\d*)$/;
/** A program serves these: of another machine, of an archive, or of other mounts (mergerfs, bindfs, rclone, lxcfs). */
const FUSE = /^(?:fuse|fusefs|macfuse|osxfuse)(?:[._].*)?$/;
/**
 * Layers that are the root of a container or of a router, and then the only view of their disk. The last two are folders of
 * the host below a container in a virtual machine (Kata, gVisor).
 */
const LAYERED_ROOT = new Set([
  'aufs',
  'fuse.fuse-overlayfs',
  'overlay',
  'overlayfs',
  'shiftfs',
  'unionfs',
  '9p',
  'virtiofs',
]);

/** A filesystem as its agent names it. */
export interface NamedFilesystem {
  device: string;
  mount: string;
  type: string;
  /** Nobody can write. Absent: unknown. */
  isReadOnly?: boolean;
}

/** `server:/export`, `[2001:db8::1]:/export` and `//server/share`. A letter alone is a drive of Windows. */
const REMOTE_DEVICE = /^(?:[^/\s:]{2,}:\/|\[[0-9a-f:.]+\]:\/|\/\/|\\\\)/i;

/** Returns true for a layered filesystem at "/". */
export const isLayeredRoot = ({ mount, type }: Omit<NamedFilesystem, 'device'>): boolean =>
  mount === '/' && LAYERED_ROOT.has(type.toLowerCase());

/** Returns the kind of a filesystem. Names are compared without regard to case: Windows writes CDFS. */
export function filesystemKind({ device, mount, type, isReadOnly }: NamedFilesystem): FilesystemKind {
  const name = type.toLowerCase();
  if (isLayeredRoot({ mount, type })) return 'local';
  // A disk may have the file system of a DVD, and a server of Lustre mounts its targets as a client mounts the whole.
  if ((name === 'udf' && isReadOnly === false) || (name === 'lustre' && device.startsWith('/dev/'))) return 'local';
  const known = KINDS.get(name);
  if (known !== undefined) return known;
  if (NETWORK.test(name)) return 'network';
  if (!FUSE.test(name)) return REMOTE_DEVICE.test(device) ? 'network' : 'local';
  // NTFS and others are served by a program too, but from a disk of this machine.
  return device.startsWith('/dev/') && device !== '/dev/fuse' ? 'local' : 'network';
}
