import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { FilesystemPart } from '../../wire/report.ts';
import { filesystemKind } from './filesystem-kinds.ts';
import { countedMounts, mergeFilesystems, type Mount } from './filesystems.ts';

const mount = (device: string, path: string, type = 'ext4', more: Partial<Mount> = {}): Mount => ({
  device,
  mount: path,
  type,
  ...more,
});
const placesOf = (mounts: readonly Mount[]): string[] => countedMounts(mounts).map((one) => one.mount);
const part = (device: string, path: string, type: string, used: number, available: number): FilesystemPart => ({
  device,
  mount: path,
  type,
  size_bytes: used + available,
  used_bytes: used,
  available_bytes: available,
  inodes_total: null,
  inodes_used: null,
});

describe('filesystemKind', () => {
  test.each([
    ['nfs4', 'network'],
    ['cifs', 'network'],
    ['smb3', 'network'],
    ['smbfs', 'network'],
    ['9p', 'network'],
    ['fhgfs', 'network'],
    ['dvs', 'network'],
    ['fuse.sshfs', 'network'],
    ['fuse.mergerfs', 'network'],
    ['fuse.lxcfs', 'network'],
    ['tmpfs', 'pseudo'],
    ['rootfs', 'pseudo'],
    ['devfs', 'pseudo'],
    ['squashfs', 'image'],
    ['EROFS', 'image'],
    ['CDFS', 'image'],
    ['UDF', 'image'],
    ['cd9660', 'image'],
    ['overlay', 'stacked'],
    ['nullfs', 'stacked'],
    ['ext4', 'local'],
    ['NTFS', 'local'],
    ['fuseblk', 'local'],
    ['ufs', 'local'],
    ['apfs', 'local'],
    ['lxfs', 'local'],
  ])('%s is %s', (type, kind) => {
    expect(filesystemKind({ device: 'x', mount: '/x', type })).toBe(kind);
  });

  it.each([
    ['nas:/export', 'network'],
    ['[2001:db8::1]:/export', 'network'],
    ['//server/share', 'network'],
    ['/dev/sdb:/dev/sdc', 'local'],
    ['C:', 'local'],
    ['tank/data', 'local'],
  ])('an unknown kind on %s is %s', (device, kind) => {
    expect(filesystemKind({ device, mount: '/x', type: 'newfs' })).toBe(kind);
  });

  it.each([
    ['udf', '/dev/sdb1', false, 'local'],
    ['udf', '/dev/sr0', true, 'image'],
    ['lustre', '/dev/sdb1', false, 'local'],
    ['lustre', '10.0.0.1@tcp:/fs', false, 'network'],
  ])('%s on %s, read-only %s, is %s', (type, device, isReadOnly, kind) => {
    expect(filesystemKind({ device, mount: '/x', type, isReadOnly })).toBe(kind);
  });

  it('takes a layered filesystem only as the root of a container', () => {
    expect(filesystemKind({ device: 'overlay', mount: '/', type: 'overlay' })).toBe('local');
    expect(filesystemKind({ device: 'x', mount: '/', type: 'fuse.fuse-overlayfs' })).toBe('local');
    expect(filesystemKind({ device: 'x', mount: '/var/lib/docker/overlay2/x/merged', type: 'overlay' })).toBe(
      'stacked',
    );
  });

  it('takes a program that serves a disk of this machine', () => {
    expect(filesystemKind({ device: '/dev/sdb1', mount: '/x', type: 'fusefs.ntfs' })).toBe('local');
    expect(filesystemKind({ device: '/dev/fuse', mount: '/etc/pve', type: 'fuse' })).toBe('network');
  });
});

describe('countedMounts', () => {
  it('keeps the root, then the whole filesystem, then the shortest path', () => {
    const disk = { number: '8:1' };
    expect(
      placesOf([
        mount('/dev/a', '/var/lib/x', 'xfs', { ...disk, root: '/x' }),
        mount('/dev/a', '/', 'xfs', { ...disk, root: '/deploy/1' }),
        mount('/dev/a', '/sysroot', 'xfs', { ...disk, root: '/' }),
        mount('/dev/b', '/run/b', 'xfs', { root: '/' }),
        mount('/dev/b', '/data/b', 'xfs', { root: '/z' }),
        mount('/dev/c', '/long', 'xfs', { root: '/' }),
        mount('/dev/c', '/c', 'xfs', { root: '/c' }),
      ]),
    ).toEqual(['/', '/data/b', '/long']);
  });

  it('knows one filesystem by its number, whatever its device is called', () => {
    const root = mount('/dev/mapper/vg-root', '/', 'ext4', { number: '254:0' });
    const same = mount('/dev/dm-0', '/mnt', 'ext4', { number: '254:0' });
    const other = mount('none', '/a', 'ext4', { number: '254:1' });
    expect(placesOf([same, root, other])).toEqual(['/', '/a']);
  });

  it('counts subvolumes of btrfs once', () => {
    const of = (path: string, root: string) => mount('/dev/sda2', path, 'btrfs', { number: '0:27', root });
    expect(placesOf([of('/home', '/@home'), of('/', '/@'), of('/.snapshots', '/@snapshots')])).toEqual(['/']);
  });

  it('leaves out what nobody can write, unless it became so', () => {
    const readOnly = { isReadOnly: true };
    expect(
      placesOf([
        mount('/dev/a', '/a', 'ext4', readOnly),
        mount('/dev/b', '/b', 'ext4', readOnly),
        mount('/dev/b', '/b/rw', 'ext4', { isReadOnly: false }),
        mount('/dev/c', '/c', 'ext4', { ...readOnly, becameReadOnly: true }),
        mount('/dev/d', '/d', 'ext4'),
      ]),
    ).toEqual(['/b', '/c', '/d']);
  });

  it('keeps a read-only dataset, whose blocks fill its pool, but no read-only pool', () => {
    const zfs = (device: string, isReadOnly: boolean) => mount(device, `/${device}`, 'zfs', { isReadOnly });
    const datasets = [zfs('tank', false), zfs('tank/replica', true), zfs('old', true), zfs('old/a', true)];
    expect(placesOf(datasets)).toEqual(['/tank', '/tank/replica']);
  });

  it('leaves out a snapshot of a dataset', () => {
    const snapshot = mount('tank/a@monday', '/tank/a/.zfs/snapshot/monday', 'zfs', { isReadOnly: true });
    expect(placesOf([mount('tank/a', '/tank/a', 'zfs'), snapshot])).toEqual(['/tank/a']);
  });

  it('counts a container of APFS once, under the name of its data', () => {
    const volume = (device: string, path: string, isReadOnly = false) =>
      mount(`/dev/${device}`, path, 'apfs', { isReadOnly });
    const internal = ['VM', 'Preboot', 'Update'].map((name, index) =>
      volume(`disk3s${String(index + 6)}`, `/System/Volumes/${name}`),
    );
    const small = [volume('disk1s2', '/System/Volumes/xarts'), volume('disk1s1', '/System/Volumes/iSCPreboot')];
    const root = volume('disk3s1s1', '/', true);
    const data = volume('disk3s5', '/System/Volumes/Data');
    const share = mount('//me@nas/share', '/Volumes/nas-share', 'smbfs');
    const backup = volume('disk5s1', '/Volumes/Backup');
    const work = volume('disk3s7', '/Volumes/Work');
    expect(placesOf([root, ...internal, ...small, data, work, share, backup])).toEqual([
      '/System/Volumes/Data',
      '/Volumes/Backup',
    ]);
    expect(placesOf([root])).toEqual(['/']);
  });
});

describe('mergeFilesystems', () => {
  it('lists one filesystem for a place', () => {
    const covered = [part('/dev/a', '/mnt', 'ext4', 1, 2), part('/dev/b', '/mnt', 'ext4', 1, 2)];
    expect(mergeFilesystems(covered).map(({ device }) => device)).toEqual(['/dev/b']);
  });

  it('lists a dataset with a quota beside its pool, with what is below it', () => {
    const GiB = 2 ** 30;
    const merged = mergeFilesystems([
      part('tank', '/tank', 'zfs', 1 * GiB, 900 * GiB),
      part('tank/home', '/home', 'zfs', 2 * GiB, 50 * GiB),
      part('tank/home/me', '/home/me', 'zfs', 40 * GiB, 50 * GiB),
      part('tank/media', '/media', 'zfs', 57 * GiB, 900 * GiB),
    ]);
    expect(merged.map((one) => [one.mount, one.device, one.used_bytes / GiB, one.available_bytes / GiB])).toEqual([
      ['/tank', 'tank', 100, 900],
      ['/home', 'tank/home', 42, 50],
    ]);
    expect(merged.map((one) => one.part_of)).toEqual([undefined, 'tank']);
  });

  it('does not add up the datasets of a container, each of which has its own quota', () => {
    const GiB = 2 ** 30;
    const merged = mergeFilesystems([
      part('rpool/data/subvol-101-disk-0', '/', 'zfs', 3 * GiB, 5 * GiB),
      part('rpool/data/subvol-101-disk-1', '/data', 'zfs', 99 * GiB, 1 * GiB),
      part('rpool/data/subvol-101-disk-1/a', '/data/a', 'zfs', 2 * GiB, 1 * GiB),
    ]);
    expect(merged.map((one) => [one.mount, one.used_bytes / GiB, one.available_bytes / GiB, one.part_of])).toEqual([
      ['/', 3, 5, undefined],
      ['/data', 101, 1, undefined],
    ]);
  });

  it('names a pool by "/", although its own dataset is mounted too', () => {
    const datasets = [part('r', '/r', 'zfs', 1, 2 ** 40), part('r/ROOT/1', '/', 'zfs', 10, 2 ** 40)];
    expect(mergeFilesystems(datasets)).toMatchObject([{ mount: '/', device: 'r', used_bytes: 11 }]);
  });

  it('names a pool by "/" or the shortest path where its own dataset is not mounted', () => {
    const datasets = [part('r/ROOT/1', '/', 'zfs', 10, 2 ** 40), part('r/data', '/data', 'zfs', 5, 2 ** 40)];
    expect(mergeFilesystems(datasets)).toMatchObject([{ mount: '/', device: 'r', used_bytes: 15 }]);
    expect(mergeFilesystems(datasets.slice(1))).toMatchObject([{ mount: '/data', device: 'r/data', used_bytes: 5 }]);
  });
});

/** A machine of the property test: what is stored on it, and the mounts that show it. */
interface Machine {
  usedBytes: number;
  mounts: Mount[];
  spaces: Map<string, { used: number; available: number }>;
}
const count = (max: number) => fc.integer({ min: 0, max });

const machine: fc.Arbitrary<Machine> = fc
  .record({
    disks: fc.array(fc.record({ binds: count(4), subvolumes: fc.boolean(), hidesNumber: fc.boolean() }), {
      maxLength: 5,
    }),
    pools: fc.array(
      fc.record({ top: fc.boolean(), datasets: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }) }),
      { maxLength: 3 },
    ),
    images: count(3),
    overlays: count(3),
    shares: count(2),
    layeredOn: count(6),
    order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ disks, pools, images, overlays, shares, layeredOn, order }) => {
    const made: Machine = { usedBytes: 0, mounts: [], spaces: new Map() };
    const add = (one: Mount, used: number, available: number) => {
      made.mounts.push(one);
      made.spaces.set(one.mount, { used, available });
    };
    disks.forEach(({ binds, subvolumes, hidesNumber }, index) => {
      const number = hidesNumber ? {} : { number: subvolumes ? `0:${String(40 + index)}` : `8:${String(index)}` };
      const [used, available] = [2 ** (20 + index), 2 ** 34 + 2 ** (25 + index)];
      made.usedBytes += used;
      for (let bind = 0; bind <= binds; bind += 1) {
        const root = bind === 0 && !subvolumes ? '/' : `/@${String(bind)}`;
        const type = subvolumes ? 'btrfs' : 'xfs';
        add(
          mount(`/dev/d${String(index)}`, `/d${String(index)}/${String(bind)}`, type, { ...number, root }),
          used,
          available,
        );
      }
      if (layeredOn === index) add(mount('overlay', '/', 'overlay', { number: '0:90' }), used, available);
    });
    pools.forEach(({ top, datasets }, index) => {
      const available = 2 ** 40;
      const of = (path: string, used: number, left: number) => {
        made.usedBytes += used;
        const number = `0:${String(100 + made.mounts.length)}`;
        add(mount(`pool${String(index)}${path}`, `/pool${String(index)}${path}`, 'zfs', { number }), used, left);
      };
      if (top) of('', 17, available);
      datasets.forEach((hasQuota, each) => of(`/a${String(each)}`, 1000 * (each + 1), hasQuota ? 2 ** 30 : available));
    });
    for (let each = 0; each < images; each += 1)
      add(mount(`/dev/loop${String(each)}`, `/snap/${String(each)}`, 'squashfs', { isReadOnly: true }), 1e9, 0);
    for (let each = 0; each < overlays; each += 1)
      add(mount('overlay', `/var/lib/docker/overlay2/${String(each)}/merged`, 'overlay'), 1e9, 1e9);
    for (let each = 0; each < shares; each += 1) add(mount('nas:/x', `/nas/${String(each)}`, 'nfs4'), 1e12, 1e12);
    const places = new Map(made.mounts.map((one) => [one, order.next().value as number]));
    made.mounts.sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    return made;
  });

test('any table of binds, subvolumes, datasets, overlays and images counts every stored byte once', () => {
  fc.assert(
    fc.property(machine, ({ usedBytes, mounts, spaces }) => {
      const measured = countedMounts(mounts).map((one) => {
        const { used, available } = spaces.get(one.mount) ?? { used: 0, available: 0 };
        return part(one.device, one.mount, one.type, used, available);
      });
      const listed = mergeFilesystems(measured);
      const sum = listed.reduce((total, one) => total + (one.part_of === undefined ? one.used_bytes : 0), 0);
      expect(sum).toBe(usedBytes);
      expect(new Set(listed.map((one) => one.mount)).size).toBe(listed.length);
    }),
    { numRuns: 500 },
  );
});
