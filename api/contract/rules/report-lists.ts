import type { Report } from '../wire/report.ts';
import { CHECK_LIMITS } from './check-limits.ts';
import { isBrokenContainer, RESTART_LOOP_PER_HOUR } from './container-states.ts';
import { HOST_SECTIONS } from './described-kinds.ts';
import { LOAD_LINES, OTHER_LINES, REPORT_LIMITS as L } from './limits.ts';
import { percentOf } from './percent-of.ts';
import { ownValue } from './printable-text.ts';

/** A list that has a limit, and the order in which its entries lose their place. */
export interface BoundedList<T> {
  most: number;
  /** In notes: "disks". */
  noun: string;
  /** Identifies an entry in the next report. Null: the list is ranked by its sender, and its first entries are kept. */
  keyOf: ((entry: T) => string) | null;
  /** Returns true for an entry over its default line. It is kept before any other. */
  isOver?: (entry: T) => boolean;
  /** Orders the entries that get a free place; absent: by name. */
  compare?: (a: T, b: T) => number;
}

type Lists = Omit<Report, 'cpu'>;
export type ListName = {
  [K in keyof Lists]-?: NonNullable<Lists[K]> extends readonly unknown[] ? K : never;
}[keyof Lists];
type EntryOf<K extends ListName> = NonNullable<Lists[K]>[number];
type Filesystem = EntryOf<'filesystems'>;

/** Orders short names first, as the kernel numbers devices: sdb, sdaa, eth2, eth10. A collator costs the collector 1 MB. */
const byName = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a === b ? 0 : 1);

const fullnessOf = ({ used_bytes: used, available_bytes: available }: Filesystem): number =>
  percentOf(used, used + available) ?? 0;
const inodePercentOf = ({ inodes_used: used, inodes_total: total }: Filesystem): number =>
  used === null || total === null ? 0 : (percentOf(used, total) ?? 0);
const isSick = ({ state }: { state: string | null }): boolean =>
  state !== null && state !== 'clean' && state !== 'online';
const ACTIVE_FIRST: Readonly<Record<string, number>> = { failed: 0, active: 1 };
/** Returns the rank of a container: running ones come before those that ended. */
const containerRank = ({ state }: EntryOf<'containers'>): number => Number(state === 'exited' || state === 'created');
const unitRank = ({ state }: EntryOf<'units'>): number => ownValue(ACTIVE_FIRST, state) ?? 2;

/** The lists of a host report with the limits that its schema has. */
export const REPORT_LISTS: { readonly [K in ListName]: BoundedList<EntryOf<K>> } = {
  filesystems: {
    most: L.filesystems,
    noun: 'filesystems',
    keyOf: ({ mount }) => mount,
    isOver: (one) => fullnessOf(one) >= LOAD_LINES.disk.warning || inodePercentOf(one) >= OTHER_LINES.inodePercent,
    compare: (a, b) => fullnessOf(b) - fullnessOf(a) || byName(a.mount, b.mount),
  },
  disks: { most: L.disks, noun: 'disks', keyOf: ({ device }) => device },
  interfaces: {
    most: L.interfaces,
    noun: 'interfaces',
    keyOf: ({ name }) => name,
    isOver: ({ receive_errors_per_second: received, transmit_errors_per_second: sent }) =>
      (received ?? 0) + (sent ?? 0) >= OTHER_LINES.networkErrorsPerSecond,
  },
  temperatures: {
    most: L.temperatures,
    noun: 'sensors',
    keyOf: ({ chip, label }) => `${chip} ${label}`,
    isOver: ({ celsius, critical_celsius: limit }) =>
      limit !== null && limit > 0 && (celsius / limit) * 100 >= OTHER_LINES.temperaturePercent,
  },
  units: {
    most: L.units,
    noun: 'units',
    keyOf: ({ name }) => name,
    isOver: ({ state }) => state === 'failed',
    compare: (a, b) => unitRank(a) - unitRank(b) || byName(a.name, b.name),
  },
  raid: { most: L.raid, noun: 'RAID arrays', keyOf: ({ name }) => name, isOver: isSick },
  pools: { most: L.pools, noun: 'pools', keyOf: ({ type, name }) => `${type} ${name}`, isOver: isSick },
  power: { most: L.power, noun: 'batteries and UPS units', keyOf: ({ kind, name }) => `${kind} ${name}` },
  fans: {
    most: L.fans,
    noun: 'fans',
    keyOf: ({ chip, label }) => `${chip} ${label}`,
    isOver: ({ alarm }) => alarm === true,
  },
  drives: {
    most: L.drives,
    noun: 'drives',
    keyOf: ({ device }) => device,
    isOver: ({ passed }) => passed === false,
  },
  gpus: { most: L.gpus, noun: 'GPUs', keyOf: ({ id }) => id },
  containers: {
    most: L.containers,
    noun: 'containers',
    keyOf: ({ id }) => id,
    isOver: (one) => isBrokenContainer(one) || (one.restarts_last_hour ?? 0) >= RESTART_LOOP_PER_HOUR,
    compare: (a, b) => containerRank(a) - containerRank(b) || byName(a.name ?? a.id, b.name ?? b.id),
  },
  watched_processes: { most: L.watchedProcesses, noun: 'watched processes', keyOf: ({ name }) => name },
  processes: { most: L.processes, noun: 'processes', keyOf: null },
  connections: { most: L.connections, noun: 'connections', keyOf: null },
  events: { most: L.events, noun: 'events', keyOf: null },
  described: { most: HOST_SECTIONS.length, noun: 'sections', keyOf: ({ section }) => section },
  check_results: { most: CHECK_LIMITS.resultsPerReport, noun: 'results of checks', keyOf: null },
};
export const LIST_NAMES = Object.keys(REPORT_LISTS) as ListName[];
/** Cores have no names: the first are kept. */
export const CORE_LIST: BoundedList<unknown> = { most: L.cpus, noun: 'cores', keyOf: null };

/** Names what a cut left out. */
export const leftOutText = ({ most, noun }: Pick<BoundedList<never>, 'most' | 'noun'>, listed: number): string =>
  `${String(listed - most)} of ${String(listed)} ${noun} are left out: a report holds at most ${String(most)}`;

/** Returns the key of each entry. Entries with one name differ by their order. */
function keysOf<T>(entries: readonly T[], keyOf: (entry: T) => string): string[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const name = keyOf(entry);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count === 0 ? name : `${name}\0${String(count)}`;
  });
}

/**
 * Cuts a list to its limit and keeps its order. `kept`: keys that the list before had; they keep their places before new
 * entries get one. Without `kept` the names decide, so that the same machine always has the same cut.
 */
export function cutList<T>(
  { most, keyOf, isOver, compare }: BoundedList<T>,
  entries: readonly T[],
  kept: ReadonlySet<string> | null = null,
): { entries: readonly T[]; keys: readonly string[] } {
  if (keyOf === null) return { entries: entries.length > most ? entries.slice(0, most) : entries, keys: [] };
  const keys = keysOf(entries, keyOf);
  if (entries.length <= most) return { entries, keys };
  const ranked = entries.map((entry, index) => {
    const key = keys[index] ?? '';
    return { entry, index, key, isOver: isOver?.(entry) === true, isKept: kept?.has(key) === true };
  });
  const byRank = (a: (typeof ranked)[number], b: (typeof ranked)[number]): number =>
    kept === null || compare === undefined ? byName(a.key, b.key) : compare(a.entry, b.entry);
  const chosen = ranked
    .toSorted((a, b) => Number(b.isOver) - Number(a.isOver) || Number(b.isKept) - Number(a.isKept) || byRank(a, b))
    .slice(0, most)
    .toSorted((a, b) => a.index - b.index);
  return { entries: chosen.map(({ entry }) => entry), keys: chosen.map(({ key }) => key) };
}

/** Cuts the lists of one source, each with the memory of what the list before kept. */
export function createListCutter<T>(list: BoundedList<T>): (entries: readonly T[]) => readonly T[] {
  let kept: ReadonlySet<string> = new Set();
  return (entries) => {
    const cut = cutList(list, entries, kept);
    kept = new Set(cut.keys);
    return cut.entries;
  };
}
