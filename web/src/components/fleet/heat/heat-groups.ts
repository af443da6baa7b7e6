import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { fleetBars, type FleetBar } from '../fleet-bars.ts';

/** Groupings of the cells: by region, or by the value of a tag. */
export interface Grouping {
  /** 'region' or 'tag:KEY'. */
  value: string;
  label: string;
}

export interface HeatGroup {
  /** Null: the servers without a region, or without the tag. */
  name: string | null;
  bars: readonly FleetBar[];
  over: number;
  near: number;
}

const REGION: Grouping = { value: 'region', label: 'Region' };
const TAG = 'tag:';
/** Tags that can be chosen beside the region. */
const MOST_TAGS = 2;
/** A tag with more values, such as an id of each server, groups nothing. */
const MOST_VALUES = 24;

const installed = (fleet: readonly FleetEntry[]) => fleet.filter(({ status }) => status !== 'uninstalled');

/** Returns the region, and the tags that most servers have and that divide the fleet. */
export function groupingsOf(fleet: readonly FleetEntry[]): Grouping[] {
  const servers = installed(fleet);
  const tags = new Map<string, { servers: number; values: Set<string> }>();
  for (const each of servers) {
    for (const [key, value] of Object.entries(each.tags)) {
      const tag = tags.get(key) ?? { servers: 0, values: new Set() };
      tag.servers += 1;
      tag.values.add(value);
      tags.set(key, tag);
    }
  }
  const useful = [...tags].filter(
    ([, tag]) => tag.values.size > 1 && tag.values.size <= MOST_VALUES && tag.servers * 2 >= servers.length,
  );
  const ordered = useful.toSorted(([a, x], [b, y]) => y.servers - x.servers || a.localeCompare(b));
  return [REGION, ...ordered.slice(0, MOST_TAGS).map(([key]) => ({ value: `${TAG}${key}`, label: key }))];
}

const nameOf = (entry: FleetEntry, by: string): string | null =>
  (by.startsWith(TAG) ? entry.tags[by.slice(TAG.length)] : entry.region) ?? null;

/** Worst first; servers without the value come last. */
function order(a: HeatGroup, b: HeatGroup): number {
  if ((a.name === null) !== (b.name === null)) return a.name === null ? 1 : -1;
  return (
    b.over - a.over || b.near - a.near || b.bars.length - a.bars.length || (a.name ?? '').localeCompare(b.name ?? '')
  );
}

/** Returns the installed servers by a grouping, in each group as in the strip. */
export function heatGroups(fleet: readonly FleetEntry[], by: string): HeatGroup[] {
  const members = new Map<string | null, FleetEntry[]>();
  for (const entry of installed(fleet)) {
    const name = nameOf(entry, by);
    members.set(name, [...(members.get(name) ?? []), entry]);
  }
  const groups = [...members].map(([name, entries]) => {
    const bars = fleetBars(entries);
    const count = (band: FleetBar['band']) => bars.filter((bar) => bar.band === band).length;
    return { name, bars, over: count('over'), near: count('near') };
  });
  return groups.toSorted(order);
}

/** Rows of cells that a folded grid has in all its groups, and at least in each. */
const FOLDED_ROWS = 8;
const LEAST_ROWS = 2;

/** Returns how many cells of each group a folded grid shows, without a cell for the rest. */
export function foldedCells(groups: number, columns: number): number {
  return Math.max(LEAST_ROWS, Math.floor(FOLDED_ROWS / Math.max(1, groups))) * columns;
}
