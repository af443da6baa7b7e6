import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { parseZpoolList, poolSource } from './pools.ts';

const refuse = (): Promise<string> => Promise.reject(new Error('zpool: is not installed'));
const read = (machine: string, asksZpool = false, exec: () => Promise<string> = refuse) =>
  poolSource({ files: parseMachine(machine).files, exec, asksZpool, filesystems: () => [] }).read({ ts: 0, up: 0 });
const ZFS = 'Line: proc/spl/kstat/zfs/tank/state ONLINE\nLine: proc/spl/kstat/zfs/vms/state SUSPENDED\n';

describe('pools', () => {
  it('have no part where there are none, and start no child', async () => {
    expect(await read('Line: proc/uptime 1 1\n', true)).toEqual({ part: {} });
    expect(await read('Path: proc/spl/kstat/zfs/arcstats\nsize 4 1\n', true)).toEqual({ part: {} });
  });

  it('of ZFS have their size from zpool where root allows it', async () => {
    const printed = 'tank\t1000\t400\tDEGRADED\nvms\t-\t-\tSUSPENDED\n';
    const { part, note } = await read(ZFS, true, () => Promise.resolve(printed));
    expect(note).toBeUndefined();
    expect(part.pools).toMatchObject([
      { name: 'tank', state: 'degraded', size_bytes: 1000, used_bytes: 400 },
      { name: 'vms', state: 'suspended', size_bytes: null, used_bytes: null },
    ]);
  });

  it('keep their state when zpool fails, with its reason', async () => {
    const { part, note } = await read(ZFS, true);
    expect(part.pools?.map(({ state }) => state)).toEqual(['online', 'suspended']);
    expect(note).toBe('zpool: is not installed');
  });

  it('of btrfs before 5.14 have no count of errors', async () => {
    const uuid = 'sys/fs/btrfs/3f1c9a52-8d7e-4b1a-9c55-0d2f6a7b8c90';
    const { part } = await read(
      `Line: ${uuid}/label data\nDirectory: ${uuid}/devices/sda\nDirectory: ${uuid}/devices/sdb\n`,
    );
    expect(part.pools).toMatchObject([
      { name: 'data', state: 'online', devices: 2, devices_missing: null, errors: null, errors_at: null },
    ]);
  });

  it('have whole sizes or none, whatever zpool prints', () => {
    const field = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.constantFrom('-', 'ONLINE', '1e9', '99999999999999999999'),
    );
    const line = fc.array(field, { maxLength: 5 }).map((fields) => fields.join('\t'));
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const { size_bytes: size, used_bytes: used } of parseZpoolList(lines.join('\n')).values())
          for (const value of [size, used]) expect(value === null || Number.isSafeInteger(value)).toBe(true);
      }),
    );
  });
});
