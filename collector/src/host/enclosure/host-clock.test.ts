import { expect, it } from 'vitest';
import { fakeFiles } from '../../testing/captured.ts';
import { processSource } from '../processes.ts';
import { hostClock, uptimeBootId } from './host-clock.ts';

const stat = (pid: number, startTicks: number): string => `${pid} (x) S 0 ${'0 '.repeat(15)}1 0 ${startTicks} 0 10 0`;
const LXCFS = '301 300 0:63 /proc/uptime /proc/uptime rw - fuse.lxcfs lxcfs rw\n';
/** The host booted at 1,000,000, the container 500,000 s later, and 200 s ago. */
const NOW = { ts: 1_500_200, up: 200 };

it.each([
  ['a host', { 'proc/1/stat': stat(1, 30) }, 0],
  ['lxcfs', { 'proc/1/stat': stat(1, 50_000_000), 'proc/self/mountinfo': LXCFS }, 500_000],
  ['an uptime that is younger than process 1', { 'proc/1/stat': stat(1, 50_000_000) }, 500_000],
  ['lxcfs with process 1 hidden', { 'proc/stat': 'btime 1000000\n', 'proc/self/mountinfo': LXCFS }, 500_000],
  ['lxcfs and nothing to compare with', { 'proc/self/mountinfo': LXCFS }, 0],
  ['process 1 hidden', { 'proc/stat': 'btime 1000000\n' }, 0],
])('the kernel is ahead by the age of the host: %s', (_, texts, seconds) => {
  expect(hostClock(fakeFiles(texts as Record<string, string>), 100)(NOW)).toBe(seconds);
});

it('is ahead of a container that has run longer than its host had before it', () => {
  const files = fakeFiles({ 'proc/1/stat': stat(1, 50_000_000), 'proc/self/mountinfo': LXCFS });
  expect(hostClock(files, 100)({ ts: 2_100_000, up: 600_000 })).toBe(500_000);
});

it('gives each run of a container under lxcfs a boot id of its own, because its uptime begins anew', () => {
  const files = fakeFiles({ 'proc/1/stat': stat(1, 50_000_000), 'proc/self/mountinfo': LXCFS });
  expect(uptimeBootId(files, 'kernel')).toBe('kernel-50000000');
  expect(uptimeBootId(files, 'k'.repeat(64))).toHaveLength(64);
  expect(uptimeBootId(fakeFiles({ 'proc/1/stat': stat(1, 5) }), 'kernel')).toBe('kernel');
  expect(uptimeBootId(fakeFiles({ 'proc/self/mountinfo': LXCFS }), 'kernel')).toBe('kernel');
});

it('dates the processes of a container by one clock', async () => {
  const files = fakeFiles({
    'proc/self/mountinfo': LXCFS,
    'proc/1/stat': stat(1, 50_000_000),
    'proc/7/stat': stat(7, 50_015_000),
  });
  const { part } = await processSource(files, { stripArguments: false }).read(NOW);
  const started = part.processes?.map(({ pid, started_at }) => [pid, started_at]);
  expect(started?.toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
    [1, 1_500_000],
    [7, 1_500_150],
  ]);
});
