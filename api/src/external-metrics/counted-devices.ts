/** Which devices of a host a report counts. The collector leaves the same ones out: collector/src/host. */

/** Memory, kernel views and images that are full by nature, and remote filesystems. */
const NOT_LOCAL = new Set(
  `autofs binfmt_misc bpf cgroup cgroup2 configfs debugfs devpts devtmpfs efivarfs erofs fusectl hugetlbfs iso9660
   mqueue nsfs proc pstore ramfs rpc_pipefs securityfs selinuxfs squashfs swap sysfs tmpfs tracefs`.split(/\s+/),
);
const REMOTE = /^(?:nfs\d?|cifs|smb\w*|sshfs|fuse(?:\..+)?|9p|ceph|glusterfs|lustre|afs|beegfs|virtiofs)$/;

/** Layers over other devices, memory, and partitions: counting them too would count each operation twice. */
const NOT_WHOLE_DISK =
  /^(?:loop|ram|zram|dm-|md|sr|fd|nbd|bcache|drbd|zd)\d|^(?:[shv]d[a-z]+\d+|xvd[a-z]+\d+|(?:nvme\d+n\d+|mmcblk\d+)p\d+)$|^nvme\d+c\d+n\d+$/;

/** Interfaces that carry what a device below carries too. The agents do not say which have a device, so names decide. */
const NOT_PHYSICAL =
  /^(?:lo|veth|docker|br-|virbr|cni|flannel|cali|cilium|lxc|lxd|vnet|tap|tun|wg|ifb|dummy|nodelocaldns|kube-ipvs|tailscale|bond\d|team\d|vlan)|^lo0?$|[.:]\d+$/;

export interface Mount {
  device: string;
  mount: string;
  type: string;
}

/** Returns one mount of each local device, that with the shortest path. */
export function localMounts(mounts: readonly Mount[]): Mount[] {
  const byDevice = new Map<string, Mount>();
  for (const mount of mounts) {
    if (NOT_LOCAL.has(mount.type) || REMOTE.test(mount.type)) continue;
    if (mount.type === 'overlay' && mount.mount !== '/') continue;
    const device = mount.type === 'zfs' ? (mount.device.split('/')[0] ?? '') : mount.device;
    const known = byDevice.get(device);
    if (known === undefined || mount.mount.length < known.mount.length) byDevice.set(device, mount);
  }
  return [...byDevice.values()];
}

export const isWholeDisk = (device: string): boolean => !NOT_WHOLE_DISK.test(device);

/** Returns the interfaces with a device, and all but the loopback where none is known to have one. */
export function outwardInterfaces(names: readonly string[]): string[] {
  const physical = names.filter((name) => !NOT_PHYSICAL.test(name));
  return physical.length > 0 ? physical : names.filter((name) => !/^lo0?$/.test(name));
}
