import { describe, expect, it } from 'vitest';
import type { Space } from './filesystem-space.ts';
import { captured, capturedText, fakeFiles } from '../testing/captured.ts';
import { filesystemSource, localMounts, parseMounts, shapeFilesystem } from './filesystem.ts';

const HOST = 'debian-12-firecracker';
const NOW = { ts: 0, up: 0 };
const SPACE: Space = { sizeBytes: 1000, freeBytes: 400, availableBytes: 350, inodes: 100, inodesFree: 90 };
const mount = (device: string, path: string, type = 'ext4') => ({ device, mount: path, type });

describe('parseMounts', () => {
  it('decodes blanks in names', () => {
    expect(parseMounts('/dev/sdb1 /mnt/my\\040disk\\011x ext4 rw 0 0\n')).toEqual([
      mount('/dev/sdb1', '/mnt/my disk\tx'),
    ]);
  });

  it('skips a line that is cut', () => {
    expect(parseMounts('/dev/sdb1 /mnt')).toEqual([]);
  });
});

describe('localMounts', () => {
  it('finds the one disk of a captured host', () => {
    expect(localMounts(parseMounts(capturedText(HOST, 'proc/mounts')))).toEqual([mount('/dev/vda', '/')]);
  });

  it('keeps one mount per device, the shortest path', () => {
    const mounts = [
      mount('/dev/a', '/var/lib/x'),
      mount('/dev/a', '/'),
      mount('/dev/a', '/run/bind'),
      mount('/dev/b', '/b'),
    ];
    expect(localMounts(mounts)).toEqual([mount('/dev/a', '/'), mount('/dev/b', '/b')]);
  });

  it.each(['nfs4', 'cifs', 'fuse.sshfs', 'ceph', 'tmpfs', 'squashfs', 'proc'])('leaves out %s', (type) => {
    expect(localMounts([mount('x', '/x', type)])).toEqual([]);
  });

  it('takes an overlay only as the root of a container', () => {
    expect(localMounts([mount('overlay', '/', 'overlay')])).toHaveLength(1);
    expect(localMounts([mount('overlay', '/var/lib/docker/overlay2/x/merged', 'overlay')])).toEqual([]);
  });

  it('counts a pool of ZFS once', () => {
    const mounts = [mount('tank/home/me', '/home/me', 'zfs'), mount('tank/home', '/home', 'zfs')];
    expect(localMounts(mounts)).toEqual([mount('tank/home', '/home', 'zfs')]);
  });
});

it('shapes space and inodes; no inodes is no figure', () => {
  expect(shapeFilesystem(mount('/dev/a', '/'), SPACE)).toMatchObject({
    size_bytes: 1000,
    used_bytes: 600,
    available_bytes: 350,
    inodes_total: 100,
    inodes_used: 10,
  });
  expect(shapeFilesystem(mount('/dev/a', '/'), { ...SPACE, inodes: 0 }).inodes_total).toBeNull();
});

describe('filesystemSource', () => {
  const text = '/dev/a / ext4 rw 0 0\n/dev/b /b ext4 rw 0 0\n';
  const files = fakeFiles({ 'proc/mounts': text });

  it('leaves a mount out that does not answer, and names it', async () => {
    const source = filesystemSource(files, async (path) => {
      if (path === '/b') throw new Error('mount does not answer within 2000 ms');
      return SPACE;
    });
    const taken = await source.read(NOW);
    expect(taken.part.filesystems?.map((one) => one.mount)).toEqual(['/']);
    expect(taken.note).toBe('/b: mount does not answer within 2000 ms');
  });

  it('fails when no mount answers', async () => {
    const source = filesystemSource(files, () => Promise.reject(new Error('EACCES')));
    await expect(source.read(NOW)).rejects.toThrow('/: EACCES; /b: EACCES');
  });

  it('leaves out what has no size', async () => {
    const source = filesystemSource(captured(HOST), async () => ({ ...SPACE, sizeBytes: 0 }));
    expect((await source.read(NOW)).part.filesystems).toEqual([]);
  });
});
