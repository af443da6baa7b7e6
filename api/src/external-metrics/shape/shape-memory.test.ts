import { expect, test } from 'vitest';
import { reportOfNodeExporter, reportOfOpenTelemetry } from '../../testing/other-agents.ts';

const GiB = 2 ** 30;
const memoryOf = (figures: Record<string, number>) =>
  reportOfNodeExporter(
    Object.entries(figures)
      .map(([name, value]) => `node_${name} ${String(value)}`)
      .join('\n'),
  );
const inGiB = (figures: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, value * GiB]));

test('macOS: wired, compressed and active memory is used', () => {
  const { memory } = memoryOf(
    inGiB({
      memory_total_bytes: 16,
      memory_free_bytes: 1,
      memory_active_bytes: 5,
      memory_inactive_bytes: 4,
      memory_wired_bytes: 3,
      memory_compressed_bytes: 2,
      memory_swap_total_bytes: 2,
      memory_swap_used_bytes: 1,
    }),
  );
  expect(memory).toEqual({
    total_bytes: 16 * GiB,
    used_bytes: 10 * GiB,
    available_bytes: 6 * GiB,
    swap_total_bytes: 2 * GiB,
    swap_used_bytes: GiB,
  });
});

const FREEBSD = inGiB({
  memory_size_bytes: 8,
  memory_free_bytes: 1,
  memory_active_bytes: 2,
  memory_inactive_bytes: 3,
  memory_wired_bytes: 2,
  memory_swap_size_bytes: 4,
  memory_swap_used_bytes: 1,
});

test('FreeBSD, OpenBSD and NetBSD: active and wired memory is used, less what ZFS gives back', () => {
  expect(memoryOf(FREEBSD).memory).toMatchObject({
    total_bytes: 8 * GiB,
    used_bytes: 4 * GiB,
    swap_total_bytes: 4 * GiB,
    swap_used_bytes: GiB,
  });
  const zfs = inGiB({ zfs_arcstats_size_bytes: 1.5, zfs_arcstats_c_min_bytes: 0.5 });
  expect(memoryOf({ ...FREEBSD, ...zfs }).memory).toMatchObject({ used_bytes: 3 * GiB });
});

test('Linux: the cache of ZFS and unused huge pages are not used', () => {
  const linux = inGiB({ memory_MemTotal_bytes: 64, memory_MemAvailable_bytes: 7, memory_MemFree_bytes: 6 });
  const zfs = inGiB({ zfs_arc_size: 31, zfs_arc_c_min: 2 });
  expect(memoryOf({ ...linux, ...zfs }).memory).toMatchObject({ used_bytes: 28 * GiB });
  const huge = { memory_HugePages_Free: 20, memory_HugePages_Rsvd: 4, memory_Hugepagesize_bytes: GiB };
  expect(memoryOf({ ...linux, ...huge }).memory).toMatchObject({ used_bytes: 41 * GiB, available_bytes: 7 * GiB });
});

test('Linux before 3.14: the kernel gives back its caches of files and folders', () => {
  const old = { memory_MemTotal_bytes: 10, memory_MemFree_bytes: 1, memory_Cached_bytes: 1 };
  const { memory } = memoryOf(inGiB({ ...old, memory_SReclaimable_bytes: 6 }));
  expect(memory).toMatchObject({ used_bytes: 2 * GiB, available_bytes: 8 * GiB });
});

test('figures that do not suffice are not called missing', () => {
  const { memory, agent } = memoryOf({ memory_total_bytes: GiB, load1: 1, load5: 1, load15: 1 });
  expect(memory).toBeUndefined();
  expect(agent?.sources['memory']?.error).toBe('The agent sends too few figures of the memory to compute its use');
  const without = memoryOf({ load1: 1, load5: 1, load15: 1 });
  expect(without.agent?.sources['memory']?.error).toContain('node_exporter does not send this');
});

test('OpenTelemetry: inactive memory of macOS and the BSDs is part of the total', () => {
  const state = (name: string, value: number) => ['system.memory.usage', { state: name }, value * GiB] as const;
  const { memory } = reportOfOpenTelemetry([state('used', 5), state('free', 1), state('inactive', 2)]);
  expect(memory).toMatchObject({ total_bytes: 8 * GiB, used_bytes: 5 * GiB });
});

test('OpenTelemetry: the newer conventions have two states, and another name for what is available', () => {
  const state = (name: string, value: number) =>
    ['system.memory.usage', { 'system.memory.state': name }, value * GiB] as const;
  const two = reportOfOpenTelemetry([state('used', 6), state('available', 4)]).memory;
  expect(two).toMatchObject({ total_bytes: 10 * GiB, used_bytes: 6 * GiB, available_bytes: 4 * GiB });
  const renamed = reportOfOpenTelemetry([
    state('used', 1),
    state('cached', 8),
    state('free', 1),
    ['system.memory.linux.available', {}, 4 * GiB],
  ]).memory;
  expect(renamed).toMatchObject({ total_bytes: 10 * GiB, used_bytes: 6 * GiB, available_bytes: 4 * GiB });
});

test('OpenTelemetry: states that overlap, as since 0.142, make no total where the share of used memory is sent', () => {
  const state = (name: string, value: number) => ['system.memory.usage', { state: name }, value * GiB] as const;
  const { memory } = reportOfOpenTelemetry([
    state('used', 6),
    state('free', 2),
    state('buffered', 1),
    state('cached', 9),
    ['system.memory.utilization', { state: 'used' }, 6 / 16],
    ['system.memory.utilization', { state: 'free' }, 2 / 16],
  ]);
  expect(memory).toMatchObject({ total_bytes: 16 * GiB, used_bytes: 6 * GiB, available_bytes: 10 * GiB });
});
