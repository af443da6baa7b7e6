import { describe, expect, it } from 'vitest';
import type { Space } from './filesystem-space.ts';
import { captured, fakeFiles } from '../testing/captured.ts';
import { filesystemSource, shapeFilesystem } from './filesystem.ts';

const HOST = 'debian-12-firecracker';
const NOW = { ts: 0, up: 0 };
const SPACE: Space = { sizeBytes: 1000, freeBytes: 400, availableBytes: 350, inodes: 100, inodesFree: 90 };
const GiB = 2 ** 30;
const TiB = 2 ** 40;

/** Space of size and free bytes. */
const space = (sizeBytes: number, freeBytes: number): Space => ({
  sizeBytes,
  freeBytes,
  availableBytes: freeBytes,
  inodes: 1000,
  inodesFree: 900,
});

/** Reads the table of mounts given as files, with the space of each path. */
async function read(texts: Record<string, string>, spaces: Record<string, Space>, isContainer = false) {
  const source = filesystemSource(
    fakeFiles(texts),
    async (path) => {
      const found = spaces[path];
      if (found === undefined) throw new Error(`asked for ${path}`);
      return found;
    },
    isContainer,
  );
  const { part, note } = await source.read(NOW);
  const list = part.filesystems ?? [];
  const percents = list.map((one) => [
    one.mount,
    Math.round((1000 * one.used_bytes) / (one.used_bytes + one.available_bytes)) / 10,
  ]);
  return { list, percents: Object.fromEntries(percents) as Record<string, number>, note };
}

/** Makes a line of mountinfo. `own` are the options of the mount, `whole` those of the filesystem. */
const line = (
  number: string,
  mount: string,
  [type, device]: [string, string],
  { root = '/', own = 'rw', whole = 'rw', id = '', parent = '1' } = {},
): string =>
  `${id === '' ? `${String(mount.length)}${number}${root}` : id} ${parent} ${number} ${root} ${mount} ${own},relatime shared:1 - ${type} ${device} ${whole},seclabel`;

describe('what a machine shows', () => {
  it('has no full root on composefs, and names the disk by /sysroot or /var', async () => {
    const mounts = `composefs / overlay ro,seclabel,relatime,lowerdir+=/run/ostree/.private/cfsroot-lower,datadir+=/sysroot/ostree/repo/objects,redirect_dir=on,metacopy=on 0 0
/dev/vda4 /sysroot xfs ro,seclabel,relatime 0 0
/dev/vda4 /etc xfs rw,seclabel,relatime 0 0
/dev/vda4 /var xfs rw,seclabel,relatime 0 0
`;
    const spaces = { '/var': space(200 * GiB, 164 * GiB), '/sysroot': space(200 * GiB, 164 * GiB) };
    expect((await read({ 'proc/mounts': mounts }, spaces)).percents).toEqual({ '/var': 18 });
    const root = '/ostree/deploy/fedora';
    const disk: [string, string] = ['xfs', '/dev/vda4'];
    const mountinfo = [
      line('0:30', '/', ['overlay', 'composefs'], { own: 'ro', whole: 'ro' }),
      line('252:4', '/sysroot', disk, { own: 'ro' }),
      line('252:4', '/etc', disk, { root: `${root}/deploy/abc.0/etc` }),
      line('252:4', '/var', disk, { root: `${root}/var` }),
    ].join('\n');
    expect((await read({ 'proc/self/mountinfo': mountinfo }, spaces)).percents).toEqual({ '/sysroot': 18 });
  });

  it('leaves out what nobody can write, and images', async () => {
    const mounts = `/dev/sda9 / ext4 rw,relatime 0 0
/dev/mapper/usr /usr ext4 ro,seclabel,relatime 0 0
/dev/sr0 /media/cdrom udf ro,relatime,utf8 0 0
`;
    const spaces = { '/': space(30 * GiB, 20 * GiB) };
    expect((await read({ 'proc/mounts': mounts }, spaces)).percents).toEqual({ '/': 33.3 });
    const mountinfo = [
      line('8:9', '/', ['ext4', '/dev/sda9']),
      line('254:0', '/usr', ['ext4', '/dev/mapper/usr'], { own: 'ro', whole: 'ro' }),
      line('11:0', '/media/cdrom', ['udf', '/dev/sr0'], { own: 'ro', whole: 'ro' }),
    ].join('\n');
    expect((await read({ 'proc/self/mountinfo': mountinfo }, spaces)).percents).toEqual({ '/': 33.3 });
  });

  it('has one root where the kernel lists its rootfs too', async () => {
    const mounts =
      'rootfs / rootfs rw 0 0\n/dev/mapper/centos-root / xfs rw,relatime 0 0\n/dev/sda1 /boot xfs rw 0 0\n';
    const spaces = { '/': space(50 * GiB, 10 * GiB), '/boot': space(GiB, GiB / 2) };
    const { list } = await read({ 'proc/mounts': mounts }, spaces);
    expect(list.map(({ mount, device }) => [mount, device])).toEqual([
      ['/', '/dev/mapper/centos-root'],
      ['/boot', '/dev/sda1'],
    ]);
  });

  it('adds the datasets of a pool up, and says that volumes are not seen', async () => {
    const mounts = 'rpool/ROOT/pve-1 / zfs rw 0 0\ntank /tank zfs rw 0 0\ntank/media /tank/media zfs rw 0 0\n';
    const spaces = {
      '/': space(25 * GiB, 20 * GiB),
      '/tank': space(100 * GiB + 131_072, 100 * GiB),
      '/tank/media': space(9.6 * TiB + 100 * GiB, 100 * GiB),
    };
    const kstat = { 'proc/spl/kstat/zfs/tank/objset-0x36': '', 'proc/spl/kstat/zfs/tank/objset-0x40': '' };
    const { list, percents, note } = await read({ 'proc/mounts': mounts, ...kstat }, spaces);
    expect(percents).toEqual({ '/': 20, '/tank': 99 });
    expect(list[1]).toMatchObject({ device: 'tank', type: 'zfs', inodes_total: null });
    expect(note).toBe('rpool: the space of its volumes (zvols) cannot be seen and is not counted');
    expect((await read({ 'proc/mounts': mounts }, spaces, true)).note).toBeUndefined();
  });

  it('says so when a pool has more in use than is mounted', async () => {
    const texts = { 'proc/mounts': 'tank /tank zfs rw 0 0\n' };
    const objsets = { 'proc/spl/kstat/zfs/tank/objset-0x36': '', 'proc/spl/kstat/zfs/tank/objset-0x3a': '' };
    const { note } = await read({ ...texts, ...objsets }, { '/tank': space(GiB, GiB) });
    expect(note).toBe(
      'tank: the space of its volumes (zvols) or datasets that are not mounted here cannot be seen and is not counted',
    );
  });
});

describe('a filesystem that became read-only', () => {
  const disk: [string, string] = ['ext4', '/dev/sdb1'];
  const spaces = { '/data': space(GiB, GiB / 2) };
  const marks = async (texts: Record<string, string>) =>
    (await read(texts, spaces)).list.map(({ mount, became_read_only: mark }) => [mark === true, mount]);
  const errored = line('8:17', '/data', disk, { own: 'rw', whole: 'ro' });
  const byChoice = line('8:17', '/data', disk, { own: 'ro', whole: 'ro' });

  it('is marked where only the filesystem refuses writes', async () => {
    expect(await marks({ 'proc/self/mountinfo': errored })).toEqual([[true, '/data']]);
    const stopped = line('8:17', '/data', disk, { whole: 'rw,emergency_ro' });
    expect(await marks({ 'proc/self/mountinfo': stopped })).toEqual([[true, '/data']]);
  });

  it('is found from inside a sandbox by the mounts of the first process', async () => {
    expect(await marks({ 'proc/self/mountinfo': byChoice, 'proc/1/mountinfo': errored })).toEqual([[true, '/data']]);
    expect(await marks({ 'proc/self/mountinfo': byChoice, 'proc/1/mountinfo': byChoice })).toEqual([]);
  });

  it('is found by /etc/fstab, which wants it writable', async () => {
    const fstab = '# comment\n/dev/sdb1 /data ext4 defaults,errors=remount-ro 0 2\n';
    expect(await marks({ 'proc/self/mountinfo': byChoice, 'etc/fstab': fstab })).toEqual([[true, '/data']]);
    expect(await marks({ 'proc/mounts': '/dev/sdb1 /data ext4 ro 0 0\n', 'etc/fstab': fstab })).toEqual([
      [true, '/data'],
    ]);
    expect(await marks({ 'proc/self/mountinfo': byChoice, 'etc/fstab': '/dev/sdb1 /data ext4 ro 0 2\n' })).toEqual([]);
  });

  it('is none that /etc/fstab does not mount at the start, and no other disk at its place', async () => {
    const marked = async (fstab: string) => marks({ 'proc/self/mountinfo': byChoice, 'etc/fstab': fstab });
    // The stick that Alpine starts from, read-only; its fstab has the place with "noauto".
    expect(await marked('/dev/usbdisk /data vfat noauto 0 0\n')).toEqual([]);
    expect(await marked('/dev/sdz1 /data ext4 defaults 0 2\n')).toEqual([]);
    expect(await marked('UUID=1 /data ext4 defaults 0 2\n')).toEqual([[true, '/data']]);
  });

  it('is not one that an operator made read-only while another view of it stays writable', async () => {
    const view = line('8:17', '/srv/view', disk, { own: 'rw', whole: 'ro', root: '/view' });
    expect(await marks({ 'proc/self/mountinfo': `${byChoice}\n${view}` })).toEqual([]);
  });

  it('is not a sandbox, whose mounts are read-only while the filesystem is not', async () => {
    expect(await marks({ 'proc/self/mountinfo': line('8:17', '/data', disk, { own: 'ro' }) })).toEqual([
      [false, '/data'],
    ]);
  });

  it('is no target of Lustre, which the kernel calls read-only', async () => {
    const target = line('8:17', '/data', ['lustre', '/dev/sdb1'], { own: 'rw', whole: 'ro' });
    const fstab = '/dev/sdb1 /data lustre defaults,_netdev 0 0\n';
    expect(await marks({ 'proc/self/mountinfo': target, 'etc/fstab': fstab })).toEqual([[false, '/data']]);
  });

  it('is no layered root and no dataset', async () => {
    const table = [
      line('0:40', '/', ['overlay', 'overlay'], { whole: 'ro' }),
      line('0:41', '/data', ['zfs', 'tank'], { whole: 'ro' }),
    ].join('\n');
    expect(await marks({ 'proc/self/mountinfo': table })).toEqual([]);
  });
});

it('counts the disk of a container once, which it sees under /etc too', async () => {
  const table = [
    line('0:50', '/', ['overlay', 'overlay']),
    line('8:1', '/etc/hosts', ['ext4', '/dev/sda1'], { root: '/var/lib/docker/containers/a/hosts' }),
    line('8:1', '/data', ['ext4', '/dev/sda1'], { root: '/var/lib/docker/volumes/a/_data' }),
    line('8:33', '/big', ['ext4', '/dev/sdc1']),
  ].join('\n');
  const spaces = {
    '/': space(100 * GiB, 50 * GiB),
    '/data': space(100 * GiB, 50 * GiB - 4096),
    '/big': space(TiB, GiB),
  };
  expect((await read({ 'proc/self/mountinfo': table }, spaces)).list.map(({ mount }) => mount)).toEqual(['/', '/big']);
});

it('names the filesystem that holds the file of a loop device', async () => {
  const texts = {
    'proc/mounts': '/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /srv xfs rw 0 0\n/dev/loop2 /var/lib/docker btrfs rw 0 0\n',
    'sys/block/loop2/loop/backing_file': '/srv/docker.img\n',
  };
  const spaces = { '/': SPACE, '/srv': SPACE, '/var/lib/docker': SPACE };
  expect((await read(texts, spaces)).list.map((one) => one.part_of)).toEqual([undefined, undefined, '/dev/sdb1']);
  const guest = {
    'proc/mounts': '/dev/loop0 / ext4 rw 0 0\n',
    'sys/block/loop0/loop/backing_file': '/var/lib/vz/images/101/vm-101-disk-0.raw\n',
  };
  expect((await read(guest, spaces)).list.map((one) => one.part_of)).toEqual([undefined]);
  const remote = {
    'proc/mounts': '/dev/sda1 / ext4 rw 0 0\nnas:/x /nas nfs4 rw 0 0\n/dev/loop0 /srv ext4 rw 0 0\n',
    'sys/block/loop0/loop/backing_file': '/nas/disk.img\n',
  };
  expect((await read(remote, spaces)).list.map((one) => one.part_of)).toEqual([undefined, undefined]);
});

it('leaves out a mount that a later one covers', async () => {
  const table = [
    line('8:1', '/', ['ext4', '/dev/sda1'], { id: '20', parent: '1' }),
    line('8:2', '/mnt', ['ext4', '/dev/sda2'], { id: '21', parent: '20' }),
    line('8:3', '/mnt/a', ['ext4', '/dev/sda3'], { id: '22', parent: '21' }),
    line('8:4', '/mnt/b', ['ext4', '/dev/sda4'], { id: '23', parent: '20' }),
    line('0:9', '/mnt', ['tmpfs', 'tmpfs'], { id: '24', parent: '21' }),
    line('8:5', '/srv', ['ext4', '/dev/sda5'], { id: '25', parent: '20' }),
  ].join('\n');
  const { list, note } = await read({ 'proc/self/mountinfo': table }, { '/': SPACE, '/srv': SPACE });
  expect(list.map(({ mount }) => mount)).toEqual(['/', '/srv']);
  expect(note).toBeUndefined();
});

it('shapes space and inodes; no inodes is no figure', () => {
  const mount = { device: '/dev/a', mount: '/', type: 'ext4' };
  expect(shapeFilesystem(mount, SPACE)).toEqual({
    ...mount,
    size_bytes: 1000,
    used_bytes: 600,
    available_bytes: 350,
    inodes_total: 100,
    inodes_used: 10,
  });
  expect(shapeFilesystem(mount, { ...SPACE, inodes: 0 }).inodes_total).toBeNull();
});

describe('filesystemSource', () => {
  const text = '/dev/a / ext4 rw 0 0\n/dev/b /b ext4 rw 0 0\n';
  const files = fakeFiles({ 'proc/mounts': text });

  it('finds the one disk of a captured host', async () => {
    const { part } = await filesystemSource(captured(HOST), async () => SPACE).read(NOW);
    expect(part.filesystems).toMatchObject([{ device: '/dev/vda', mount: '/', type: 'ext4' }]);
  });

  it('leaves a mount out that does not answer, and names it', async () => {
    const source = filesystemSource(files, async (path) => {
      if (path === '/b') throw new Error('mount does not answer within 2000 ms');
      return SPACE;
    });
    const taken = await source.read(NOW);
    expect(taken.part.filesystems?.map((one) => one.mount)).toEqual(['/']);
    expect(taken.note).toBe('/b: mount does not answer within 2000 ms');
  });

  it('asks a pool that does not answer once, and leaves it out', async () => {
    const asked: string[] = [];
    const mounts = 'tank /tank zfs rw 0 0\ntank/a /a zfs rw 0 0\ntank/b /b zfs rw 0 0\n/dev/a / ext4 rw 0 0\n';
    const source = filesystemSource(fakeFiles({ 'proc/mounts': mounts }), async (path) => {
      asked.push(path);
      if (path === '/a') throw new Error('mount does not answer');
      return SPACE;
    });
    expect((await source.read(NOW)).part.filesystems?.map((one) => one.mount)).toEqual(['/']);
    expect(asked).toEqual(['/tank', '/a', '/']);
  });

  it('fails when no mount answers', async () => {
    const source = filesystemSource(files, () => Promise.reject(new Error('EACCES')));
    await expect(source.read(NOW)).rejects.toThrow('/: EACCES; /b: EACCES');
  });

  it('leaves out what has more free than it holds, and names it', async () => {
    const { list, note } = await read(
      { 'proc/mounts': '/dev/a / ext4 rw 0 0\n/dev/b /b ext4 rw 0 0\n' },
      { '/': SPACE, '/b': { ...SPACE, freeBytes: 1500 } },
    );
    expect(list.map(({ mount }) => mount)).toEqual(['/']);
    expect(note).toContain('/b: reports an impossible size');
  });

  it('leaves out what has no size', async () => {
    const source = filesystemSource(captured(HOST), async () => ({ ...SPACE, sizeBytes: 0 }));
    expect((await source.read(NOW)).part.filesystems).toEqual([]);
  });
});
