import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areOtherDevices,
  lastAtEachPlace,
  parseMountinfo,
  parseMounts,
  reachable,
  refusingWrites,
  writableInFstab,
} from './mounts.ts';

/** Escapes a name as the kernel does (mangle_path and seq_escape in fs/proc_namespace.c). */
const escaped = (name: string): string =>
  name.replace(/[ \t\n\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`);
const name = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '\t', '\n', '\\', '#', '-', '/', ','), maxLength: 8 });

describe('parseMounts', () => {
  it('reads any name that the kernel escapes', () => {
    fc.assert(
      fc.property(name, name, fc.boolean(), (device, place, isReadOnly) => {
        const text = `${escaped(device)} /${escaped(place)} ext4 ${isReadOnly ? 'ro' : 'rw'},errors=remount-ro 0 0\n`;
        expect(parseMounts(text)).toEqual([
          { device, mount: `/${place}`, type: 'ext4', isReadOnly, becameReadOnly: false },
        ]);
      }),
    );
  });

  it('skips a line that is cut, and keeps the last mount at a place', () => {
    expect(parseMounts('/dev/sdb1 /mnt')).toEqual([]);
    const mounts = lastAtEachPlace(
      parseMounts('rootfs / rootfs rw 0 0\n/dev/a / ext4 rw 0 0\n/dev/b /b ext4 rw 0 0\n'),
    );
    expect(mounts.map(({ device }) => device)).toEqual(['/dev/a', '/dev/b']);
  });
});

describe('parseMountinfo', () => {
  /** Lines of procfs' fixtures (Prometheus authors, Apache License 2.0), with every form of optional fields. */
  const TEXT = `1 1 0:5 /  /root rw,nosuid shared:8 - rootfs rootfs rw
21 0 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro,data=ordered
194 21 0:42 / /mnt/nfs/test rw shared:144 - nfs4 192.168.1.1:/srv/test rw,vers=4.0
177 21 0:42 / /mnt/nfs/test rw shared:130 master:3 propagate_from:2 - nfs4 192.168.1.1:/srv/test rw,vers=4.0
1128 67 253:0 /var/lib/containers/storage/overlay /var/lib/containers/storage/overlay rw,relatime - xfs /dev/mapper/rhel-root rw,seclabel
cut 1 2:3 / /x rw - ext4
`;

  it('reads lines with and without optional fields', () => {
    const lines = parseMountinfo(TEXT);
    expect(lines.map(({ number, root, mount, type, device }) => [number, root, mount, type, device]).slice(1)).toEqual([
      ['8:1', '/', '/', 'ext4', '/dev/sda1'],
      ['0:42', '/', '/mnt/nfs/test', 'nfs4', '192.168.1.1:/srv/test'],
      ['0:42', '/', '/mnt/nfs/test', 'nfs4', '192.168.1.1:/srv/test'],
      ['253:0', ...Array<string>(2).fill('/var/lib/containers/storage/overlay'), 'xfs', '/dev/mapper/rhel-root'],
    ]);
    expect(refusingWrites(lines).size).toBe(0);
  });

  it('reads any name that the kernel escapes', () => {
    fc.assert(
      fc.property(name, name, name, (device, root, place) => {
        const text = `30 1 8:1 /${escaped(root)} /${escaped(place)} ro shared:1 - ext4 x${escaped(device)} rw\n`;
        expect(parseMountinfo(text)).toMatchObject([
          { device: `x${device}`, root: `/${root}`, mount: `/${place}`, isMountReadOnly: true, isReadOnly: false },
        ]);
      }),
    );
  });

  it('ends for any table, also one whose mounts stand on each other', () => {
    const id = fc.integer({ min: 1, max: 5 }).map(String);
    const line = fc
      .tuple(id, id, fc.constantFrom('/', '/a', '/a/b', '/a/b/c', '/ab'))
      .map(([own, parent, place]) => `${own} ${parent} 8:${own} / ${place} rw - ext4 /dev/a rw`);
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string()), { maxLength: 12 }), (table) => {
        const lines = parseMountinfo(table.join('\n'));
        expect(lines.filter(reachable(lines)).length).toBeLessThanOrEqual(lines.length);
      }),
    );
  });
});

it('reads which mounts /etc/fstab wants writable', () => {
  const text =
    '# a comment\n\n/dev/a / ext4 defaults 0 1\nUUID=1\t/my\\040disk\text4\trw,noatime\n/dev/c /c ext4 ro,user\n/dev/usbdisk /media/usb vfat noauto 0 0\n/dev/d\n';
  expect([...writableInFstab(text)]).toEqual([
    ['/', '/dev/a'],
    ['/my disk', 'UUID=1'],
  ]);
});

it.each([
  ['/dev/sdb1', '/dev/sdc1', true],
  ['/dev/sdb1', '/dev/sdb1', false],
  ['UUID=1', '/dev/sdb1', false],
  ['/dev/vg/data', '/dev/mapper/vg-data', false],
  ['/dev/mmcblk0p2', '/dev/root', false],
])('%s and %s are other devices: %s', (one, other, expected) => {
  expect(areOtherDevices(one, other)).toBe(expected);
});
