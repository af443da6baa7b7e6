import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import { describe, expect, test } from 'vitest';
import { reportOfNodeExporter, reportOfOpenTelemetry, type SentPoint } from '../../testing/other-agents.ts';

const GiB = 2 ** 30;
const TiB = 2 ** 40;

type Sent = [device: string, mount: string, type: string, size: number, free: number, readOnly?: boolean];

const scrape = (...filesystems: Sent[]): string =>
  filesystems
    .flatMap(([device, mountpoint, fstype, size, free, readOnly]) => {
      const labels = `{device="${device}",fstype="${fstype}",mountpoint="${mountpoint}"}`;
      return [
        `node_filesystem_size_bytes${labels} ${String(size)}`,
        `node_filesystem_free_bytes${labels} ${String(free)}`,
        `node_filesystem_avail_bytes${labels} ${String(free)}`,
        ...(readOnly === undefined ? [] : [`node_filesystem_readonly${labels} ${readOnly ? '1' : '0'}`]),
      ];
    })
    .join('\n');
const percents = (filesystems: readonly FilesystemPart[] | undefined) =>
  Object.fromEntries(
    (filesystems ?? []).map(({ mount, used_bytes: used, available_bytes: left }) => [
      mount,
      Math.round((1000 * used) / (used + left)) / 10,
    ]),
  );

describe('node_exporter', () => {
  test('a Mac has one disk, its container', () => {
    const volume = (device: string, mount: string, readOnly = false): Sent => [
      `/dev/${device}`,
      mount,
      'apfs',
      494 * GiB,
      100 * GiB,
      readOnly,
    ];
    const { filesystems } = reportOfNodeExporter(
      scrape(
        volume('disk3s1s1', '/', true),
        volume('disk3s6', '/System/Volumes/VM'),
        volume('disk3s2', '/System/Volumes/Preboot'),
        volume('disk3s4', '/System/Volumes/Update'),
        volume('disk3s5', '/System/Volumes/Data'),
      ),
    );
    expect(filesystems).toMatchObject([{ mount: '/System/Volumes/Data', size_bytes: 494 * GiB }]);
  });

  test('a pool of ZFS is as full as its datasets together', () => {
    const { filesystems } = reportOfNodeExporter(
      scrape(
        ['rpool/ROOT/pve-1', '/', 'zfs', 25 * GiB, 20 * GiB, false],
        ['tank', '/tank', 'zfs', 100 * GiB + 131_072, 100 * GiB, false],
        ['tank/media', '/tank/media', 'zfs', 9.6 * TiB + 100 * GiB, 100 * GiB, false],
      ),
    );
    expect(percents(filesystems)).toEqual({ '/': 20, '/tank': 99 });
  });

  test('composefs, images and what nobody can write are left out', () => {
    const { filesystems } = reportOfNodeExporter(
      scrape(
        ['composefs', '/', 'overlay', 21 * 2 ** 20, 0, true],
        ['/dev/vda4', '/sysroot', 'xfs', 200 * GiB, 164 * GiB, true],
        ['/dev/vda4', '/etc', 'xfs', 200 * GiB, 164 * GiB, false],
        ['/dev/vda4', '/var', 'xfs', 200 * GiB, 164 * GiB, false],
        ['/dev/mapper/usr', '/usr', 'ext4', GiB, 0, true],
        ['/dev/sr0', '/media/cdrom', 'udf', 5 * GiB, 0, true],
        ['/dev/loop3', '/snap/core', 'squashfs', GiB, 0, true],
      ),
    );
    expect(percents(filesystems)).toEqual({ '/var': 18 });
  });

  test('an agent that sends no flag of read-only has what is on disks', () => {
    const text = scrape(
      ['/dev/sda1', '/', 'ext4', 100, 40],
      ['rootfs', '/', 'rootfs', 100, 40],
      ['nas:/x', '/nas', 'nfs4', 1000, 0],
    );
    expect(percents(reportOfNodeExporter(text).filesystems)).toEqual({ '/': 60 });
  });

  test('a disk of FreeBSD that is filled into its reserve has nothing left', () => {
    const labels = '{device="/dev/ada0p2",fstype="ufs",mountpoint="/"}';
    const { filesystems } = reportOfNodeExporter(
      `node_filesystem_size_bytes${labels} 100\nnode_filesystem_free_bytes${labels} 3\nnode_filesystem_avail_bytes${labels} -5`,
    );
    expect(filesystems).toMatchObject([{ used_bytes: 97, available_bytes: 0 }]);
  });

  test('says that nothing of what was sent can fill, not that nothing was sent', () => {
    const { filesystems, agent } = reportOfNodeExporter(
      `node_load1 1\nnode_load5 1\nnode_load15 1\n${scrape(['tmpfs', '/run', 'tmpfs', 100, 90])}`,
    );
    expect(filesystems).toBeUndefined();
    expect(agent?.sources['filesystem']?.error).toContain('sends no filesystem that can fill');
    expect(agent?.sources['disk-io']?.error).toContain('does not send this');
  });

  test('more than a report holds are cut by name, and full ones stay', () => {
    const disks = Array.from({ length: 300 }, (_, index): Sent => [
      `/dev/d${String(index)}`,
      `/m${String(index)}`,
      'ext4',
      100,
      index === 299 ? 1 : 90,
    ]);
    const { filesystems } = reportOfNodeExporter(scrape(...disks));
    expect(filesystems).toHaveLength(200);
    expect(filesystems?.some((one) => one.mount === '/m299')).toBe(true);
  });
});

describe('OpenTelemetry', () => {
  const usage = (device: string, type: string, mode: string | null, used: number, free: number): SentPoint[] =>
    (['used', 'free'] as const).map((state) => [
      'system.filesystem.usage',
      { device, mountpoint: device, type, state, ...(mode === null ? {} : { mode }) },
      state === 'used' ? used : free,
    ]);

  test('a DVD in a Windows server is left out, by its type or its mode', () => {
    const { filesystems } = reportOfOpenTelemetry([
      ...usage('C:', 'NTFS', 'rw', 30 * GiB, 70 * GiB),
      ...usage('E:', 'CDFS', 'ro', 4.5 * GiB, 0),
      ...usage('F:', 'ReFS', 'RO', 4.5 * GiB, 0),
      ...usage('G:', 'UDF', null, 5.2 * GiB, 0),
    ]);
    expect(percents(filesystems)).toEqual({ 'C:': 30 });
  });

  test('the mode has its name of the newer conventions too', () => {
    const of = (state: string): SentPoint => [
      'system.filesystem.usage',
      {
        'system.device': '/dev/sda1',
        'system.filesystem.mountpoint': '/data',
        'system.filesystem.type': 'ext4',
        'system.filesystem.state': state,
        'system.filesystem.mode': 'ro',
      },
      100,
    ];
    const { filesystems } = reportOfOpenTelemetry([of('used'), of('free'), ...usage('C:', 'NTFS', 'rw', 1, 1)]);
    expect(percents(filesystems)).toEqual({ 'C:': 50 });
  });
});
