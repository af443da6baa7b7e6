import { compareNames } from '@plimsoll/contract/rules/compare-names';
import { CONTAINER_GROUPS, type ContainerGrouping } from '@plimsoll/contract/rules/container-states';
import { summariseContainers } from './container-list.ts';
import type { PlacedContainer } from './types.ts';

interface Group extends Omit<ReturnType<typeof summariseContainers>, 'total' | 'hosts' | 'hidden'> {
  key: string;
  name: string;
  containers: number;
  restartsLastHour: number;
  /** Per cent of one core. */
  cpuPercent: number | null;
  memoryBytes: number | null;
}
export interface Groups {
  groups: Group[];
  total: number;
  ungrouped: number;
}

const KEYS: Record<ContainerGrouping, (one: PlacedContainer) => { key: string; name: string } | null> = {
  host: ({ serverId, hostname }) => ({ key: serverId, name: hostname }),
  image: ({ part: { image } }) => (image === null || image === '' ? null : { key: image, name: image }),
  project: ({ part: { project } }) => (project == null || project === '' ? null : { key: project, name: project }),
};

/** Returns the sum of what is known; null: nothing is. */
const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
};

function groupOf(key: string, name: string, all: readonly PlacedContainer[]): Group {
  const { total: containers, hosts: _, hidden: __, ...counts } = summariseContainers(all);
  const present = all.filter(({ status }) => status === 'active');
  return {
    key,
    name,
    containers,
    ...counts,
    restartsLastHour: present.reduce((sum, { part }) => sum + (part.restarts_last_hour ?? 0), 0),
    cpuPercent: sumOf(present.map(({ part }) => part.cpu_percent)),
    memoryBytes: sumOf(present.map(({ part }) => part.memory_bytes)),
  };
}

const worstFirst = (a: Group, b: Group): number =>
  b.broken - a.broken ||
  b.over_line - a.over_line ||
  b.near_line - a.near_line ||
  b.containers - a.containers ||
  compareNames(a.name, b.name);

/** Groups the containers that are not hidden, the group with the most broken ones first. */
export function groupContainers(all: readonly PlacedContainer[], by: ContainerGrouping): Groups {
  const shown = all.filter(({ isHidden }) => !isHidden);
  const members = new Map<string, { name: string; all: PlacedContainer[] }>();
  let ungrouped = 0;
  for (const one of shown) {
    const found = KEYS[by](one);
    if (found === null) {
      ungrouped += 1;
      continue;
    }
    const group = members.get(found.key) ?? { name: found.name, all: [] };
    group.all.push(one);
    members.set(found.key, group);
  }
  const groups = [...members].map(([key, group]) => groupOf(key, group.name, group.all)).toSorted(worstFirst);
  return { groups: groups.slice(0, CONTAINER_GROUPS), total: groups.length, ungrouped };
}
