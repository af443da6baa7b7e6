import { describe, expect, it } from 'vitest';
import { fakeFiles } from '../../testing/captured.ts';
import { findContainers, identifyGroup, KnownServices } from './container-groups.ts';
import { containerSource } from '../containers.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const USER = 'user.slice/user-1000.slice/user@1000.service';

/** A tree of version 2: each group has the files that the source reads. */
const tree = (groups: readonly string[]): Record<string, string> =>
  Object.fromEntries([
    ['sys/fs/cgroup/cgroup.controllers', 'cpu memory\n'],
    ...groups.flatMap((group) =>
      [
        ['memory.current', '1000\n'],
        ['memory.max', 'max\n'],
        ['cpu.stat', 'usage_usec 5\n'],
      ].map(([file, text]) => [`sys/fs/cgroup/${group}/${file}`, text]),
    ),
  ]) as Record<string, string>;
const found = (...groups: string[]): unknown[] =>
  findContainers(fakeFiles(tree(groups)), 'sys/fs/cgroup').map(({ id, runtime, name }) => [id, runtime, name]);

describe('the groups of each runtime', () => {
  it.each([
    // google/cadvisor#3648
    ['Podman', [`machine.slice/libpod-${A}.scope`, `machine.slice/libpod-conmon-${A}.scope`], [[A, 'libpod', null]]],
    [
      'a Quadlet',
      [`system.slice/nginx.service/libpod-payload-${B}`, 'system.slice/nginx.service/supervisor'],
      [[B, 'libpod', 'nginx']],
    ],
    ['a rootless Quadlet', [`${USER}/app.slice/immich.service/libpod-payload-${C}`], [[C, 'libpod', 'immich']]],
    ['a rootless container', [`${USER}/user.slice/libpod-${A}.scope/container`], [[A, 'libpod', null]]],
    ['a pod of Podman', [`machine.slice/machine-libpod_pod_${B}.slice/libpod-${A}.scope`], [[A, 'libpod', null]]],
    ['Podman without systemd', [`libpod_parent/libpod-${A}`], [[A, 'libpod', null]]],
    ['Docker with systemd', [`system.slice/docker-${A}.scope`], [[A, 'docker', null]]],
    ['Docker without systemd', [`docker/${A}`], [[A, 'docker', null]]],
    ['rootless Docker', [`${USER}/user.slice/docker-${A}.scope`], [[A, 'docker', null]]],
    [
      'containerd',
      [`k8s.io/${A}`, `default/${B}`],
      [
        [A, 'containerd', null],
        [B, 'containerd', null],
      ],
    ],
    [
      'CRI-O',
      [
        `kubepods.slice/kubepods-pod1.slice/crio-${A}.scope`,
        `kubepods.slice/kubepods-pod1.slice/crio-conmon-${A}.scope`,
      ],
      [[A, 'crio', null]],
    ],
    [
      'containerd of Kubernetes',
      [`kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice/cri-containerd-${A}.scope`],
      [[A, 'cri-containerd', null]],
    ],
    ['Kubernetes without systemd', [`kubepods/burstable/pod1234/${A}`], [[A, 'kubernetes', null]]],
    [
      'Kubernetes with two drivers',
      [`system.slice/containerd.service/kubepods-besteffort-pod1.slice:cri-containerd:${A}`],
      [[A, 'cri-containerd', null]],
    ],
    [
      'LXC',
      ['lxc.payload.web.example', 'lxc.monitor.web.example', 'lxc.pivot'],
      [['lxc/web.example', 'lxc', 'web.example']],
    ],
    ['LXC of Proxmox', ['lxc/101/ns', 'lxc.monitor/101'], [['lxc/101', 'lxc', '101']]],
    [
      'Docker inside LXC',
      [`lxc/101/ns/system.slice/docker-${A}.scope`],
      [
        ['lxc/101', 'lxc', '101'],
        [A, 'docker', null],
      ],
    ],
    ['a virtual machine of Proxmox', ['qemu.slice/100.scope'], [['qemu/100', 'qemu', '100']]],
    [
      'a virtual machine of libvirt',
      ['machine.slice/machine-qemu\\x2d7\\x2dwin11\\x2dtest.scope/libvirt/emulator'],
      [['qemu/win11-test', 'qemu', 'win11-test']],
    ],
    ['a virtual machine without systemd', ['machine/qemu-3-web.libvirt-qemu'], [['qemu/web', 'qemu', 'web']]],
    ['a container of libvirt', ['machine.slice/machine-lxc\\x2d12\\x2ddb.scope'], [['lxc/db', 'lxc', 'db']]],
    [
      'systemd-nspawn',
      ['machine.slice/systemd-nspawn@debian\\x2d13.service/payload', 'machine.slice/machine-fedora.scope'],
      [
        ['systemd-nspawn/debian-13', 'systemd-nspawn', 'debian-13'],
        ['systemd-nspawn/fedora', 'systemd-nspawn', 'fedora'],
      ],
    ],
    [
      'services and sessions',
      ['system.slice/ssh.service', 'user.slice/user-0.slice/session-1.scope', 'init.scope'],
      [],
    ],
  ])('%s', (_, groups, expected) => {
    expect(found(...groups)).toEqual(expected);
  });

  it('takes no file of a controller for a container of LXC', () => {
    const files = ['cgroup.procs', 'memory.max', 'cpu.stat', 'pids.max', 'tasks'];
    const texts = Object.fromEntries(files.map((file) => [`sys/fs/cgroup/lxc/${file}`, '']));
    expect(findContainers(fakeFiles(texts), 'sys/fs/cgroup')).toEqual([]);
  });

  it('names a container of a Quadlet by its service where the state of Podman cannot be read', async () => {
    const files = fakeFiles(tree([`system.slice/nginx.service/libpod-payload-${B}`, 'lxc.payload.web']));
    const { part } = await containerSource(files).read({ ts: 0, up: 1 });
    expect(part.containers).toMatchObject([
      { id: 'lxc/web', name: 'web', runtime: 'lxc' },
      { id: B.slice(0, 12), name: 'nginx', runtime: 'libpod', memory_bytes: 1000 },
    ]);
  });
});

it('keeps the CPU of a container and of a virtual machine with one name apart', async () => {
  const texts = tree(['lxc.payload.web', 'machine.slice/machine-qemu\\x2d1\\x2dweb.scope']);
  const source = containerSource(fakeFiles(texts));
  await source.read({ ts: 0, up: 100 });
  texts['sys/fs/cgroup/lxc.payload.web/cpu.stat'] = 'usage_usec 30000005\n';
  const { part } = await source.read({ ts: 60, up: 160 });
  expect(part.containers?.map(({ id, cpu_percent }) => [id, cpu_percent])).toEqual([
    ['lxc/web', expect.closeTo(50, 6)],
    ['qemu/web', 0],
  ]);
});

describe('services', () => {
  it('are listed again at once where they hold a container, and now and then where they do not', () => {
    const texts = tree([`system.slice/web.service/libpod-payload-${A}`, 'system.slice/ssh.service']);
    const files = fakeFiles(texts);
    const listed: string[] = [];
    const counting = {
      ...files,
      list: (path: string) => (listed.push(path.split('/').at(-1) ?? ''), files.list(path)),
    };
    const services = new KnownServices();
    const readings = Array.from({ length: 20 }, () => {
      listed.length = 0;
      const count = findContainers(counting, 'sys/fs/cgroup', services).length;
      return [count, listed.includes('web.service'), listed.includes('ssh.service')];
    });
    expect(readings[0]).toEqual([1, true, true]);
    expect(readings.slice(1).every(([count, web]) => count === 1 && web === true)).toBe(true);
    expect(readings.slice(1).filter(([, , ssh]) => ssh).length).toBeLessThanOrEqual(2);
    // A service that begins to hold a container is seen within ten readings.
    Object.assign(texts, tree([`system.slice/ssh.service/libpod-payload-${B}`]));
    const counts = Array.from({ length: 10 }, () => findContainers(files, 'sys/fs/cgroup', services).length);
    expect(counts.at(-1)).toBe(2);
  });
});

it.each([
  ['machine-.scope', 'machine.slice'],
  ['qemu.slice', ''],
  ['100.scope', 'system.slice'],
  [`${A}.mount`, 'docker'],
  ['libpod-payload-short', 'web.service'],
])('%s in %s is no container', (name, parent) => {
  expect(identifyGroup(name, parent)).toBeNull();
});
