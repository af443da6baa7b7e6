import { describe, expect, it } from 'vitest';
import { captured, fakeFiles } from '../testing/captured.ts';
import { loadSource, parseLoadavg } from './load.ts';

const NOW = { ts: 0, up: 0 };
const read = (texts: Record<string, string>) => loadSource(fakeFiles(texts)).read(NOW);
const loadavg = '21.40 19.87 18.02 3/212 15023\n';
const LXCFS = '301 300 0:63 /proc/loadavg /proc/loadavg rw - fuse.lxcfs lxcfs rw\n';
const stat = (pid: number, threads: number): string => `${pid} (x) S 0 ${'0 '.repeat(15)}${threads} 0 100 0 10 0`;

it('reads a captured host', async () => {
  const { part, note } = await loadSource(captured('debian-12-firecracker')).read(NOW);
  expect([part.load, note]).toEqual([{ one: 3.86, five: 2.06, fifteen: 0.93 }, undefined]);
});

it('refuses what is no load', () => {
  expect(() => parseLoadavg('up 3 days')).toThrow('three numbers');
});

describe('load in a container', () => {
  // lxc/lxcfs#13: the load of the host in a container of two cores.
  it.each([
    ['lxc', { 'run/systemd/container': 'lxc' }, 'LXC container'],
    [
      'lxc with lxcfs',
      { 'run/systemd/container': 'lxc', 'proc/self/mountinfo': LXCFS, 'proc/1/stat': stat(1, 3) },
      'LXC container',
    ],
    ['docker', { '.dockerenv': '' }, 'Docker container'],
    ['podman', { 'run/.containerenv': '' }, 'Podman container'],
    ['nspawn', { 'run/systemd/container': 'systemd-nspawn' }, 'systemd-nspawn container'],
    ['a pod', { 'var/run/secrets/kubernetes.io/serviceaccount/token': '' }, 'Kubernetes pod'],
  ])('is not known in %s, with the reason', async (_, texts, name) => {
    const { part, note } = await read({ 'proc/loadavg': loadavg, ...(texts as Record<string, string>) });
    expect(part).toEqual({});
    expect(note).toBe(
      `The load average is that of the host, not of this ${name}; pressure shows how long its own tasks waited`,
    );
  });

  it('is its own where lxcfs counts the threads of the container alone', async () => {
    const texts = { 'run/systemd/container': 'lxc', 'proc/self/mountinfo': LXCFS };
    const own = {
      ...texts,
      'proc/loadavg': '0.40 0.87 1.02 1/47 523\n',
      'proc/1/stat': stat(1, 1),
      'proc/77/stat': stat(77, 44),
    };
    expect((await read(own)).part.load).toEqual({ one: 0.4, five: 0.87, fifteen: 1.02 });
    expect((await read({ ...own, 'proc/loadavg': '0.40 0.87 1.02 1/147 523\n' })).part.load).toBeUndefined();
  });

  it('is its own in OpenVZ and WSL 2, and none in WSL 1', async () => {
    expect((await read({ 'proc/loadavg': loadavg, 'proc/vz/veinfo': '' })).part.load?.one).toBe(21.4);
    const wsl = (release: string) => read({ 'proc/loadavg': loadavg, 'proc/sys/kernel/osrelease': release });
    expect((await wsl('5.15.90.1-microsoft-standard-WSL2')).part.load?.one).toBe(21.4);
    expect(await wsl('4.4.0-19041-Microsoft')).toEqual({ part: {}, note: expect.stringContaining('WSL 1') });
  });
});
