import { describe, expect, it } from 'vitest';
import { fakeFiles } from '../../testing/captured.ts';
import { controlGroupOf, countCpus, parseGroups } from './control-group.ts';
import { cpuSource } from '../cpu.ts';
import { limitedMemory } from './limited-memory.ts';
import { memorySource } from '../memory.ts';
import { pressureSource } from '../pressure.ts';

const GIB = 2 ** 30;
const STAT =
  'cpu  100 0 100 1000 10 0 0 0\ncpu0 1 0 1 10 1 0 0 0\ncpu1 1 0 1 10 1 0 0 0\ncpu2 1 0 1 10 1 0 0 0\ncpu3 1 0 1 10 1 0 0 0\n';
const MEMINFO = 'MemTotal: 67108864 kB\nMemAvailable: 33554432 kB\nSwapTotal: 8388608 kB\nSwapFree: 4194304 kB\n';
const two = (cpu: number, memory: string): Record<string, string> => ({
  '.dockerenv': '',
  'proc/stat': STAT,
  'proc/meminfo': MEMINFO,
  'proc/1/cgroup': '0::/\n',
  'sys/fs/cgroup/cgroup.controllers': 'cpu memory\n',
  'sys/fs/cgroup/cpu.max': '200000 100000\n',
  'sys/fs/cgroup/cpuset.cpus.effective': '0-3\n',
  'sys/fs/cgroup/cpu.stat': `usage_usec ${cpu}\nuser_usec ${cpu / 4}\nsystem_usec ${cpu / 2}\n`,
  'sys/fs/cgroup/memory.max': `${memory}\n`,
  'sys/fs/cgroup/memory.current': `${GIB}\n`,
  'sys/fs/cgroup/memory.stat': `anon 1\ninactive_file ${GIB / 4}\n`,
  'sys/fs/cgroup/cpu.pressure': 'some avg10=1.00 avg60=2.00 avg300=3.00 total=4000000\n',
});
const one = (cpu: number): Record<string, string> => ({
  '.dockerenv': '',
  'proc/stat': STAT,
  'proc/meminfo': MEMINFO,
  'proc/1/cgroup': '5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n',
  'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '200000\n',
  'sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
  'sys/fs/cgroup/cpu,cpuacct/cpuacct.usage': `${cpu * 1000}\n`,
  'sys/fs/cgroup/cpu,cpuacct/cpuacct.stat': `user ${cpu / 40_000}\nsystem ${cpu / 20_000}\n`,
  'sys/fs/cgroup/memory/memory.limit_in_bytes': `${2 * GIB}\n`,
  'sys/fs/cgroup/memory/memory.usage_in_bytes': `${GIB}\n`,
  'sys/fs/cgroup/memory/memory.stat': `total_inactive_file ${GIB / 4}\n`,
});

/** Both versions, with the controller of memory in the second (`cgroup_no_v1=memory`). */
const hybrid = (cpu: number): Record<string, string> => {
  const texts = Object.entries(one(cpu)).filter(([path]) => !path.startsWith('sys/fs/cgroup/memory/'));
  return {
    ...Object.fromEntries(texts),
    'sys/fs/cgroup/unified/cgroup.controllers': 'memory\n',
    'sys/fs/cgroup/unified/memory.max': `${2 * GIB}\n`,
    'sys/fs/cgroup/unified/memory.current': `${GIB}\n`,
    'sys/fs/cgroup/unified/memory.stat': `anon 1\ninactive_file ${GIB / 4}\n`,
  };
};

describe('a container with limits', () => {
  it.each([
    ['version 2', (cpu: number) => two(cpu, String(2 * GIB))],
    ['version 1', one],
    ['both', hybrid],
  ])('has the CPU and the memory of its control group, %s', async (_, at) => {
    const texts = at(1e6);
    const files = fakeFiles(texts);
    const cpu = cpuSource(files);
    await cpu.read({ ts: 0, up: 100 });
    // 60 s of CPU in 60 s, of two cores.
    Object.assign(texts, at(61e6));
    const { part, note } = await cpu.read({ ts: 60, up: 160 });
    expect(part.cpu).toEqual({
      percent: 50,
      user_percent: 12.5,
      system_percent: 25,
      io_wait_percent: null,
      steal_percent: null,
      per_core_percent: [],
    });
    expect(note).toContain('limit of this container');
    const memory = await limitedMemory(files, memorySource(files)).read({ ts: 0, up: 0 });
    expect(memory.part.memory).toEqual({
      total_bytes: 2 * GIB,
      used_bytes: 0.75 * GIB,
      available_bytes: 1.25 * GIB,
      swap_total_bytes: 0,
      swap_used_bytes: 0,
    });
  });

  it('has the pressure of its control group, not that of the host', async () => {
    const host = { 'proc/pressure/cpu': 'some avg10=90.00 avg60=90.00 avg300=90.00 total=9\n' };
    const { part } = await pressureSource(fakeFiles({ ...two(0, 'max'), ...host })).read({ ts: 0, up: 0 });
    expect(part.pressure).toEqual({
      cpu: { some: { avg10: 1, avg60: 2, avg300: 3, total_seconds: 4 } },
      memory: null,
      io: null,
    });
    const taken = await pressureSource(fakeFiles({ ...one(0), ...host })).read({ ts: 0, up: 0 });
    expect(taken).toEqual({ part: {}, note: expect.stringContaining('version 2') });
  });

  it.each([
    ['a limit', { 'memory.swap.max': `${GIB}`, 'memory.swap.current': `${GIB / 4}` }, GIB, GIB / 4],
    ['all swap of the host', { 'memory.swap.max': 'max', 'memory.swap.current': '0' }, 8 * GIB, 0],
    ['more than the host has', { 'memory.swap.max': `${16 * GIB}`, 'memory.swap.current': '1' }, 8 * GIB, 1],
    ['no swap', { 'memory.swap.max': '0', 'memory.swap.current': '0' }, 0, 0],
  ])('has the swap that its control group allows: %s', async (_, swap, total, used) => {
    const own = Object.entries(swap).map(([name, text]) => [`sys/fs/cgroup/${name}`, `${text}\n`]);
    const files = fakeFiles({ ...two(0, String(2 * GIB)), ...(Object.fromEntries(own) as Record<string, string>) });
    const { memory } = (await limitedMemory(files, memorySource(files)).read({ ts: 0, up: 0 })).part;
    expect([memory?.swap_total_bytes, memory?.swap_used_bytes]).toEqual([total, used]);
  });

  it('has the swap beside the memory that version 1 counts with it', async () => {
    const at = 'sys/fs/cgroup/memory/memory.memsw';
    const together = { [`${at}.limit_in_bytes`]: `${3 * GIB}\n`, [`${at}.usage_in_bytes`]: `${1.5 * GIB}\n` };
    const files = fakeFiles({ ...one(0), ...together });
    const { memory } = (await limitedMemory(files, memorySource(files)).read({ ts: 0, up: 0 })).part;
    expect([memory?.swap_total_bytes, memory?.swap_used_bytes]).toEqual([GIB, GIB / 2]);
  });

  it('has the figures of the host where it has no limit, and never the swap of the host', async () => {
    const files = fakeFiles({ ...two(0, 'max'), 'sys/fs/cgroup/cpu.max': 'max 100000\n' });
    expect((await cpuSource(files).read({ ts: 0, up: 0 })).part.cpu?.per_core_percent).toHaveLength(4);
    const { memory } = (await limitedMemory(files, memorySource(files)).read({ ts: 0, up: 0 })).part;
    expect(memory).toMatchObject({ total_bytes: 64 * GIB, used_bytes: 32 * GIB, swap_total_bytes: 0 });
  });

  it('has the files of /proc where lxcfs replaces them', async () => {
    const lxcfs = ['stat', 'meminfo'].map((name) => `1 2 0:3 / /proc/${name} rw - fuse.lxcfs lxcfs rw\n`).join('');
    const files = fakeFiles({ ...two(0, String(GIB)), 'proc/self/mountinfo': lxcfs });
    expect((await cpuSource(files).read({ ts: 0, up: 0 })).part.cpu?.per_core_percent).toHaveLength(4);
    const { memory } = (await limitedMemory(files, memorySource(files)).read({ ts: 0, up: 0 })).part;
    expect(memory).toMatchObject({ total_bytes: 64 * GIB, swap_total_bytes: 8 * GIB });
  });

  it('is found below the path of the host where the container has no namespace of its own', () => {
    const texts = {
      'proc/1/cgroup': '0::/system.slice/docker-a.scope/init.scope\n',
      'sys/fs/cgroup/cgroup.controllers': 'cpu',
      'sys/fs/cgroup/system.slice/docker-a.scope/cpu.max': '50000 100000',
    };
    expect(controlGroupOf(fakeFiles(texts))?.cpuLimitCores()).toBe(0.5);
  });
});

it('finds no control group where none is mounted', () => {
  expect(controlGroupOf(fakeFiles({}))).toBeNull();
});

it.each([
  ['0-3,8\n', 5],
  ['7', 1],
  ['', null],
  [null, null],
  ['none', null],
])('%j are %s CPUs', (text, count) => {
  expect(countCpus(text)).toBe(count);
});

it('reads the paths of a process by controller', () => {
  expect([...parseGroups('5:cpu,cpuacct:/a:b\n0::/c\ncut')]).toEqual([
    ['cpu', '/a:b'],
    ['cpuacct', '/a:b'],
    ['', '/c'],
  ]);
});
