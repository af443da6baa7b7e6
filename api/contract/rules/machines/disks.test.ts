import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { wholeDisks } from './disks.ts';

it.each([
  ['disks of a PC', ['sda', 'sda1', 'sda10', 'sdaa', 'sdaa1', 'sr0'], ['sda', 'sdaa']],
  ['NVMe and eMMC', ['nvme0n1', 'nvme0n1p1', 'mmcblk0', 'mmcblk0p2'], ['nvme0n1', 'mmcblk0']],
  ['Synology', ['sata1', 'sata1p1', 'synoboot', 'synoboot1', 'md2', 'dm-0'], ['sata1', 'synoboot']],
  ['IBM Z', ['dasda', 'dasda1', 'dasdb'], ['dasda', 'dasdb']],
  // The first instances of EC2 have a partition as their disk.
  ['Xen without the disk of a partition', ['xvda1', 'xvdb'], ['xvda1', 'xvdb']],
  ['FreeBSD', ['ada0', 'nda0', 'cd0', 'pass0', 'md98'], ['ada0', 'nda0']],
  ['OpenBSD', ['sd0', 'cd0', 'rd0', 'vnd0', 'fd0'], ['sd0']],
  ['macOS and Windows', ['disk0', 'disk2', 'C:', 'D:'], ['disk0', 'disk2', 'C:', 'D:']],
  ['paths to an array', ['sda', 'sdb', 'emcpowera', 'emcpowera1', 'emcpoweraa', 'sddlmaa', 'VxDMP1'], ['sda', 'sdb']],
  ['layers', ['loop0', 'ploop13579', 'ploop13579p1', 'zram0', 'bcache0', 'drbd1', 'zd16', 'nbd0'], []],
  [
    'arrays and volumes with names',
    ['sda', 'md_home', 'md_d0', 'asm/acfs-12', 'asm!acfs-12', 'ublkb0', 'zloop1'],
    ['sda'],
  ],
])('%s', (_, names, whole) => {
  expect(wholeDisks(names)).toEqual(whole);
});

it('never counts a partition beside its disk, whatever their names', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{3,8}\d?$/), fc.integer({ min: 1, max: 99 }), (disk, number) => {
      const partition = /\d$/.test(disk) ? `${disk}p${String(number)}` : `${disk}${String(number)}`;
      expect(wholeDisks([partition, disk])).not.toContain(partition);
    }),
  );
});
