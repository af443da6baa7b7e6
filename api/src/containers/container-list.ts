import { compareNames } from '@plimsoll/contract/rules/compare-names';
import { isBrokenContainer, type ContainerFilter, type ContainerSort } from '@plimsoll/contract/rules/container-states';
import { bandOf, type Band } from '@plimsoll/contract/rules/headroom';
import { containerSubject } from '@plimsoll/contract/rules/servers/hidden-parts';
import { percentOf } from '@plimsoll/contract/rules/percent-of';
import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import type { PlacedContainer } from './types.ts';

export interface ContainerPlace {
  serverKey: number;
  serverId: string;
  hostname: string;
  status: PlacedContainer['status'];
  sampleAt: number;
  linePercent: number;
  hidden: ReadonlySet<string>;
}

/** Returns a container with its place and what is decided about it. */
export function placeContainer(part: ContainerPart, { hidden, ...place }: ContainerPlace): PlacedContainer {
  const { memory_bytes: used, memory_limit_bytes: limit } = part;
  return {
    ...place,
    part,
    isBroken: isBrokenContainer(part),
    isHidden: hidden.has(containerSubject(part)),
    memoryPercent: used === null || limit === null || limit <= 0 ? null : percentOf(used, limit),
  };
}

const isLate = ({ status }: PlacedContainer): boolean => status !== 'active';
const isStopped = ({ part: { state } }: PlacedContainer): boolean => state === 'exited' || state === 'created';
const pointsOf = ({ memoryPercent, linePercent }: PlacedContainer): number =>
  memoryPercent === null ? Infinity : linePercent - memoryPercent;
const isIn =
  (band: Band) =>
  ({ memoryPercent, linePercent }: PlacedContainer): boolean =>
    memoryPercent !== null && bandOf(memoryPercent, linePercent) === band;
const isOver = isIn('over');
const isNear = isIn('near');
const hasNoLimit = ({ part }: PlacedContainer): boolean =>
  part.memory_bytes !== null && part.memory_limit_bytes === null;
const isRunning = ({ part: { state } }: PlacedContainer): boolean =>
  state === undefined || state === 'running' || state === 'unhealthy';

/** Broken first, then by headroom, then without a limit; what was stopped and what is late comes last. */
function groupOf(one: PlacedContainer): number {
  if (isLate(one)) return 4;
  if (one.isBroken) return 0;
  if (isStopped(one)) return 3;
  return one.memoryPercent === null ? 2 : 1;
}

const shownName = ({ part }: PlacedContainer): string => containerSubject(part);
const byName = (a: PlacedContainer, b: PlacedContainer): number =>
  compareNames(shownName(a), shownName(b)) ||
  compareNames(a.hostname, b.hostname) ||
  (a.part.id < b.part.id ? -1 : a.part.id > b.part.id ? 1 : 0);
/** Orders the highest first; what is not known comes last. */
const highest =
  (read: (one: PlacedContainer) => number | null | undefined) =>
  (a: PlacedContainer, b: PlacedContainer): number =>
    (read(b) ?? -1) - (read(a) ?? -1) || byName(a, b);
const restartsOf = ({ part }: PlacedContainer): number => Math.max(part.restarts_last_hour ?? 0, part.restarts ?? 0);

const ORDERS: Record<ContainerSort, (a: PlacedContainer, b: PlacedContainer) => number> = {
  worst: (a, b) => {
    const group = groupOf(a) - groupOf(b);
    if (group !== 0) return group;
    const [first, second] = [pointsOf(a), pointsOf(b)];
    return first === second ? byName(a, b) : first - second;
  },
  name: byName,
  host: (a, b) => compareNames(a.hostname, b.hostname) || byName(a, b),
  cpu: highest(({ part }) => part.cpu_percent),
  memory: highest(({ part }) => part.memory_bytes),
  restarts: highest(restartsOf),
};

/** Returns true if the container belongs to the group, or is in the state. */
function isChosen(one: PlacedContainer, filter: ContainerFilter): boolean {
  if (filter === 'late') return isLate(one);
  if (isLate(one)) return false;
  if (filter === 'broken') return one.isBroken;
  if (filter === 'over_line') return isOver(one);
  if (filter === 'near_line') return isNear(one);
  if (filter === 'no_limit') return hasNoLimit(one);
  return one.part.state === filter;
}

/** Returns true if every word occurs in name, id, image, host or project. */
function isFound({ part, hostname }: PlacedContainer, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const texts = [part.name, part.id, part.image, part.project, hostname].flatMap((text) => text?.toLowerCase() ?? []);
  return words.every((word) => texts.some((text) => text.includes(word)));
}

export interface ContainerQuery {
  search: string;
  filter: ContainerFilter | undefined;
  sort: ContainerSort;
  /** Lists the hidden ones, and no others. */
  hidden: boolean;
  /** Exact texts. */
  image?: string | undefined;
  project?: string | undefined;
}

/** Returns the matching containers, sorted as the query says. */
export function selectContainers(all: readonly PlacedContainer[], query: ContainerQuery): PlacedContainer[] {
  const words = query.search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return all
    .filter((one) => one.isHidden === query.hidden)
    .filter(({ part }) => query.image === undefined || part.image === query.image)
    .filter(({ part }) => query.project === undefined || part.project === query.project)
    .filter((one) => query.filter === undefined || isChosen(one, query.filter))
    .filter((one) => isFound(one, words))
    .toSorted(ORDERS[query.sort]);
}

/** Counts the containers that are not hidden. Those of servers that do not report now count as late alone. */
export function summariseContainers(all: readonly PlacedContainer[]) {
  const shown = all.filter(({ isHidden }) => !isHidden);
  const present = shown.filter((one) => !isLate(one));
  const count = (matches: (one: PlacedContainer) => boolean): number => present.filter(matches).length;
  return {
    total: shown.length,
    hosts: new Set(shown.map(({ serverKey }) => serverKey)).size,
    running: count(isRunning),
    broken: count(({ isBroken }) => isBroken),
    over_line: count(isOver),
    near_line: count(isNear),
    no_limit: count(hasNoLimit),
    late: shown.length - present.length,
    hidden: all.length - shown.length,
  };
}
