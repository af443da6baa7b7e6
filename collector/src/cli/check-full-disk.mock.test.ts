import { expect, it, vi } from 'vitest';
import type { Disk, diskAt as realDiskAt } from '../runtime/disk.ts';
import { enrolled, plimsoll } from '../testing/command.ts';

const free = vi.hoisted(() => ({ bytes: 0, share: 0 }));
// A full filesystem cannot be made in a test that runs as any user.
vi.mock('../runtime/disk.ts', async (original) => {
  const { diskAt } = await original<{ diskAt: typeof realDiskAt }>();
  return { diskAt: (folder: string): Disk => ({ ...diskAt(folder), free: () => free }) };
});

const MIB = 1_048_576;
it.each([
  [64 * MIB, 0.05, 'ok    spool: 64 MiB (5 %) free'],
  [64 * MIB - 1, 0.5, 'FAIL  spool: 63 MiB (50 %) free: reports are kept in memory only'],
  [900 * MIB, 0.0499, 'FAIL  spool: 900 MiB (5 %) free: reports are kept in memory only'],
  [0, 0, 'FAIL  spool: 0 MiB (0 %) free: reports are kept in memory only'],
])('with %d bytes free, a share of %d: %s', async (bytes, share, finding) => {
  Object.assign(free, { bytes, share });
  const { out } = await plimsoll(['check', ...enrolled().config]);
  expect(out).toContain(finding);
  expect(out.includes('→ Free some space: at least 64 MiB and 5 % of the disk')).toBe(finding.startsWith('FAIL'));
});
