import { describe, expect, it } from 'vitest';
import { captured, fakeFiles } from '../testing/captured.ts';
import { detectVirtualization, nameArchitecture, parseCpuModel, shapeOs, systemSource } from './system.ts';
import { parseOsRelease } from './tables/os-release.ts';

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
  const empty = parseOsRelease('ID=\nPRETTY_NAME=""\nNAME=Own\nVERSION_ID=\nBUILD_ID=7\n');
  expect(shapeOs(empty)).toEqual({ os_type: 'linux', os_name: 'Own', os_version: '7' });
});

it('knows no model where the kernel names none', () => {
  expect(parseCpuModel('processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n')).toBeNull();
});

it.each([
  ['processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 2200.000000MHz\n', 'POWER9, altivec supported'],
  ['system type\t: generic-loongson-machine\nModel Name\t: Loongson-3A5000\n', 'Loongson-3A5000'],
  ['processor\t: 0\nhart\t\t: 1\nuarch\t\t: sifive,u74-mc\n', 'sifive,u74-mc'],
  ['processor\t: 0\nmodel name\t: \nstepping\t: 1\n', null],
  ['vendor_id       : IBM/S390\ncpu number      : 0\ncpu MHz static  : 5200\n', null],
])('reads the processor of %j', (cpuinfo, model) => {
  expect(parseCpuModel(cpuinfo)).toBe(model);
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
    [{ '.dockerenv': '' }, guest, 'docker'],
    [{ 'run/.containerenv': '' }, guest, 'podman'],
    [{ 'run/systemd/container': 'lxc', 'sys/class/dmi/id/sys_vendor': 'QEMU\n' }, guest, 'lxc'],
    [{}, guest, 'hypervisor'],
    [{ 'proc/device-tree/hypervisor/compatible': 'linux,kvm\0' }, '', 'kvm'],
    [{ 'proc/device-tree/hypervisor/compatible': 'own,monitor\0' }, '', 'hypervisor'],
    [{ 'proc/device-tree/compatible': 'qemu,pseries\0' }, 'cpu : POWER9\n', 'kvm'],
    [{ 'proc/device-tree/compatible': 'linux,dummy-virt\0' }, '', 'hypervisor'],
    [{ 'proc/device-tree/fw-cfg@9020000/compatible': 'qemu,fw-cfg-mmio\0' }, '', 'kvm'],
    [{ 'proc/device-tree/ibm,partition-name': 'a', 'proc/device-tree/hmc-managed?': '1' }, '', 'powervm'],
    [{ 'proc/device-tree/compatible': 'raspberrypi,4-model-b\0brcm,bcm2711\0' }, '', null],
    [{ 'proc/sysinfo': 'Type: 3931\nVM00 Control Program: z/VM    7.2.0\n' }, '', 'zvm'],
    [{ 'proc/sysinfo': 'Type: 3931\nVM00 Control Program: KVM/Linux\n' }, '', 'kvm'],
    [{ 'proc/sysinfo': 'Type: 3931\nLPAR Name: LP1\n' }, '', null],
    [{}, 'vendor_id\t: User Mode Linux\n', 'uml'],
  ])('%j', (texts, cpuinfo, kind) => {
    expect(detectVirtualization(fakeFiles(texts as Record<string, string>), cpuinfo)).toBe(kind);
  });
});

describe('the cores of a container', () => {
  const stat = 'cpu 1 2 3 4\ncpu0 1 2 3 4\ncpu1 1 2 3 4\ncpu2 1 2 3 4\ncpu3 1 2 3 4\n';
  const texts = (more: Record<string, string>): Record<string, string> => ({
    'proc/stat': stat,
    'proc/cpuinfo': '',
    'proc/sys/kernel/hostname': 'x',
    'proc/sys/kernel/osrelease': 'x',
    'sys/fs/cgroup/cgroup.controllers': 'cpu',
    'sys/fs/cgroup/cpu.max': '150000 100000\n',
    ...more,
  });
  it.each([
    ['Docker', { '.dockerenv': '' }, 2],
    [
      'LXC with lxcfs, whose file holds its own',
      { 'proc/self/mountinfo': '1 2 0:3 / /proc/stat rw - fuse.lxcfs lxcfs rw' },
      4,
    ],
    ['the pod of a node’s agent', { 'var/run/secrets/kubernetes.io/serviceaccount/token': '' }, 4],
    ['a virtual machine', {}, 4],
  ])('in %s', async (_, more, cores) => {
    const { part } = await systemSource(fakeFiles(texts(more)), SETTINGS).read({
      ts: 0,
      up: 1,
    });
    expect(part.system?.cpu_cores).toBe(cores);
  });
});
