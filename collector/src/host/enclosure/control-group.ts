import type { Files } from '../../runtime/files.ts';

const CGROUP = 'sys/fs/cgroup';
/** Version 1 writes "no limit" as the largest page-aligned number. */
const NO_LIMIT = 2 ** 60;
/** USER_HZ, the unit of cpuacct.stat. It is 100 on every architecture with containers. */
const TICKS_PER_SECOND = 100;

/** The control group that holds all processes of this container. */
export interface ControlGroup {
  /** Cores by quota and by the set of CPUs, whichever is less; null where neither is given. May be a fraction. */
  cpuLimitCores: () => number | null;
  /** CPU time since the container began, in seconds; null where it is not counted. */
  cpuSeconds: () => CpuSeconds | null;
  /** Bytes; null without a limit. */
  memoryLimitBytes: () => number | null;
  /** Bytes in use without the cache that the kernel takes back first; null where it is not counted. */
  memoryUsedBytes: () => number | null;
  /** Bytes of swap that this container may use, of the host's `hostTotalBytes`; null where it is not counted. */
  swap: (hostTotalBytes: number) => SwapBytes | null;
  /** Text of a pressure file; null with version 1. */
  pressure: (resource: 'cpu' | 'memory' | 'io') => string | null;
}
export interface SwapBytes {
  total: number;
  used: number;
}
export interface CpuSeconds {
  all: number;
  user: number;
  system: number;
}

/** Finds the control group of process 1. Null: none is mounted. */
export function controlGroupOf(files: Files): ControlGroup | null {
  const mounted = files.list(CGROUP);
  const groups = parseGroups(files.optional('proc/1/cgroup') ?? '');
  if (mounted.includes('cgroup.controllers')) return versionTwo(files, ownFolder(files, CGROUP, groups.get('') ?? '/'));
  const folder = (controller: string): string | null => {
    const name = mounted.find((one) => one.split(',').includes(controller));
    return name === undefined ? null : ownFolder(files, `${CGROUP}/${name}`, groups.get(controller) ?? '/');
  };
  if (mounted.length === 0) return null;
  const one = versionOne(files, folder);
  if (folder('memory') !== null || !mounted.includes('unified')) return one;
  // Both versions are mounted, and the second has memory, by `cgroup_no_v1=memory`.
  const two = versionTwo(files, ownFolder(files, `${CGROUP}/unified`, groups.get('') ?? '/'));
  return { ...one, memoryLimitBytes: two.memoryLimitBytes, memoryUsedBytes: two.memoryUsedBytes, swap: two.swap };
}

/** Text of /proc/PID/cgroup: `number:controllers:path`; version 2 has no controllers. Returns paths by controller. */
export function parseGroups(text: string): Map<string, string> {
  const paths = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, controllers, ...path] = line.split(':');
    if (controllers === undefined || path.length === 0) continue;
    for (const controller of controllers.split(',')) paths.set(controller, path.join(':'));
  }
  return paths;
}

/** systemd moves process 1 one level down. A runtime without a namespace shows the path of the host. */
function ownFolder(files: Files, root: string, path: string): string {
  const own = path.replace(/\/init\.scope$/, '').replace(/\/$/, '');
  return own !== '' && !own.includes('..') && files.list(root + own).length > 0 ? root + own : root;
}

function versionTwo(files: Files, at: string): ControlGroup {
  const read = (name: string): string | null => files.optional(`${at}/${name}`);
  return {
    cpuLimitCores: () => {
      const [quota, period] = (read('cpu.max') ?? '').trim().split(' ').map(Number);
      return leastLimit(coresOf(quota, period), countCpus(read('cpuset.cpus.effective')));
    },
    cpuSeconds: () => {
      const text = read('cpu.stat') ?? '';
      const seconds = (name: string): number | null => lineOf(text, name, 1e-6);
      const [all, user, system] = [seconds('usage_usec'), seconds('user_usec'), seconds('system_usec')];
      return all === null || user === null || system === null ? null : { all, user, system };
    },
    memoryLimitBytes: () => limitOf(read('memory.max')),
    memoryUsedBytes: () => workingSet(read('memory.current'), lineOf(read('memory.stat') ?? '', 'inactive_file', 1)),
    swap: (hostTotal) => {
      const used = numberOf(read('memory.swap.current'));
      return used === null ? null : shapeSwap(used, limitOf(read('memory.swap.max')), hostTotal);
    },
    pressure: (resource) => read(`${resource}.pressure`),
  };
}

function versionOne(files: Files, folder: (controller: string) => string | null): ControlGroup {
  const read = (controller: string, name: string): string | null => {
    const at = folder(controller);
    return at === null ? null : files.optional(`${at}/${controller}.${name}`);
  };
  return {
    cpuLimitCores: () => {
      const [quota, period] = [numberOf(read('cpu', 'cfs_quota_us')), numberOf(read('cpu', 'cfs_period_us'))];
      return leastLimit(coresOf(quota ?? undefined, period ?? undefined), countCpus(read('cpuset', 'cpus')));
    },
    cpuSeconds: () => {
      const all = numberOf(read('cpuacct', 'usage'));
      const text = read('cpuacct', 'stat') ?? '';
      const [user, system] = [lineOf(text, 'user', 1 / TICKS_PER_SECOND), lineOf(text, 'system', 1 / TICKS_PER_SECOND)];
      return all === null || user === null || system === null ? null : { all: all / 1e9, user, system };
    },
    memoryLimitBytes: () => limitOf(read('memory', 'limit_in_bytes')),
    memoryUsedBytes: () =>
      workingSet(read('memory', 'usage_in_bytes'), lineOf(read('memory', 'stat') ?? '', 'total_inactive_file', 1)),
    swap: (hostTotal) => {
      // Both figures hold memory as well.
      const [used, usedWithout] = [
        numberOf(read('memory', 'memsw.usage_in_bytes')),
        numberOf(read('memory', 'usage_in_bytes')),
      ];
      if (used === null || usedWithout === null) return null;
      const [limit, limitWithout] = [
        limitOf(read('memory', 'memsw.limit_in_bytes')),
        limitOf(read('memory', 'limit_in_bytes')),
      ];
      const most = limit === null || limitWithout === null ? null : Math.max(0, limit - limitWithout);
      return shapeSwap(Math.max(0, used - usedWithout), most, hostTotal);
    },
    pressure: () => null,
  };
}

/** A limit may exceed the swap that the host has. */
function shapeSwap(used: number, limit: number | null, hostTotal: number): SwapBytes {
  const total = Math.min(hostTotal, limit ?? hostTotal);
  return { total, used: Math.min(total, used) };
}

function coresOf(quota: number | undefined, period: number | undefined): number | null {
  return quota !== undefined && period !== undefined && quota > 0 && period > 0 ? quota / period : null;
}

const leastLimit = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** A list such as "0-3,8"; null when it is empty or no list. */
export function countCpus(text: string | null): number | null {
  let count = 0;
  for (const part of (text ?? '').trim().split(',')) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined) return null;
    count += Math.max(0, Number(last ?? first) - Number(first)) + 1;
  }
  return count;
}

/** "max" and anything else that is no number is none. */
function numberOf(text: string | null): number | null {
  const value = Number(text?.trim());
  return text === null || text.trim() === '' || !Number.isFinite(value) ? null : value;
}

function limitOf(text: string | null): number | null {
  const limit = numberOf(text);
  return limit === null || limit >= NO_LIMIT ? null : limit;
}

/** One line "name value" of a statistics file, times `factor`. */
function lineOf(text: string, name: string, factor: number): number | null {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  const value = numberOf(line?.slice(name.length) ?? null);
  return value === null ? null : value * factor;
}

const workingSet = (usage: string | null, inactive: number | null): number | null => {
  const used = numberOf(usage);
  return used === null ? null : Math.max(0, used - (inactive ?? 0));
};
