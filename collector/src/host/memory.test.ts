import { describe, expect, it } from 'vitest';
import { captured, capturedText, fakeFiles } from '../testing/captured.ts';
import { memorySource, parseMeminfo, shapeMemory } from './memory.ts';

const HOST = 'debian-12-firecracker';

describe('memory', () => {
  it('uses MemAvailable of a captured host', () => {
    const values = parseMeminfo(capturedText(HOST, 'proc/meminfo'));
    const { memory, estimated } = shapeMemory(values);
    expect(estimated).toBe(false);
    expect(memory.total_bytes).toBe(24_684_100 * 1024);
    expect(memory.used_bytes).toBe(memory.total_bytes - memory.available_bytes);
    expect(memory.swap_total_bytes).toBe(0);
  });

  it('never says that more is available than there is', () => {
    const { memory } = shapeMemory(parseMeminfo('MemTotal: 10 kB\nMemAvailable: 12 kB\n'));
    expect(memory).toMatchObject({ available_bytes: 10_240, used_bytes: 0 });
  });

  it('keeps counts without a unit as they are', () => {
    expect(parseMeminfo('HugePages_Total:       3\n').get('HugePages_Total')).toBe(3);
  });

  it('estimates where the kernel is too old, and says so', async () => {
    const text =
      'MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 200 kB\nShmem: 30 kB\nSReclaimable: 400 kB\n';
    const taken = await memorySource(fakeFiles({ 'proc/meminfo': text })).read({ ts: 0, up: 0 });
    expect(taken.part.memory?.available_bytes).toBe(720 * 1024);
    expect(taken.note).toContain('estimated');
  });

  it('reads swap in use', () => {
    const { memory } = shapeMemory(
      parseMeminfo('MemTotal: 10 kB\nMemAvailable: 4 kB\nSwapTotal: 8 kB\nSwapFree: 3 kB\n'),
    );
    expect(memory).toMatchObject({ swap_total_bytes: 8192, swap_used_bytes: 5120, used_bytes: 6144 });
  });

  it('fails by name on a truncated file', async () => {
    const source = memorySource(fakeFiles({ 'proc/meminfo': 'MemFr' }));
    await expect(source.read({ ts: 0, up: 0 })).rejects.toThrow('MemTotal');
  });

  it('has no note on a captured host', async () => {
    expect((await memorySource(captured(HOST)).read({ ts: 0, up: 0 })).note).toBeUndefined();
  });

  const ZFS = {
    'proc/meminfo': 'MemTotal: 67108864 kB\nMemFree: 6291456 kB\nMemAvailable: 7340032 kB\n',
    'proc/spl/kstat/zfs/arcstats': `13 1 0x01 123 33456 5123456789 987654321012345
name                            type data
hits                            4    1234567
c                               4    33285996544
c_min                           4    2147483648
c_max                           4    33285996544
compressed_size                 4    30000000000
size                            4    33285996544
`,
  };
  const read = async (texts: Record<string, string>, isContainer: boolean) =>
    (await memorySource(fakeFiles(texts), isContainer).read({ ts: 0, up: 0 })).part.memory;

  it('counts the cache of ZFS above its minimum as available, except inside a container', async () => {
    const memory = await read(ZFS, false);
    expect(memory).toMatchObject({
      total_bytes: 64 * 2 ** 30,
      used_bytes: 28 * 2 ** 30,
      available_bytes: 36 * 2 ** 30,
    });
    expect(await read(ZFS, true)).toMatchObject({ used_bytes: 57 * 2 ** 30 });
    expect(await read({ ...ZFS, 'proc/spl/kstat/zfs/arcstats': 'size 4 x\n' }, false)).toMatchObject({
      used_bytes: 57 * 2 ** 30,
    });
  });

  it('counts huge pages that nobody uses apart, of every size', async () => {
    const meminfo = `MemTotal: 1000000 kB
MemAvailable: 300000 kB
HugePages_Total:     200
HugePages_Free:      150
HugePages_Rsvd:       50
Hugepagesize:       2048 kB
`;
    expect(await read({ 'proc/meminfo': meminfo }, false)).toMatchObject({
      used_bytes: (700_000 - 100 * 2048) * 1024,
      available_bytes: 300_000 * 1024,
    });
    const sizes = {
      'sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages': '10\n',
      'sys/kernel/mm/hugepages/hugepages-2048kB/resv_hugepages': '0\n',
      'sys/kernel/mm/hugepages/hugepages-65536kB/free_hugepages': '2\n',
      'sys/kernel/mm/hugepages/hugepages-65536kB/resv_hugepages': '1\n',
    };
    expect(await read({ 'proc/meminfo': meminfo, ...sizes }, false)).toMatchObject({
      used_bytes: (700_000 - 10 * 2048 - 65_536) * 1024,
    });
    expect(await read({ 'proc/meminfo': meminfo, ...sizes }, true)).toMatchObject({ used_bytes: 700_000 * 1024 });
  });
});
