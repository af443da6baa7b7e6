import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { parseMdstat, raidSource } from './raid.ts';

const read = async (mdstat: string, more = '') => {
  const { files } = parseMachine(`Path: proc/mdstat\n${mdstat.replace(/\n*$/, '\n')}${more}`);
  const { part } = await raidSource(files).read({ ts: 0, up: 0 });
  return part.raid ?? null;
};
const array = (head: string, disks: string, more = ''): string =>
  `${head}\n      1000 blocks super 1.2 ${disks}\n${more}`;

describe('md arrays', () => {
  it('have no part where there is no md, and where no array runs', async () => {
    const { files } = parseMachine('Line: proc/uptime 1 1\n');
    expect(await raidSource(files).read({ ts: 0, up: 0 })).toEqual({ part: {} });
    expect(await read('Personalities : \nunused devices: <none>')).toBeNull();
  });

  it.each([
    ['a mirror without one disk', 'md0 : active raid1 sda1[0]', '[2/1] [U_]', 'degraded'],
    ['a whole RAID 6', 'md0 : active raid6 sda1[0] sdb1[1] sdc1[2] sdd1[3]', 'level 6 [4/4] [UUUU]', 'clean'],
    ['a RAID 6 without two', 'md0 : active raid6 sda1[0] sdb1[1]', 'level 6 [4/2] [UU__]', 'degraded'],
    ['a RAID 6 without three', 'md0 : active raid6 sda1[0]', 'level 6 [4/1] [U___]', 'failed'],
    ['a RAID 5 without two', 'md0 : active (read-only) raid5 sda1[0]', 'level 5 [3/1] [U__]', 'failed'],
    ['stripes', 'md0 : active raid0 sda1[0] sdb1[1]', '512k chunks', 'clean'],
    [
      'one that waits for the first write',
      'md0 : active (auto-read-only) raid1 sda1[0] sdb1[1]',
      '[2/2] [UU]',
      'clean',
    ],
    ['one that lacks disks at boot', 'md0 : inactive sda1[0](S)', '', 'inactive'],
  ])('%s', async (_, head, disks, state) => {
    expect((await read(array(head, disks)))?.map((one) => one.state)).toEqual([state]);
  });

  it('name the disk that is being filled as rebuilding, with what is left', async () => {
    const progress =
      '      [==>..................]  recovery = 12.6% (37043392/292945152) finish=127.5min speed=33440K/sec';
    const [one] = (await read(array('md0 : active raid1 sdc1[2] sda1[0]', '[2/1] [U_]', progress))) ?? [];
    expect(one).toMatchObject({
      state: 'rebuilding',
      action: 'recovery',
      action_percent: 12.6,
      action_seconds_left: 7650,
      size_bytes: 1_024_000,
    });
  });

  it('say that work waits', async () => {
    const [one] = (await read(array('md0 : active raid1 sdb1[1] sda1[0]', '[2/2] [UU]', '\tresync=PENDING'))) ?? [];
    expect(one).toMatchObject({ state: 'clean', action: 'resync', action_percent: null, action_seconds_left: null });
  });

  it('leave out the container of IMSM, which is never active, and keep its members', async () => {
    const arrays = await read(
      'md126 : active raid1 sda[1] sdb[0]\n      1000 blocks super external:/md127/0 [2/2] [UU]\n\n' +
        'md127 : inactive sda[1](S) sdb[0](S)\n      10402 blocks super external:imsm\n',
    );
    expect(arrays?.map(({ name }) => name)).toEqual(['md126']);
  });

  it('count spares, and name failed disks', async () => {
    const [one] =
      (await read(array('md0 : active raid1 sdd1[3](S) sdc1[2](F) sdb1[1](W) sda1[0]', '[3/2] [UU_]'))) ?? [];
    expect(one).toMatchObject({ spares: 1, failed_disks: 'sdc1', disks_required: 3, disks_active: 2 });
  });

  it('are failed when the kernel says that stripes lost a disk', async () => {
    const state = 'Line: sys/block/md0/md/array_state broken\n';
    expect((await read(array('md0 : active raid0 sda1[0]', '512k chunks'), state))?.[0]?.state).toBe('failed');
  });

  it('are failed when the table says that they are broken, and never lend their size to the array before', async () => {
    const mirror = array('md1 : active raid1 sda1[0] sdb1[1]', '[2/2] [UU]');
    const stripes = 'md0 : broken raid0 sdc1[1] sdd1[0](F)\n      2000 blocks super 1.2 512k chunks\n';
    const arrays = await read(`${mirror}\n${stripes}\nmd2: of a form to come\n      3000 blocks super 1.2\n`);
    expect(arrays?.map(({ name, state, size_bytes: size }) => [name, state, size])).toEqual([
      ['md1', 'clean', 1_024_000],
      ['md0', 'failed', 2_048_000],
    ]);
  });

  it('degrade at DSM only by a disk that failed, not by an empty bay', async () => {
    const dsm = 'Line: proc/sys/kernel/syno_hw_version DS920+\n';
    const states = async (head: string, more: string) => (await read(array(head, '[4/2] [UU__]'), more))?.[0]?.state;
    expect(await states('md0 : active raid1 sda1[0] sdb1[1]', dsm)).toBe('clean');
    expect(await states('md0 : active raid1 sda1[0] sdb1[1] sdc1[2](E)', dsm)).toBe('degraded');
    expect(await states('md2 : active raid6 sda1[0] sdb1[1]', dsm)).toBe('degraded');
    expect(await states('md0 : active raid1 sda1[0] sdb1[1]', '')).toBe('degraded');
  });

  it('never throw, whatever stands in the table', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('md0 : active raid1 sda[0]', '  1 blocks [2/1] [U_]', '  recovery = 1.5.5%', 'md1 : inactive'),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        for (const { name } of parseMdstat(lines.join('\n'))) expect(name).toMatch(/^md/);
      }),
    );
  });
});
