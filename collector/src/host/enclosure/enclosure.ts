import type { Files } from '../../runtime/files.ts';

/** Runtime of the container that the collector runs in. WSL is not a container: WSL 2 is a virtual machine. */
export type EnclosureKind =
  | 'lxc'
  | 'openvz'
  | 'docker'
  | 'podman'
  | 'systemd-nspawn'
  | 'kubernetes'
  | 'container'
  | 'wsl1'
  | 'wsl2';

/** The container or WSL around the collector. Null from `enclosureOf`: the files show none. */
export interface Enclosure {
  kind: EnclosureKind;
  /** Files of /proc that lxcfs gives the container's own figures: "stat", "meminfo", "pressure/cpu". */
  lxcfs: ReadonlySet<string>;
}

/** Values of `container=` (systemd, CONTAINER_INTERFACE). Others, such as "oci", leave the runtime open. */
const DECLARED: Partial<Record<string, EnclosureKind>> = {
  lxc: 'lxc',
  'lxc-libvirt': 'lxc',
  openvz: 'openvz',
  docker: 'docker',
  podman: 'podman',
  'systemd-nspawn': 'systemd-nspawn',
  rkt: 'container',
  pouch: 'container',
  'container-other': 'container',
};

/** Control groups of process 1, as the runtimes name them. The order matters: a pod of Docker is a pod. */
const GROUPS: readonly (readonly [RegExp, EnclosureKind])[] = [
  [/\/kubepods[./-]|\/kubepods$/m, 'kubernetes'],
  [/\/libpod[-_]|\/libpod\//, 'podman'],
  [/\/docker[-/]/, 'docker'],
  [/\/lxc[./]|\/machine-lxc\\x2d/, 'lxc'],
  [/\/systemd-nspawn@|\/machine\.slice\/machine-/, 'systemd-nspawn'],
  [/\/cri-containerd-|\/crio-/, 'kubernetes'],
];
/** "kernel 4.4.0-19041-Microsoft" is WSL 1, "5.15.90.1-microsoft-standard-WSL2" is WSL 2. */
const WSL = /microsoft/i;
const WSL2 = /wsl2|microsoft-standard/i;
const SERVICE_ACCOUNT = 'var/run/secrets/kubernetes.io/serviceaccount';

/** Finds out where the collector runs, by the files that runtimes leave. Nothing of it changes while it runs. */
export function enclosureOf(files: Files): Enclosure | null {
  const lxcfs = lxcfsFiles(files.optional('proc/self/mountinfo') ?? '');
  const environment = firstEnvironment(files);
  const declared = files.optional('run/systemd/container')?.trim() || environment.get('container') || null;
  const kind =
    DECLARED[declared ?? ''] ??
    (files.list('dev').some((name) => name.startsWith('.lx')) ? 'lxc' : null) ??
    markedKind(files) ??
    groupKind(files.optional('proc/1/cgroup') ?? '') ??
    // Every container of a pod has this variable, also one without the token of a service account.
    (environment.has('KUBERNETES_SERVICE_HOST') ? 'kubernetes' : null) ??
    (exists(files, 'proc/vz') && !exists(files, 'proc/bc') ? 'openvz' : null) ??
    (lxcfs.size > 0 ? 'lxc' : null) ??
    windowsKind(files.optional('proc/sys/kernel/osrelease') ?? '') ??
    ((declared !== null && declared !== 'wsl') || hasOwnProcesses(files) ? 'container' : null);
  return kind === null ? null : { kind, lxcfs };
}

/** Returns true where the kernel is shared with a host: its load, swap and caches are then not this machine's. */
export const isContainer = (enclosure: Enclosure | null): boolean =>
  enclosure !== null && enclosure.kind !== 'wsl2' && enclosure.kind !== 'wsl1';

/** Variables of process 1. systemd copies `container` to a file for those who may not read the environment. */
function firstEnvironment(files: Files): Map<string, string> {
  const text = files.head('proc/1/environ', ENVIRONMENT_BYTES)?.text ?? '';
  return new Map(
    text.split('\0').map((one): [string, string] => {
      const end = one.indexOf('=');
      return [one.slice(0, end), one.slice(end + 1)];
    }),
  );
}
const ENVIRONMENT_BYTES = 8192;

/** The first namespace of processes has this number (PROC_PID_INIT_INO of <linux/proc_ns.h>). */
const FIRST_PROCESSES = 'pid:[4026531836]';
/** Returns true in a container whose runtime leaves no mark, as containerd with nerdctl does. */
function hasOwnProcesses(files: Files): boolean {
  const link = files.link('proc/self/ns/pid');
  return link !== null && link.startsWith('pid:[') && link !== FIRST_PROCESSES;
}

/**
 * Files of the root file system may be those of an image that a virtual machine was made of. Where the kernel's threads
 * are visible, this is the machine, or a container that shares its processes to show them.
 */
function markedKind(files: Files): EnclosureKind | null {
  if (files.optional('proc/2/stat')?.startsWith('2 (kthreadd) ') === true) return null;
  if (exists(files, SERVICE_ACCOUNT)) return 'kubernetes';
  if (files.optional('run/.containerenv') !== null) return 'podman';
  return files.stat('.dockerenv') === null ? null : 'docker';
}

export const groupKind = (cgroup: string): EnclosureKind | null =>
  GROUPS.find(([pattern]) => pattern.test(cgroup))?.[1] ?? null;

const windowsKind = (release: string): EnclosureKind | null =>
  WSL.test(release) ? (WSL2.test(release) ? 'wsl2' : 'wsl1') : null;

const exists = (files: Files, path: string): boolean => files.stat(path) !== null || files.list(path).length > 0;

/** Text of mountinfo: mount point in column five, file system type after the dash. A host mounts lxcfs elsewhere. */
export function lxcfsFiles(mountinfo: string): Set<string> {
  const found = new Set<string>();
  for (const line of mountinfo.split('\n')) {
    const words = line.split(' ');
    const point = words[4] ?? '';
    if (point.startsWith('/proc/') && words[words.indexOf('-') + 1] === 'fuse.lxcfs') found.add(point.slice(6));
  }
  return found;
}
