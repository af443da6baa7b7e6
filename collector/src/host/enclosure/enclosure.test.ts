import { describe, expect, it } from 'vitest';
import { captured, fakeFiles } from '../../testing/captured.ts';
import { enclosureOf, groupKind, isContainer, lxcfsFiles } from './enclosure.ts';

const kindOf = (texts: Record<string, string>) => enclosureOf(fakeFiles(texts))?.kind ?? null;
const ID = 'a'.repeat(64);
const LXCFS = `301 300 0:63 /proc/stat /proc/stat rw,nosuid,nodev,relatime - fuse.lxcfs lxcfs rw,user_id=0,group_id=0
302 300 0:63 /proc/pressure/cpu /proc/pressure/cpu rw,relatime shared:7 - fuse.lxcfs lxcfs rw
303 300 0:24 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw
`;

describe('enclosureOf', () => {
  it.each([
    ['LXC, by systemd', { 'run/systemd/container': 'lxc\n' }, 'lxc'],
    ['nspawn, by systemd', { 'run/systemd/container': 'systemd-nspawn' }, 'systemd-nspawn'],
    ['an LXC image that was made of a Docker image', { 'run/systemd/container': 'lxc', '.dockerenv': '' }, 'lxc'],
    ['LXC without systemd', { 'proc/1/environ': 'PATH=/bin\0container=lxc\0TERM=linux\0' }, 'lxc'],
    ['LXC of old, by its devices', { 'dev/.lxc-boot-id': '', 'dev/null': '' }, 'lxc'],
    ['LXC, by lxcfs alone', { 'proc/self/mountinfo': LXCFS }, 'lxc'],
    ['Docker', { '.dockerenv': '' }, 'docker'],
    ['Docker without its file', { 'proc/1/cgroup': `0::/system.slice/docker-${ID}.scope\n` }, 'docker'],
    ['Podman', { 'run/.containerenv': '' }, 'podman'],
    ['Podman with systemd', { 'run/systemd/container': 'podman', 'run/.containerenv': 'engine="podman-5"' }, 'podman'],
    ['a pod', { 'var/run/secrets/kubernetes.io/serviceaccount/token': 'x' }, 'kubernetes'],
    [
      'a pod of CRI-O',
      { 'run/.containerenv': '', 'run/systemd/container': 'oci', 'proc/1/cgroup': '0::/\n' },
      'podman',
    ],
    ['OpenVZ', { 'proc/vz/veinfo': '' }, 'openvz'],
    ['a host of OpenVZ', { 'proc/vz/veinfo': '', 'proc/bc/0': '' }, null],
    ['WSL 1', { 'proc/sys/kernel/osrelease': '4.4.0-19041-Microsoft\n' }, 'wsl1'],
    ['WSL 2', { 'proc/sys/kernel/osrelease': '5.15.90.1-microsoft-standard-WSL2\n' }, 'wsl2'],
    [
      'WSL 2 with systemd',
      { 'proc/sys/kernel/osrelease': '6.6.87.2-microsoft-standard-WSL2', 'run/systemd/container': 'wsl' },
      'wsl2',
    ],
    [
      'Docker on WSL 2',
      { 'proc/sys/kernel/osrelease': '5.15.90.1-microsoft-standard-WSL2', '.dockerenv': '' },
      'docker',
    ],
    ['a host that runs containers', { 'proc/1/cgroup': '0::/init.scope\n', 'proc/1/environ': 'HOME=/\0' }, null],
    ['LXC made of an image of Docker, without systemd', { 'dev/.lxc-boot-id': '', '.dockerenv': '' }, 'lxc'],
    ['a virtual machine made of an image of Docker', { '.dockerenv': '', 'proc/2/stat': '2 (kthreadd) S 0 0' }, null],
    ['a container with a process of that name', { '.dockerenv': '', 'proc/2/stat': '2 (kthreadd-x) S 0' }, 'docker'],
    [
      'an image of systemd on any runtime',
      { 'run/systemd/container': 'oci\n', 'proc/1/cgroup': '0::/\n' },
      'container',
    ],
    ['a runtime of another name', { 'proc/1/environ': 'HOME=/\0container=bubblewrap\0' }, 'container'],
    ['a kernel of one’s own on WSL', { 'run/systemd/container': 'wsl' }, null],
    ['a pod without a token', { 'proc/1/environ': 'A=1\0KUBERNETES_SERVICE_HOST=10.96.0.1\0' }, 'kubernetes'],
    ['nothing readable', {}, null],
  ])('finds %s', (_, texts, kind) => {
    expect(kindOf(texts)).toBe(kind);
  });

  it.each([
    ['pid:[4026532756]', {}, 'container'],
    ['pid:[4026531836]', {}, null],
    ['pid:[4026532756]', { 'proc/sys/kernel/osrelease': '6.6.87.2-microsoft-standard-WSL2' }, 'wsl2'],
    ['pid:[4026532756]', { '.dockerenv': '' }, 'docker'],
  ])('takes processes of their own (%s, %j) for %s, as containerd leaves no other mark', (link, texts, kind) => {
    const files = { ...fakeFiles(texts), link: () => link };
    expect(enclosureOf(files)?.kind ?? null).toBe(kind);
  });

  it('finds nothing around a captured virtual machine', () => {
    expect(enclosureOf(captured('debian-12-firecracker'))).toBeNull();
  });

  it('calls what shares the kernel of a host a container', () => {
    expect(isContainer(null)).toBe(false);
    expect(isContainer({ kind: 'wsl2', lxcfs: new Set() })).toBe(false);
    expect(isContainer({ kind: 'openvz', lxcfs: new Set() })).toBe(true);
  });
});

it.each([
  ['12:memory:/lxc/101/ns\n', 'lxc'],
  ['0::/lxc.payload.web/init.scope', 'lxc'],
  [`4:cpu:/docker/${ID}`, 'docker'],
  [`0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-${ID}.scope`, 'kubernetes'],
  [`3:cpu:/kubepods/besteffort/pod1/${ID}`, 'kubernetes'],
  [`0::/machine.slice/libpod-${ID}.scope/container`, 'podman'],
  ['0::/machine.slice/systemd-nspawn@web.service/payload/init.scope', 'systemd-nspawn'],
  ['0::/init.scope', null],
  ['0::/system.slice/docker.service', null],
])('process 1 in the control group %j runs in %s', (cgroup, kind) => {
  expect(groupKind(cgroup)).toBe(kind);
});

it('lists the files of lxcfs below /proc, and no mount of a host', () => {
  expect([...lxcfsFiles(`${LXCFS}77 25 0:51 / /var/lib/lxcfs rw,nosuid - fuse.lxcfs lxcfs rw\n\ncut off`)]).toEqual([
    'stat',
    'pressure/cpu',
  ]);
});
