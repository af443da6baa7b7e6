import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Files } from '../../runtime/files.ts';

/** The control group of one container or virtual machine, by its path below the hierarchy. */
export interface ContainerGroup {
  id: string;
  /** "docker", "libpod", "cri-containerd", "crio", "nerdctl", "kubernetes", "lxc", "systemd-nspawn", "qemu". */
  runtime: string | null;
  /** Name that the group itself shows; the state files of a runtime may have a better one. */
  name: string | null;
  path: string;
}
export type GroupIdentity = Pick<ContainerGroup, 'id' | 'runtime' | 'name'>;

/** Nested clusters go seven deep; directories looked at are bounded so that a strange tree costs no more. */
const DEPTH = 9;
const DIRECTORIES = 4000;
const NAME_BYTES = 64;

/** Scopes of the usual runtimes carry the runtime's name; Quadlet splits a service in payload and supervisor. */
const BY_ID =
  /^(?:[^:]{1,128}:)?(?:(docker|cri-containerd|crio|libpod|libpod-payload|nerdctl)[-:])?([0-9a-f]{64})(?:\.scope)?$/;
/** Parents of groups with nothing but an id. */
const BARE: Partial<Record<string, string>> = {
  docker: 'docker',
  libpod_parent: 'libpod',
  default: 'containerd',
  moby: 'docker',
  'k8s.io': 'containerd',
};
/** Machines that systemd-machined lists: `machine-qemu\x2d1\x2dwin11.scope`, after unescaping. */
const MACHINE = /^machine-(?:(qemu|lxc|xen|ch)-(?:\d+-)?)?(.+)\.scope$/;
const NSPAWN = /^systemd-nspawn@(.+)\.service$/;

/** Kata keeps what runs outside of its machines here, under the ids of their sandboxes, which are containers elsewhere. */
const OVERHEAD = 'kata_overhead';

/** Finds out what a group is by its name and that of its parent; null for everything else. */
export function identifyGroup(name: string, parent: string): GroupIdentity | null {
  if (parent === OVERHEAD) return null;
  const [, runtime, id] = BY_ID.exec(name) ?? [];
  if (id !== undefined) {
    const bare = BARE[parent] ?? (parent.includes('pod') ? 'kubernetes' : null);
    const service = parent.endsWith('.service') && !parent.startsWith('user@') ? parent.slice(0, -8) : null;
    return {
      id,
      runtime: runtime?.replace('-payload', '') ?? bare,
      name: runtime === 'libpod-payload' ? service : null,
    };
  }
  return identifyMachine(name, parent);
}

/** LXC, systemd-nspawn, libvirt and Proxmox name a group for its machine. */
function identifyMachine(name: string, parent: string): GroupIdentity | null {
  if (name.startsWith('lxc.payload.')) return named('lxc', name.slice('lxc.payload.'.length));
  if (parent === 'lxc' || parent === 'lxc.payload') return named('lxc', name);
  const nspawn = NSPAWN.exec(name)?.[1];
  if (nspawn !== undefined) return named('systemd-nspawn', unescapeUnit(nspawn));
  const proxmox = parent === 'qemu.slice' ? /^(\d+)\.scope$/.exec(name)?.[1] : undefined;
  if (proxmox !== undefined) return named('qemu', proxmox);
  const libvirt = parent === 'machine' ? /^(?:qemu-\d+-)?(.+)\.libvirt-qemu$/.exec(name)?.[1] : undefined;
  if (libvirt !== undefined) return named('qemu', libvirt);
  const [, runtime, machine] = MACHINE.exec(unescapeUnit(name)) ?? [];
  return machine === undefined ? null : named(runtime ?? 'systemd-nspawn', machine);
}

/** A container and a virtual machine may have one name, so the id has the runtime as well. */
const named = (runtime: string, name: string): GroupIdentity => ({
  id: cutToBytes(`${runtime}/${name}`, NAME_BYTES),
  runtime,
  name: cutToBytes(name, NAME_BYTES),
});

/** systemd writes bytes that a unit's name cannot hold as `\x2d` (systemd.unit(5)). */
const unescapeUnit = (name: string): string =>
  name.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));

/** Every so many readings a service without containers is looked into again: a host has a hundred of them. */
const SERVICE_READINGS = 10;

/** Keeps which services hold containers, so that the others are not listed at every reading. */
export class KnownServices {
  #reading = 0;
  #known = new Map<string, boolean>();
  #next = new Map<string, boolean>();

  begin(): void {
    this.#reading += 1;
    this.#known = this.#next;
    this.#next = new Map();
  }

  /** Returns true if the service is to be listed now. */
  isDue(path: string): boolean {
    const holds = this.#known.get(path);
    this.#next.set(path, holds ?? false);
    return holds !== false || (this.#reading + path.length) % SERVICE_READINGS === 0;
  }

  /** Marks the services that a container lies in. */
  hold(path: string): void {
    for (let end = path.indexOf('.service/'); end !== -1; end = path.indexOf('.service/', end + 1)) {
      const service = path.slice(0, end + '.service'.length);
      if (this.#next.has(service)) this.#next.set(service, true);
    }
  }
}

/** Walks the tree by names: what has a dot is a file, but for the units of systemd and the groups of LXC. */
export function findContainers(files: Files, root: string, services = new KnownServices()): ContainerGroup[] {
  const found: ContainerGroup[] = [];
  const queue: { path: string; name: string; depth: number }[] = [{ path: '', name: '', depth: 0 }];
  services.begin();
  for (let looked = 0; queue.length > 0 && looked < DIRECTORIES; looked += 1) {
    const { path, name, depth } = queue.shift() ?? { path: '', name: '', depth: DEPTH };
    if (depth >= DEPTH) continue;
    for (const child of files.list(`${root}${path}`)) {
      if (!isGroup(child, name)) continue;
      const childPath = `${path}/${child}`;
      const identity = identifyGroup(child, name);
      if (identity) {
        found.push({ ...identity, path: childPath.slice(1) });
        services.hold(childPath);
      } else if (isService(child) && !services.isDue(childPath)) continue;
      queue.push({ path: childPath, name: child, depth: depth + 1 });
    }
  }
  return found;
}

/** The services of a user's session run below one of the system, which always has some. */
const isService = (name: string): boolean => name.endsWith('.service') && !name.startsWith('user@');

const PLAIN_FILES = new Set(['tasks', 'release_agent', 'notify_on_release']);
/** Files of the controllers have their names first, so a container with a dot in its name is no file. */
const FILE =
  /^(?:cgroup|memory|cpu|cpuset|cpuacct|io|blkio|pids|hugetlb|rdma|misc|devices|freezer|net_cls|net_prio|perf_event|irq|dmem)\./;
const UNIT = /\.(?:slice|scope|service)$/;

function isGroup(name: string, parent: string): boolean {
  if (PLAIN_FILES.has(name)) return false;
  if (!name.includes('.') || UNIT.test(name)) return true;
  if (name.startsWith('lxc.payload') || name.endsWith('.libvirt-qemu')) return true;
  // Kubernetes with mismatched drivers: `kubepods-pod1.slice:cri-containerd:ID`.
  if (name.includes('.slice:')) return true;
  return (parent === 'lxc' || parent === 'lxc.payload' || parent === '') && !FILE.test(name) && isNamed(name, parent);
}

/** "k8s.io" of containerd lies at the top, where a host has no other group with a dot. */
const isNamed = (name: string, parent: string): boolean => parent !== '' || name === 'k8s.io';
