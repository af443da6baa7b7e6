import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { reportItem } from '@plimsoll/contract/wire/report';
import { expect, it } from 'vitest';
import { collect, prime } from '../report.ts';
import type { Source } from '../source.ts';
import { fakeFiles } from '../testing/captured.ts';
import { containerSource } from './containers.ts';
import { diskIoSource } from './disk-io.ts';
import { filesystemSource } from './filesystem.ts';
import type { StatSpace } from './filesystem-space.ts';
import { networkSource } from './network.ts';
import { temperatureSource } from './temperatures.ts';
import { withinLimits } from './within-limits.ts';

const numbered = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index)}`);
const diskstats = (names: readonly string[]): string =>
  names.map((name, minor) => `8 ${String(minor)} ${name} 1000 0 8000 10 1000 0 8000 10 0 20 20 0 0 0 0`).join('\n');
const netDev = (names: readonly string[]): string =>
  names.map((name) => `${name}: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0`).join('\n');
const mounts = (names: readonly string[]): string =>
  names.map((name) => `/dev/${name} /mnt/${name} ext4 rw 0 0`).join('\n');
/** The last of 300 filesystems is full. */
const space: StatSpace = async (path) => ({
  sizeBytes: 1000,
  freeBytes: path === '/mnt/f299' ? 10 : 900,
  availableBytes: path === '/mnt/f299' ? 10 : 900,
  inodes: 0,
  inodesFree: 0,
});
const sensors = Object.fromEntries(
  numbered(150, 'temp').flatMap((name) => [[`sys/class/hwmon/hwmon0/${name}_input`, '40000']]),
);
const groups = Object.fromEntries(
  Array.from({ length: 260 }, (_, index) => [
    `sys/fs/cgroup/system.slice/docker-${index.toString(16).padStart(64, '0')}.scope/memory.current`,
    '4096',
  ]),
);

const large = fakeFiles({
  'proc/diskstats': diskstats(numbered(240, 'mpath')),
  'proc/net/dev': netDev(numbered(500, 'eth')),
  'proc/mounts': mounts(numbered(300, 'f')),
  'sys/class/hwmon/hwmon0/name': 'board',
  'sys/fs/cgroup/cgroup.controllers': 'cpu memory',
  ...sensors,
  ...groups,
});
const busyUnits: Source = {
  name: 'units',
  read: async () => ({
    part: {
      units: numbered(700, 'unit').map((name) => ({
        name,
        state: name === 'unit699' ? 'failed' : 'active',
        sub_state: null,
        restarts: null,
      })),
    },
  }),
};
const cores: Source = {
  name: 'cpu',
  read: async () => {
    const shares = { percent: 1, io_wait_percent: 0, steal_percent: 0, user_percent: 1, system_percent: 0 };
    return { part: { cpu: { ...shares, per_core_percent: Array<number>(5000).fill(1) } }, note: 'of old' };
  },
};

it('cuts every list of a large machine with a note, so that the API accepts the report', async () => {
  const sources = [
    diskIoSource(large),
    networkSource(large),
    filesystemSource(large, space),
    temperatureSource(large),
    containerSource(large),
    busyUnits,
    cores,
  ].map(withinLimits);
  let now = 0;
  await prime(sources, { ts: 1000, up: 50 });
  const { report, sources: health } = await collect(sources, { ts: 1060, up: 110 }, 60, () => (now += 1));
  expect(reportItem.safeParse({ ...report, seq: 1 }).error).toBeUndefined();
  expect(report.disks).toHaveLength(REPORT_LIMITS.disks);
  expect(report.interfaces).toHaveLength(REPORT_LIMITS.interfaces);
  expect(report.filesystems).toHaveLength(REPORT_LIMITS.filesystems);
  expect(report.filesystems?.at(-1)?.mount).toBe('/mnt/f299');
  expect(report.units?.at(-1)?.name).toBe('unit699');
  const notes = Object.fromEntries(Object.entries(health).map(([name, { ok, error }]) => [name, [ok, error]]));
  const most = (limit: number): string => `are left out: a report holds at most ${String(limit)}`;
  expect(notes).toEqual({
    'disk-io': [true, `40 of 240 disks ${most(200)}`],
    network: [true, expect.stringMatching(new RegExp(`^300 of 500 interfaces ${most(200)}; `))],
    filesystem: [true, `100 of 300 filesystems ${most(200)}`],
    temperatures: [true, `50 of 150 sensors ${most(100)}`],
    containers: [true, `60 of 260 containers ${most(200)}`],
    units: [true, `200 of 700 units ${most(500)}`],
    cpu: [true, `904 of 5000 cores ${most(4096)}; of old`],
  });
});

it('keeps the disks it sent when more appear before them', async () => {
  let names = numbered(200, 'mpath');
  const files = fakeFiles({});
  const source = withinLimits(diskIoSource({ ...files, list: () => [], text: () => diskstats(names) }));
  const read = async (): Promise<string[]> =>
    (await source.read({ ts: 0, up: 0 })).part.disks?.map(({ device }) => device) ?? [];
  const sent = await read();
  names = [...numbered(40, 'a'), ...names];
  expect(await read()).toEqual(sent);
});

it('leaves a machine within the limits as it is', async () => {
  const taken = { part: { disks: [] }, note: 'x' };
  const source = withinLimits({ name: 'a', instant: true, read: () => Promise.resolve(taken) });
  expect(source.instant).toBe(true);
  expect(await source.read({ ts: 0, up: 0 })).toBe(taken);
});
