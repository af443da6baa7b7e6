import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import { createListCutter, leftOutText, REPORT_LISTS } from '@plimsoll/contract/rules/report-lists';
import { type ContainerGroup, findContainers, KnownServices } from './tables/container-groups.ts';
import { type ContainerIdentity, containerNames } from './tables/container-names.ts';
import type { Files } from '../runtime/files.ts';
import type { ContainerRuntime, RuntimeContainer, RuntimeReading } from './containers/container-runtime.ts';
import { type GroupRun, groupRuns } from './containers/group-run.ts';
import { RestartMemory } from './containers/restart-memory.ts';
import { ratePerSecond } from './rate.ts';
import type { Moment, Source } from '../source.ts';

/** Location of the figures: one hierarchy (cgroup v2) or one per controller (v1). */
interface Hierarchy {
  root: string;
  cpuSeconds: (files: Files, path: string) => number | null;
  memory: (files: Files, path: string) => { bytes: number | null; limitBytes: number | null };
  oomKills: (files: Files, path: string) => number | null;
}

const CGROUP = 'sys/fs/cgroup';
/** Version 2 beside version 1. */
const UNIFIED = `${CGROUP}/unified`;
/** v1 writes "no limit" as the largest page-aligned number. */
const NO_LIMIT = 2 ** 60;

/** One container by its control group, without the facts of its runtime. */
interface Found {
  group: ContainerGroup;
  part: ContainerPart;
  run: GroupRun;
}

/**
 * CPU, memory and state of each container and virtual machine, found by its control group, whatever started it. `runtime`
 * adds what only the runtime's socket has; null: the owner did not allow it.
 */
export function containerSource(files: Files, runtime: ContainerRuntime | null = null): Source {
  const restarts = new RestartMemory();
  const findGroups = groupReader(files);
  return {
    name: 'containers',
    read: async (now: Moment) => {
      const found = findGroups(now);
      const reading = (await runtime?.read()) ?? null;
      const containers = withRuntime(found?.containers ?? [], reading).map(({ key, part, inode, counted }) => {
        const again = restarts.note(key, { inode, counted }, now.up);
        return again === 0 ? part : { ...part, restarts_last_hour: again };
      });
      restarts.forget(now.up);
      if (found === null && (reading === null || reading.problem !== null))
        return { part: {}, note: noteOf(['no control groups are mounted', reading?.problem]) };
      const note = noteOf([found?.note, reading?.problem]);
      return { part: { containers }, ...(note !== '' && { note }) };
    },
  };
}

const noteOf = (notes: readonly (string | null | undefined)[]): string =>
  notes.filter((note) => note != null).join('; ');

/** Reads the control groups of containers; null where none are mounted. */
function groupReader(files: Files): (now: Moment) => { containers: Found[]; note: string | null } | null {
  let before: { up: number; cpuSeconds: Map<string, number | null> } | null = null;
  const names = containerNames(files);
  const services = new KnownServices();
  const runOf = groupRuns(files);
  // The groups are cut before their figures are read: each costs some files.
  const { most, noun } = REPORT_LISTS.containers;
  const limit = { most, noun, keyOf: ({ id }: ContainerGroup) => id };
  const cut = createListCutter(limit);
  return (now) => {
    const hierarchy = findHierarchy(files);
    if (!hierarchy) return null;
    const found = findContainers(files, hierarchy.root, services);
    const groups = cut(found);
    const cpuSeconds = new Map(groups.map(({ path }) => [path, hierarchy.cpuSeconds(files, path)]));
    const window = before ? now.up - before.up : null;
    const containers = groups.map((group): Found => {
      const { path } = group;
      const rate = ratePerSecond(before?.cpuSeconds.get(path) ?? undefined, cpuSeconds.get(path) ?? undefined, window);
      const run = runOf(hierarchy.root, path, now);
      const oomKills = hierarchy.oomKills(files, path);
      const part = shapeContainer(group, identityOf(names, group), rate, hierarchy.memory(files, path));
      const { startedAt } = run;
      const facts = {
        ...(startedAt !== null && { since: startedAt }),
        ...(oomKills !== null && { oom_kills: oomKills }),
      };
      return { group, run, part: { ...part, ...facts } };
    });
    before = { up: now.up, cpuSeconds };
    return { containers, note: groups.length < found.length ? leftOutText(limit, found.length) : null };
  };
}

interface Joined {
  /** Identifies the container over its restarts: a Quadlet gets a new id with each. */
  key: string;
  part: ContainerPart;
  inode: number | null;
  counted: number | null;
}

/** Adds the facts of the runtime, and its stopped containers, which have no control group. */
function withRuntime(found: readonly Found[], reading: RuntimeReading | null): Joined[] {
  const byId = new Map(reading?.containers.map((one) => [one.id, one]));
  const isNew = reading !== null && reading.problem === null;
  const running = found.map(({ group, part, run }): Joined => {
    const known = byId.get(group.id);
    return {
      key: group.name ?? group.id,
      part: known ? { ...part, ...(isNew ? factsOf(known, part) : identityPart(known, part)) } : part,
      inode: run.inode,
      counted: isNew ? (known?.restarts ?? null) : null,
    };
  });
  if (!isNew) return running;
  const seen = new Set(found.map(({ group }) => group.id));
  const others = reading.containers.filter(({ id }) => !seen.has(id));
  return [
    ...running,
    ...others.map((one): Joined => {
      const none = shapeContainer({ id: one.id, runtime: null }, one, null, { bytes: null, limitBytes: null });
      return { key: one.id, part: { ...none, ...factsOf(one, none) }, inode: null, counted: one.restarts };
    }),
  ];
}

const identityPart = (one: RuntimeContainer, part: ContainerPart): Partial<ContainerPart> => ({
  name: one.name ?? part.name,
  image: one.image ?? part.image,
  ...(one.project !== null && { project: one.project }),
});

function factsOf(one: RuntimeContainer, part: ContainerPart): Partial<ContainerPart> {
  return {
    ...identityPart(one, part),
    ...(one.state !== undefined && { state: one.state }),
    ...(one.since !== null && { since: one.since }),
    ...(one.exit_code != null && { exit_code: one.exit_code }),
    ...(one.oom_killed !== undefined && { oom_killed: one.oom_killed }),
    restarts: one.restarts,
  };
}

function findHierarchy(files: Files): Hierarchy | null {
  const mounted = files.list(CGROUP);
  if (mounted.includes('cgroup.controllers'))
    return {
      root: CGROUP,
      cpuSeconds: cpuOfV2,
      memory: memoryOfV2(CGROUP),
      oomKills: killsIn(CGROUP, 'memory.events'),
    };
  const cpu = mounted.find((name) => name.split(',').includes('cpuacct'));
  if (cpu === undefined) return null;
  const cpuSeconds: Hierarchy['cpuSeconds'] = (from, path) => cpuOfV1(from, `${CGROUP}/${cpu}/${path}`);
  if (!mounted.includes('memory') && hasUnifiedMemory(files))
    return { root: UNIFIED, cpuSeconds, memory: memoryOfV2(UNIFIED), oomKills: killsIn(UNIFIED, 'memory.events') };
  return {
    // A Raspberry Pi starts without the controller of memory, which is then unknown.
    root: `${CGROUP}/${mounted.includes('memory') ? 'memory' : cpu}`,
    cpuSeconds,
    memory: memoryOfV1,
    oomKills: killsIn(`${CGROUP}/memory`, 'memory.oom_control'),
  };
}

/** Both versions are mounted, and the second has memory, by `cgroup_no_v1=memory`. */
const hasUnifiedMemory = (files: Files): boolean =>
  (files.optional(`${UNIFIED}/cgroup.controllers`) ?? '').split(/\s/).includes('memory');

function cpuOfV1(files: Files, path: string): number | null {
  return scale(files.optional(`${path}/cpuacct.usage`), 1e-9);
}
function cpuOfV2(files: Files, path: string): number | null {
  return scale(/^usage_usec (\d+)/m.exec(files.optional(`${CGROUP}/${path}/cpu.stat`) ?? '')?.[1] ?? null, 1e-6);
}

/** The file has the line "oom_kill 3" since Linux 4.13. */
const killsIn =
  (root: string, file: string) =>
  (files: Files, path: string): number | null =>
    scale(/^oom_kill (\d+)/m.exec(files.optional(`${root}/${path}/${file}`) ?? '')?.[1] ?? null, 1);

function memoryOfV1(files: Files, path: string): { bytes: number | null; limitBytes: number | null } {
  const at = `${CGROUP}/memory/${path}`;
  const inactive = /^total_inactive_file (\d+)/m.exec(files.optional(`${at}/memory.stat`) ?? '')?.[1];
  return workingSet(
    files.optional(`${at}/memory.usage_in_bytes`),
    inactive,
    files.optional(`${at}/memory.limit_in_bytes`),
  );
}
const memoryOfV2 =
  (root: string): Hierarchy['memory'] =>
  (files, path) => {
    const at = `${root}/${path}`;
    const inactive = /^inactive_file (\d+)/m.exec(files.optional(`${at}/memory.stat`) ?? '')?.[1];
    return workingSet(files.optional(`${at}/memory.current`), inactive, files.optional(`${at}/memory.max`));
  };

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

/** The id of a runtime; people write its first twelve characters. The id of a machine is its name. */
const HEX_ID = /^[0-9a-f]{64}$/;

function identityOf(names: (id: string) => ContainerIdentity, { id, name }: ContainerGroup): ContainerIdentity {
  if (!HEX_ID.test(id)) return { name, image: null };
  const known = names(id);
  return { name: known.name ?? name, image: known.image };
}

function shapeContainer(
  { id, runtime }: Pick<ContainerGroup, 'id' | 'runtime'>,
  identity: ContainerIdentity,
  coresUsed: number | null,
  memory: { bytes: number | null; limitBytes: number | null },
): ContainerPart {
  return {
    id: HEX_ID.test(id) ? id.slice(0, 12) : id,
    name: identity.name,
    image: identity.image,
    runtime,
    cpu_percent: coresUsed === null ? null : 100 * coresUsed,
    memory_bytes: memory.bytes,
    memory_limit_bytes: memory.limitBytes,
    state: 'running',
  };
}
