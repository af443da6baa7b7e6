import type { HostSection } from '@plimsoll/contract/rules/described-kinds';
import { filesystemKind } from '@plimsoll/contract/rules/machines/filesystem-kinds';
import type { Mount } from '@plimsoll/contract/rules/machines/filesystems';
import type { Files } from '../../runtime/files.ts';
import { parseMountinfo, parseMounts } from '../tables/mounts.ts';
import { readOsRelease } from '../tables/os-release.ts';
import { parseSocket, type Socket } from '../tables/socket-table.ts';
import { type Entries, packageReader } from './packages.ts';
import { enabledUnits, unitFiles } from './unit-files.ts';

export interface SectionSettings {
  collectorVersion: string;
  /** Without the leading slash. */
  watchedFiles: readonly string[];
}

/** Reads a section. Raise `form` with every change of what it reads: states of two forms are not compared. */
export interface SectionReader {
  section: HostSection;
  form: number;
  /** Seconds between two readings of a section that is dear; left out: every report reads it. */
  everySeconds?: number;
  read: () => Entries;
}

export const sectionReaders = (files: Files, settings: SectionSettings): SectionReader[] => [
  { section: 'system', form: 1, read: () => readSystem(files, settings) },
  { section: 'packages', form: 1, read: packageReader(files) },
  { section: 'units', form: 1, read: () => readUnits(files) },
  { section: 'mounts', form: 2, read: () => readMounts(files) },
  { section: 'sysctls', form: 1, read: () => readSysctls(files) },
  // The kernel walks its table of sockets at each read: 4 ms on a host of 16 GB.
  { section: 'ports', form: 1, everySeconds: 300, read: () => readPorts(files) },
  { section: 'files', form: 1, read: () => readFiles(files, settings.watchedFiles) },
];

function readSystem(files: Files, { collectorVersion }: SectionSettings): Entries {
  const release = readOsRelease(files);
  const found = new Map([['collector', collectorVersion]]);
  const add = (name: string, value: string | null | undefined): void => {
    const text = value?.trim();
    if (text) found.set(name, text);
  };
  add('hostname', files.optional('proc/sys/kernel/hostname'));
  add('kernel', files.optional('proc/sys/kernel/osrelease'));
  add('boot', files.optional('proc/sys/kernel/random/boot_id'));
  add('os', release.get('PRETTY_NAME'));
  add('commandLine', files.optional('proc/cmdline'));
  add('timezone', files.link('etc/localtime')?.replace(/^.*\/zoneinfo\//, ''));
  return found;
}

function readUnits(files: Files): Entries {
  if (files.stat('run/systemd/system') === null) return null;
  const enabled = enabledUnits(files);
  const found = new Map<string, string>();
  for (const [name, mark] of unitFiles(files)) found.set(name, mark);
  for (const name of enabled) found.set(`${name} enabled`, 'yes');
  return found;
}

/** Container runtimes and the kubelet mount and unmount all day. */
const BUSY_MOUNTS =
  /^\/(?:run|proc|sys|dev|snap|var\/lib\/(?:docker|containerd|containers|kubelet|lxc|lxd|incus))(?:\/|$)/;

/** The collector's unit has filesystems of memory of its own here (ProtectHome=, PrivateTmp=). */
const SANDBOX_MOUNTS = /^\/(?:home|root|tmp|var\/tmp)(?:\/|$)/;
/** The system mounts views of the kernel. A filesystem of memory a person mounts too, and programs miss its files. */
const isKept = (one: Mount): boolean =>
  !BUSY_MOUNTS.test(one.mount) &&
  (filesystemKind(one) !== 'pseudo' || (one.type === 'tmpfs' && !SANDBOX_MOUNTS.test(one.mount)));

/** A mount of a sandbox is read-only although the host's is not, so the state of the filesystem counts. */
function readMounts(files: Files): Entries {
  const text = files.optional('proc/self/mountinfo');
  const mounts = text === null ? parseMounts(files.optional('proc/mounts') ?? '') : parseMountinfo(text);
  return new Map(
    mounts
      .filter(isKept)
      .map(({ mount, device, type, isReadOnly }) => [
        mount,
        `${device} ${type}${isReadOnly === true ? ' read-only' : ''}`,
      ]),
  );
}

/** A change of one of these explains an outage. */
const SYSCTLS = [
  'fs/file-max',
  'fs/inotify/max_user_instances',
  'fs/inotify/max_user_watches',
  'fs/nr_open',
  'kernel/pid_max',
  'kernel/threads-max',
  'net/core/somaxconn',
  'net/ipv4/ip_forward',
  'net/ipv4/ip_local_port_range',
  'net/ipv4/tcp_max_syn_backlog',
  'net/ipv4/tcp_tw_reuse',
  'net/ipv6/conf/all/disable_ipv6',
  'net/netfilter/nf_conntrack_max',
  'vm/dirty_background_ratio',
  'vm/dirty_ratio',
  'vm/max_map_count',
  'vm/nr_hugepages',
  'vm/overcommit_memory',
  'vm/overcommit_ratio',
  'vm/panic_on_oom',
  'vm/swappiness',
] as const;

function readSysctls(files: Files): Entries {
  const found = new Map<string, string>();
  for (const name of SYSCTLS) {
    const value = files.optional(`proc/sys/${name}`)?.trim().replaceAll('\t', ' ');
    if (value) found.set(name.replaceAll('/', '.'), value);
  }
  return found;
}

/** The kernel lists sockets that listen before all others: a page of memory holds 27, the largest head 400. */
const TABLE_BYTES = [4096, 65_536] as const;
/** Programs open ports of this range for a moment, such as the passive side of FTP. */
const PASSING_PORT = 32_768;

function readPorts(files: Files): Entries {
  const found = new Map<string, string>();
  let isRead = false;
  for (const [path, family] of [
    ['proc/net/tcp', 'ipv4'],
    ['proc/net/tcp6', 'ipv6'],
  ] as const) {
    const sockets = readListening(files, path, family);
    if (sockets === null) continue;
    isRead = true;
    for (const { localPort } of sockets)
      if (localPort < PASSING_PORT) found.set(`${String(localPort)}/tcp`, 'listening');
  }
  return isRead ? found : null;
}

/** Reads more of the table only if everything so far listens. Null: there is no such table. */
function readListening(files: Files, path: string, family: Socket['family']): Socket[] | null {
  let listening: Socket[] | null = null;
  for (const bytes of TABLE_BYTES) {
    const head = files.head(path, bytes);
    if (head === null) return null;
    const sockets = head.text.split('\n').flatMap((line) => parseSocket(line, family) ?? []);
    listening = sockets.filter(({ state }) => state === 'LISTEN');
    if (head.whole || listening.length < sockets.length) break;
  }
  return listening;
}

function readFiles(files: Files, watched: readonly string[]): Entries {
  if (watched.length === 0) return null;
  const found = new Map<string, string>();
  for (const path of watched) {
    const seen = files.stat(path);
    if (seen !== null)
      found.set(`/${path}`, `${String(seen.bytes)} bytes, modified ${new Date(seen.changedMs).toISOString()}`);
  }
  return found;
}
