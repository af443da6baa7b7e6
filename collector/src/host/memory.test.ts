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
    const text = 'MemTotal: 1000 kB\nMemFree: 100 kB\nBuffers: 50 kB\nCached: 200 kB\nShmem: 30 kB\n';
    const taken = await memorySource(fakeFiles({ 'proc/meminfo': text })).read({ ts: 0, up: 0 });
    expect(taken.part.memory?.available_bytes).toBe(320 * 1024);
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
});
