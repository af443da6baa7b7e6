import type { ContainerPart } from '@plimsoll/contract/wire/report';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { type ContainerIdentity, containerNames } from './tables/container-names.ts';
import type { Files } from '../runtime/files.ts';
import { ratePerSecond } from './rate.ts';
import type { Moment, Source } from '../source.ts';

/** One container's control group, by its path below the hierarchy. */
export interface ContainerGroup {
  id: string;
  runtime: string | null;
  path: string;
}
/** Location of the figures: one hierarchy (cgroup v2) or one per controller (v1). */
interface Hierarchy {
  root: string;
  cpuSeconds: (files: Files, path: string) => number | null;
  memory: (files: Files, path: string) => { bytes: number | null; limitBytes: number | null };
}

const CGROUP = 'sys/fs/cgroup';
/** Nested clusters go seven deep; directories looked at are bounded so that a strange tree costs no more. */
const DEPTH = 9;
const DIRECTORIES = 4000;
/** v1 writes "no limit" as the largest page-aligned number. */
const NO_LIMIT = 2 ** 60;

/** CPU and memory of each container, found by its control group, whatever runtime started it. */
export function containerSource(files: Files): Source {
  let before: { up: number; cpuSeconds: Map<string, number | null> } | null = null;
  const names = containerNames(files);
  return {
    name: 'containers',
    read: async (now: Moment) => {
      const hierarchy = findHierarchy(files);
      if (!hierarchy) return { part: {}, note: 'no control groups are mounted' };
      const groups = findContainers(files, hierarchy.root).slice(0, REPORT_LIMITS.containers);
      const cpuSeconds = new Map(groups.map(({ id, path }) => [id, hierarchy.cpuSeconds(files, path)]));
      const window = before ? now.up - before.up : null;
      const containers = groups.map((group) => {
        const rate = ratePerSecond(
          before?.cpuSeconds.get(group.id) ?? undefined,
          cpuSeconds.get(group.id) ?? undefined,
          window,
        );
        return shapeContainer(group, names(group.id), rate, hierarchy.memory(files, group.path));
      });
      before = { up: now.up, cpuSeconds };
      return { part: { containers } };
    },
  };
}

function findHierarchy(files: Files): Hierarchy | null {
  const mounted = files.list(CGROUP);
  if (mounted.includes('cgroup.controllers')) return { root: CGROUP, cpuSeconds: cpuOfV2, memory: memoryOfV2 };
  const cpu = mounted.find((name) => name.split(',').includes('cpuacct'));
  if (!mounted.includes('memory') || cpu === undefined) return null;
  return {
    root: `${CGROUP}/memory`,
    cpuSeconds: (from, path) => cpuOfV1(from, `${CGROUP}/${cpu}/${path}`),
    memory: memoryOfV1,
  };
}

/** Scopes of the usual runtimes carry the runtime's name; docker without systemd makes bare ids. */
export function identifyGroup(name: string, parent: string): Pick<ContainerGroup, 'id' | 'runtime'> | null {
  const match = /^(?:(docker|cri-containerd|crio|libpod|nerdctl)-)?([0-9a-f]{64})(?:\.scope)?$/.exec(name);
  if (match?.[2] === undefined) return null;
  const bare = parent === 'docker' ? 'docker' : parent.includes('pod') ? 'kubernetes' : null;
  return { id: match[2], runtime: match[1] ?? bare };
}

/** Walks the tree by names: what has a dot is a file, but for the units of systemd. */
export function findContainers(files: Files, root: string): ContainerGroup[] {
  const found: ContainerGroup[] = [];
  const queue: { path: string; name: string; depth: number }[] = [{ path: '', name: '', depth: 0 }];
  for (let looked = 0; queue.length > 0 && looked < DIRECTORIES; looked += 1) {
    const { path, name, depth } = queue.shift() ?? { path: '', name: '', depth: DEPTH };
    if (depth >= DEPTH) continue;
    for (const child of files.list(`${root}${path}`)) {
      if (!isGroup(child)) continue;
      const identity = identifyGroup(child, name);
      const childPath = `${path}/${child}`;
      if (identity) found.push({ ...identity, path: childPath.slice(1) });
      queue.push({ path: childPath, name: child, depth: depth + 1 });
    }
  }
  return found;
}

const PLAIN_FILES = new Set(['tasks', 'release_agent', 'notify_on_release']);
/** Services hold no containers, save the one a user's session runs in. */
function isGroup(name: string): boolean {
  if (PLAIN_FILES.has(name)) return false;
  if (name.endsWith('.service')) return name.startsWith('user@');
  return !name.includes('.') || name.endsWith('.slice') || name.endsWith('.scope');
}

function cpuOfV1(files: Files, path: string): number | null {
  return scale(files.optional(`${path}/cpuacct.usage`), 1e-9);
}
function cpuOfV2(files: Files, path: string): number | null {
  return scale(/^usage_usec (\d+)/m.exec(files.optional(`${CGROUP}/${path}/cpu.stat`) ?? '')?.[1] ?? null, 1e-6);
}

function memoryOfV1(files: Files, path: string): { bytes: number | null; limitBytes: number | null } {
  const at = `${CGROUP}/memory/${path}`;
  const inactive = /^total_inactive_file (\d+)/m.exec(files.optional(`${at}/memory.stat`) ?? '')?.[1];
  return workingSet(
    files.optional(`${at}/memory.usage_in_bytes`),
    inactive,
    files.optional(`${at}/memory.limit_in_bytes`),
  );
}
function memoryOfV2(files: Files, path: string): { bytes: number | null; limitBytes: number | null } {
  const at = `${CGROUP}/${path}`;
  const inactive = /^inactive_file (\d+)/m.exec(files.optional(`${at}/memory.stat`) ?? '')?.[1];
  return workingSet(files.optional(`${at}/memory.current`), inactive, files.optional(`${at}/memory.max`));
}

/** Usage without the cache the kernel takes back first: what Docker and the kubelet show too. */
function workingSet(
  usage: string | null,
  inactive: string | undefined,
  limit: string | null,
): { bytes: number | null; limitBytes: number | null } {
  const used = scale(usage, 1);
  const limitBytes = scale(limit, 1);
  return {
    bytes: used === null ? null : Math.max(0, used - (scale(inactive ?? null, 1) ?? 0)),
    limitBytes: limitBytes === null || limitBytes >= NO_LIMIT ? null : limitBytes,
  };
}

/** "max" and anything else that is no number is none. */
function scale(text: string | null, factor: number): number | null {
  const value = Number(text?.trim());
  return text === null || text.trim() === '' || !Number.isFinite(value) ? null : value * factor;
}

function shapeContainer(
  { id, runtime }: ContainerGroup,
  identity: ContainerIdentity,
  coresUsed: number | null,
  memory: { bytes: number | null; limitBytes: number | null },
): ContainerPart {
  return {
    id: id.slice(0, 12),
    name: identity.name,
    image: identity.image,
    runtime,
    cpu_percent: coresUsed === null ? null : 100 * coresUsed,
    memory_bytes: memory.bytes,
    memory_limit_bytes: memory.limitBytes,
  };
}
