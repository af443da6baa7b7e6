import { expect, test } from 'vitest';
import { countedDisks } from './counted-devices.ts';

test.each([
  ['disks of a server', ['sda', 'sda1', 'md_home', 'nbd0', 'nvme0n1', 'nvme0c1n1'], ['sda', 'nvme0n1']],
  ['a machine that starts from the network', ['nbd0', 'nbd1', 'nbd15'], ['nbd0']],
])('%s', (_, names, counted) => {
  expect(countedDisks(names, (name) => name === 'nbd0')).toEqual(counted);
});
