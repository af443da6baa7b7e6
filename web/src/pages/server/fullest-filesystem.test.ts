import type { FilesystemPart } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { fullestText } from './fullest-filesystem.ts';

const GB = 2 ** 30;
const mount = (path: string, used: number, available: number, size = used + available): FilesystemPart => ({
  mount: path,
  device: '/dev/vda1',
  type: 'ext4',
  size_bytes: size * GB,
  used_bytes: used * GB,
  available_bytes: available * GB,
  inodes_total: null,
  inodes_used: null,
});

it.each([
  ['one filesystem', [mount('/', 16.1, 75, 252)], 17.67, '16.1 of 91.1 GB'],
  [
    'the fullest of several',
    [mount('/', 20, 80), mount('/var', 91, 9), mount('/srv', 0, 4096)],
    91,
    '/var: 91 of 100 GB',
  ],
  ['one with little use', [mount('/', 0.5, 3.5)], 12.5, '512 MB of 4 GB'],
  ['a small one', [mount('/boot', 0.375, 0.125)], 75, '384 of 512 MB'],
  ['one of terabytes', [mount('/', 1536, 512)], 75, '1.50 of 2 TB'],
  ['a hidden character in its path', [mount('/a\u202eb', 50, 50), mount('/', 1, 99)], 50, '/a\\u202Eb: 50 of 100 GB'],
] as const)('describes %s', (_what, filesystems, percent, text) => {
  expect(fullestText(filesystems, percent)).toBe(text);
});

it.each([
  ['the figure is not known', [mount('/', 50, 50)], null],
  ['the figure is of another reading', [mount('/', 50, 50)], 52],
  ['there is no filesystem', [], 50],
  ['a filesystem has no size', [mount('/', 0, 0)], 0],
] as const)('says nothing when %s', (_what, filesystems, percent) => {
  expect(fullestText(filesystems, percent)).toBeUndefined();
});

it('takes the figure for that of the filesystem up to a point apart: the disk moved between two calls', () => {
  const disk = [mount('/', 50, 50)];
  expect([49, 51].map((percent) => fullestText(disk, percent))).toEqual(['50 of 100 GB', '50 of 100 GB']);
  expect([48.9, 51.1].map((percent) => fullestText(disk, percent))).toEqual([undefined, undefined]);
});
