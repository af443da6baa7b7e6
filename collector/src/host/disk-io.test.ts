import { describe, expect, it } from 'vitest';
import { captured, capturedText, fakeFiles } from '../testing/captured.ts';
import { diskIoSource, parseDiskstats, shapeDisks } from './disk-io.ts';

const HOST = 'debian-12-firecracker';
const text = capturedText(HOST, 'proc/diskstats');
const later = capturedText(HOST, 'proc/diskstats.later');

describe('parseDiskstats', () => {
  it('leaves out loop and zram of a captured host', () => {
    expect([...parseDiskstats(text, new Set(captured(HOST).list('sys/block'))).keys()]).toEqual(['vda']);
  });

  it('leaves out partitions and layers, with /sys/block and without', () => {
    const line = (name: string): string => `   8       0 ${name} 1 0 2 0 3 0 4 0 0 5 0\n`;
    const names = [
      'sda',
      'sda1',
      'nvme0n1',
      'nvme0n1p2',
      'mmcblk0',
      'mmcblk0p1',
      'dm-0',
      'md127',
      'sr0',
      'xvdb',
      'xvdb1',
      'bcache0',
      'drbd1',
      'zd16',
    ];
    const lines = names.map(line).join('');
    const whole = ['sda', 'nvme0n1', 'mmcblk0', 'xvdb'];
    expect([...parseDiskstats(lines, new Set()).keys()]).toEqual(whole);
    expect([...parseDiskstats(lines, new Set([...whole, 'dm-0', 'sr0'])).keys()]).toEqual(whole);
  });

  it('counts the disk of a machine that starts from the network, which is a layer only beside other disks', () => {
    const line = (name: string, reads: number): string => `  43       0 ${name} ${reads} 0 2 0 3 0 4 0 0 5 0\n`;
    const unused = '  43      32 nbd1 0 0 0 0 0 0 0 0 0 0 0\n';
    const lines = line('nbd0', 7) + line('nbd0p1', 6) + unused;
    for (const whole of [[], ['nbd0', 'nbd1', 'sr0']]) {
      expect([...parseDiskstats(lines, new Set(whole)).keys()]).toEqual(['nbd0']);
      expect([...parseDiskstats(lines + line('vda', 9), new Set([...whole, 'vda'])).keys()]).toEqual(['vda']);
    }
  });

  it('counts an NVMe disk of several paths once, whether the kernel counts for the paths alone or for the disk too', () => {
    const line = (name: string, reads: number): string => `   8       0 ${name} ${reads} 0 2 0 3 0 4 0 0 5 0\n`;
    const idle = '   8       0 nvme0n1 0 0 0 0 0 0 0 0 0 0 0\n';
    const readsOf = (lines: string) => [...parseDiskstats(lines, new Set())].map(([name, { reads }]) => [name, reads]);
    expect(readsOf(idle + line('nvme0c0n1', 7) + line('nvme0c1n1', 5))).toEqual([
      ['nvme0c0n1', 7],
      ['nvme0c1n1', 5],
    ]);
    expect(readsOf(line('nvme0n1', 12) + line('nvme0c0n1', 7) + line('nvme0c1n1', 5))).toEqual([['nvme0n1', 12]]);
    expect(readsOf(line('nvme1c0n1', 7) + line('nvme0n1', 3))).toEqual([
      ['nvme1c0n1', 7],
      ['nvme0n1', 3],
    ]);
  });

  it('counts sectors of 512 bytes, whatever the disk has', () => {
    const [disk] = parseDiskstats('   8       0 sda 1 0 2 0 3 0 4 0 0 5 0\n', new Set()).values();
    expect(disk).toEqual({ reads: 1, readBytes: 1024, writes: 3, writeBytes: 2048, busyMs: 5 });
  });

  it('skips a line that is cut', () => {
    expect(parseDiskstats('   8       0 sda 1 0 2', new Set()).size).toBe(0);
  });
});

describe('shapeDisks', () => {
  const counters = { reads: 100, readBytes: 1000, writes: 50, writeBytes: 500, busyMs: 1000 };
  const before = { up: 10, disks: new Map([['sda', counters]]) };

  it('gives means over the window', () => {
    const now = new Map([['sda', { reads: 160, readBytes: 1600, writes: 110, writeBytes: 1700, busyMs: 7000 }]]);
    expect(shapeDisks(before, now, 70)).toEqual([
      {
        device: 'sda',
        read_operations_per_second: 1,
        write_operations_per_second: 1,
        read_bytes_per_second: 10,
        write_bytes_per_second: 20,
        busy_percent: 10,
      },
    ]);
  });

  it('gives no rates of a disk of which a counter went back, a new disk, or no window', () => {
    const rates = (now: typeof counters, name = 'sda', up = 70) => shapeDisks(before, new Map([[name, now]]), up)[0];
    expect(rates({ ...counters, reads: 99 })).toMatchObject({
      read_operations_per_second: null,
      write_bytes_per_second: null,
    });
    expect(rates(counters, 'sdb')?.read_bytes_per_second).toBeNull();
    expect(rates(counters, 'sda', 10)?.read_bytes_per_second).toBeNull();
    expect(shapeDisks(null, before.disks, 70)[0]?.busy_percent).toBeNull();
  });
});

it('has rates from the second reading on', async () => {
  const texts = { 'proc/diskstats': text };
  const source = diskIoSource(fakeFiles(texts, captured(HOST)));
  expect((await source.read({ ts: 0, up: 100 })).part.disks?.[0]?.write_bytes_per_second).toBeNull();
  texts['proc/diskstats'] = later;
  expect((await source.read({ ts: 0, up: 200 })).part.disks?.[0]?.write_bytes_per_second).toBeGreaterThan(0);
});

it.each([
  ['Docker', { '.dockerenv': '' }, 'The disks are those of the host, not of this Docker container'],
  ['LXC with lxcfs', { 'proc/self/mountinfo': '1 2 0:3 / /proc/diskstats rw - fuse.lxcfs lxcfs rw' }, undefined],
  ['the pod of a node’s agent', { 'var/run/secrets/kubernetes.io/serviceaccount/token': '' }, undefined],
])('in %s', async (_, files, reason) => {
  const source = diskIoSource(fakeFiles({ 'proc/diskstats': text, ...files }));
  const { part, note } = await source.read({ ts: 0, up: 100 });
  expect(note).toBe(reason);
  expect(part.disks === undefined).toBe(reason !== undefined);
});
