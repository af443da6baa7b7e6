import { hostSection } from '@plimsoll/contract/wire/described-object';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fakeFiles, linesOf } from '../../testing/captured.ts';
import { filesWithStats, type FakeFile } from '../../testing/files-with-stats.ts';
import { describedSource } from './described.ts';
import { APK, DPKG as DPKG_FIELDS, packagesOf } from './packages.ts';

const SETTINGS = { collectorVersion: '1.2.3', watchedFiles: ['etc/app.conf'] };
const DPKG = `Package: openssl
Status: install ok installed
Architecture: amd64
Version: 3.0.1

Package: nginx
Status: deinstall ok config-files
Version: 1.22

Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.36

Package: libc6
Status: install ok installed
Architecture: i386
Version: 2.36
`;
const LISTEN = (port: number) =>
  `   0: 00000000:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1217 1`;
const machine = (): Map<string, FakeFile> =>
  new Map<string, FakeFile>([
    ['proc/sys/kernel/hostname', { text: 'web-01\n' }],
    ['proc/sys/kernel/osrelease', { text: '6.1.0\n' }],
    ['proc/sys/kernel/random/boot_id', { text: 'boot-1\n' }],
    ['proc/sys/vm/swappiness', { text: '60\n' }],
    ['proc/sys/net/ipv4/ip_local_port_range', { text: '32768\t60999\n' }],
    ['proc/net/tcp', { text: `  sl  local_address\n${LISTEN(22)}\n${LISTEN(40_000)}\n` }],
    ['proc/self/mountinfo', { text: '26 1 8:1 / / rw - ext4 /dev/sda1 rw\n27 26 0:5 / /proc rw - proc proc rw\n' }],
    ['var/lib/dpkg/status', { text: DPKG }],
    ['run/systemd/system', { text: '' }],
    ['etc/systemd/system/app.service', { text: '[Service]' }],
    ['etc/systemd/system/off.service', { link: '/dev/null' }],
    ['etc/systemd/system/multi-user.target.wants/app.service', { link: '../app.service' }],
    ['etc/app.conf', { text: 'port=80' }],
  ]);

type Sections = Record<string, Record<string, string>>;
async function read(source: ReturnType<typeof describedSource>, up: number): Promise<Sections> {
  const { part } = await source.read({ ts: 1000 + up, up });
  return Object.fromEntries((part.described ?? []).map(({ section, entries }) => [section, entries]));
}

describe('the described state of a host', () => {
  it('has every section in the first reading', async () => {
    expect(await read(describedSource(filesWithStats(machine()), SETTINGS), 60)).toEqual({
      system: { collector: '1.2.3', hostname: 'web-01', kernel: '6.1.0', boot: 'boot-1' },
      packages: { openssl: '3.0.1', libc6: '2.36', 'libc6:i386': '2.36' },
      units: {
        'app.service': '9 bytes, modified 1970-01-01T00:00:00.000Z',
        'app.service enabled': 'yes',
        'off.service': 'masked',
      },
      mounts: { '/': '/dev/sda1 ext4' },
      sysctls: { 'vm.swappiness': '60', 'net.ipv4.ip_local_port_range': '32768 60999' },
      ports: { '22/tcp': 'listening' },
      files: { '/etc/app.conf': '7 bytes, modified 1970-01-01T00:00:00.000Z' },
    });
  });

  it('sends a section again only when it changed, and all of them after six hours', async () => {
    const files = machine();
    const source = describedSource(filesWithStats(files), SETTINGS);
    await read(source, 60);
    expect(await read(source, 120)).toEqual({});
    files.set('proc/sys/vm/swappiness', { text: '10\n' });
    expect(await read(source, 180)).toEqual({
      sysctls: { 'vm.swappiness': '10', 'net.ipv4.ip_local_port_range': '32768 60999' },
    });
    expect(Object.keys(await read(source, 180 + 6 * 3600))).toHaveLength(7);
  });

  it.each<[string, string, (files: Map<string, FakeFile>) => void]>([
    [
      'packages',
      'an update',
      (files) => files.set('var/lib/dpkg/status', { text: DPKG.replace('3.0.1', '3.0.2'), changedMs: 9 }),
    ],
    ['ports', 'an open port', (files) => files.set('proc/net/tcp', { text: `x\n${LISTEN(22)}\n${LISTEN(8081)}\n` })],
    ['units', 'a disabled unit', (files) => files.delete('etc/systemd/system/multi-user.target.wants/app.service')],
    ['units', 'a written drop-in', (files) => files.set('etc/systemd/system/app.service.d/x.conf', { text: 'x' })],
    ['files', 'a written file', (files) => files.set('etc/app.conf', { text: 'port=81', changedMs: 9 })],
    ['files', 'a removed file', (files) => files.delete('etc/app.conf')],
    ['system', 'a reboot', (files) => files.set('proc/sys/kernel/random/boot_id', { text: 'boot-2\n' })],
    [
      'mounts',
      'a filesystem that became read-only',
      (files) => files.set('proc/self/mountinfo', { text: '26 1 8:1 / / rw - ext4 /dev/sda1 ro\n' }),
    ],
  ])('%s: %s changes this section alone', async (section, _what, change) => {
    const files = machine();
    const source = describedSource(filesWithStats(files), SETTINGS);
    await read(source, 60);
    change(files);
    // Ports are read every five minutes.
    expect(Object.keys(await read(source, 400))).toEqual([section]);
  });

  it('has the filesystems of memory that a person mounted, none of the system and of its own sandbox', async () => {
    const mounts = ['/srv/data', '/dev/shm', '/run/user/0', '/home', '/tmp', '/var/tmp', '/sys/fs/cgroup'];
    const lines = mounts.map(
      (mount, index) => `${String(30 + index)} 1 0:${String(index)} / ${mount} rw - tmpfs tmpfs rw`,
    );
    const files = machine();
    files.set('proc/self/mountinfo', { text: `${lines.join('\n')}\n` });
    const sections = await read(describedSource(filesWithStats(files), SETTINGS), 60);
    expect(sections['mounts']).toEqual({ '/srv/data': 'tmpfs tmpfs' });
  });

  it('reads ports every five minutes, and more of the table only while everything listens', async () => {
    const files = machine();
    const heads: string[] = [];
    const plain = filesWithStats(files);
    const counting = {
      ...plain,
      head: (path: string, most: number) => {
        heads.push(`${path} ${String(most)}`);
        return plain.head(path, most);
      },
    };
    const many = Array.from({ length: 60 }, (_, index) => LISTEN(1000 + index)).join('\n');
    files.set('proc/net/tcp', { text: `  sl  local_address\n${many}\n` });
    const source = describedSource(counting, SETTINGS);
    expect(Object.keys((await read(source, 60))['ports'] ?? {})).toHaveLength(60);
    expect(heads).toEqual(['proc/net/tcp 4096', 'proc/net/tcp 65536', 'proc/net/tcp6 4096']);
    await read(source, 120);
    expect(heads).toHaveLength(3);
    await read(source, 361);
    expect(heads).toHaveLength(6);
  });

  it('a package whose name sounds like a secret has its version; a password in a mount has none', async () => {
    const files = machine();
    files.set('var/lib/dpkg/status', { text: DPKG.replaceAll('openssl', 'passwd') });
    files.set('proc/self/mountinfo', { text: '26 1 8:1 / /srv rw - cifs //nas/share?password=hunter2 rw\n' });
    const sections = await read(describedSource(filesWithStats(files), SETTINGS), 60);
    expect(sections['packages']).toMatchObject({ passwd: '3.0.1' });
    expect(JSON.stringify(sections)).not.toContain('hunter2');
  });

  it('leaves out what a machine does not have', async () => {
    const bare = fakeFiles({ 'proc/sys/kernel/hostname': 'h' });
    expect(Object.keys(await read(describedSource(bare, { ...SETTINGS, watchedFiles: [] }), 1))).toEqual([
      'system',
      'mounts',
      'sysctls',
    ]);
  });

  it('any text of a package database makes a section that the API accepts', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string(),
        fc.constantFrom('Package: ', 'Version: ', 'Status: install ok installed\n', 'P:', 'V:'),
        async (text, start) => {
          const database = `${start}${text}\n\nPackage: a\nStatus: install ok installed\nVersion: ${text}`;
          const files = filesWithStats(
            new Map([
              ['var/lib/dpkg/status', { text: database }],
              ['lib/apk/db/installed', { text: database }],
            ]),
          );
          const { part } = await describedSource(files, SETTINGS).read({ ts: 1, up: 1 });
          for (const section of part.described ?? []) expect(hostSection.safeParse(section).error).toBeUndefined();
        },
      ),
    );
  });
});

describe('packagesOf', () => {
  const read = (text: string, fields = DPKG_FIELDS) =>
    packagesOf((each) => {
      linesOf(text, each);
    }, fields);

  it('reads name and version of apk', () => {
    expect([...read('C:Q1\nP:musl\nV:1.2.5-r0\n\nP:busybox\nV:1.36\n', APK)]).toEqual([
      ['musl', '1.2.5-r0'],
      ['busybox', '1.36'],
    ]);
  });

  it('of dpkg leaves out what is not installed, and keeps both architectures of a package', () => {
    const entry = (name: string, version: string, more: string): string =>
      `Package: ${name}\n${more}\nVersion: ${version}\nDescription: x\n Package: y\n\n`;
    const text =
      entry('libc6', '2.36', 'Status: install ok installed\nArchitecture: amd64') +
      entry('libc6', '2.35', 'Status: install ok installed\nArchitecture: i386') +
      entry('gone', '1', 'Status: deinstall ok config-files') +
      entry('half', '1', 'Status: install ok half-installed');
    expect([...read(text)]).toEqual([
      ['libc6', '2.36'],
      ['libc6:i386', '2.35'],
    ]);
  });
});
