import { describe, expect, it } from 'vitest';
import { captured, capturedText, fakeFiles } from '../testing/captured.ts';
import { loadSource, parseLoadavg } from './load.ts';
import {
  countCores,
  detectVirtualization,
  nameArchitecture,
  parseCpuModel,
  parseOsRelease,
  shapeOs,
  systemSource,
} from './system.ts';

const HOST = 'debian-12-firecracker';
const SETTINGS = { region: 'eu-central', collectorVersion: '1.2.3', architecture: 'x64' };

it('describes a captured host', async () => {
  const { part } = await systemSource(captured(HOST), SETTINGS).read({ ts: 0, up: 927.59 });
  expect(part.system).toEqual({
    hostname: 'vm',
    platform: 'linux',
    os_type: 'debian',
    os_name: 'Debian GNU/Linux 12 (bookworm)',
    os_version: '12',
    kernel: '6.18.44-fc-v509',
    architecture: 'amd64',
    cpu_model: 'AMD EPYC',
    cpu_cores: 2,
    uptime_seconds: 927.59,
    region: 'eu-central',
    collector_version: '1.2.3',
    virtualization: 'hypervisor',
  });
});

it('asks once what the machine is, and again where that failed', async () => {
  const texts: Record<string, string> = { 'proc/stat': 'cpu0 1\n' };
  for (const name of ['hostname', 'osrelease']) texts[`proc/sys/kernel/${name}`] = 'x\n';
  const asked: string[] = [];
  const files = fakeFiles(texts);
  const text = (path: string): string => (asked.push(path), files.text(path));
  const source = systemSource({ ...files, text }, SETTINGS);
  await expect(source.read({ ts: 0, up: 1 })).rejects.toThrow('cpuinfo');
  texts['proc/cpuinfo'] = 'model name : Z80\n';
  for (const up of [2, 3]) {
    const { part } = await source.read({ ts: 0, up });
    expect(part.system).toMatchObject({ cpu_model: 'Z80', virtualization: null });
  }
  expect(asked.filter((path) => path === 'proc/cpuinfo')).toHaveLength(2);
});

it('reads os-release with and without quotes, and falls back on a rolling distribution', () => {
  const release = parseOsRelease('ID=arch\nNAME="Arch \\"L\\" Linux"\nBUILD_ID=rolling\n# x\nbroken\n');
  expect(shapeOs(release)).toEqual({ os_type: 'arch', os_name: 'Arch "L" Linux', os_version: 'rolling' });
  expect(shapeOs(new Map())).toEqual({ os_type: 'linux', os_name: 'Linux', os_version: '' });
});

it('knows no model where the kernel names none', () => {
  expect(parseCpuModel('processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n')).toBeNull();
});

it('counts the cores that are online', () => {
  expect(countCores(capturedText(HOST, 'proc/stat'))).toBe(2);
});

it('names architectures as packages do', () => {
  expect([nameArchitecture('x64'), nameArchitecture('arm64'), nameArchitecture('riscv64')]).toEqual([
    'amd64',
    'arm64',
    'riscv64',
  ]);
});

describe('detectVirtualization', () => {
  const guest = 'flags\t\t: fpu hypervisor lahf_lm\n';

  it.each([
    [{ 'sys/class/dmi/id/sys_vendor': 'QEMU\n' }, guest, 'kvm'],
    [{ 'sys/class/dmi/id/sys_vendor': 'VMware, Inc.\n' }, guest, 'vmware'],
    [{ 'sys/class/dmi/id/sys_vendor': 'Dell Inc.\n' }, 'flags : fpu\n', null],
    [{ '.dockerenv': '' }, guest, 'container'],
    [{ 'run/.containerenv': '' }, guest, 'container'],
    [{}, guest, 'hypervisor'],
  ])('%j', (texts, cpuinfo, kind) => {
    expect(detectVirtualization(fakeFiles(texts as Record<string, string>), cpuinfo)).toBe(kind);
  });
});

describe('load', () => {
  it('reads a captured host', async () => {
    expect((await loadSource(captured(HOST)).read({ ts: 0, up: 0 })).part.load).toEqual({
      one: 3.86,
      five: 2.06,
      fifteen: 0.93,
    });
  });

  it('refuses what is no load', () => {
    expect(() => parseLoadavg('up 3 days')).toThrow('three numbers');
  });
});
