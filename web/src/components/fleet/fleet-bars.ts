import { byHeadroom, headroomBand } from '@plimsoll/contract/rules/headroom';
import type { Band } from '@plimsoll/contract/rules/headroom';
import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { headroomText, RESOURCE_NAME, RESOURCE_SHORT } from '@plimsoll/contract/rules/load-words';

/** Position of all load lines, as a share of the plot's height from its foot. */
export const LINE_SHARE = 0.74;
/** Above this many bars the labels below them go; above the second, a grid of cells replaces the strip. */
export const LABELLED_BARS = 24;
export const MOST_BARS = 60;

export interface FleetBar {
  id: string;
  name: string;
  /** `late`: silent or refused, at its last value if one is stored. `new`: no report yet, or none with this figure. */
  kind: 'live' | 'late' | 'new';
  band: Band;
  /** Share of the plot's height; the line is at {@link LINE_SHARE}. */
  height: number;
  /** Under the bar: the value, then the resource. */
  value: string;
  note: string;
  /** Text of the tooltip and for a screen reader. */
  words: string;
}

const KIND_OF = { active: 'live', offline: 'late', refused: 'late', installing: 'new', uninstalled: 'new' } as const;
/** A server that once reported may have no stored figure. */
const WITHOUT_FIGURE: Readonly<Record<FleetEntry['status'], string>> = {
  active: 'reports no figure with a line',
  offline: 'offline, no stored figure',
  refused: 'reports refused',
  installing: 'no report yet',
  uninstalled: 'uninstalled',
};
/** Silent servers stand first: they are worse than any load. */
const KINDS = ['late', 'live', 'new'] as const;
/** A server without a figure still has a foot to stand on. */
const STUB = 0.04;

function barOf({ server_id, hostname, status, headroom }: FleetEntry): FleetBar {
  const isLate = KIND_OF[status] === 'late';
  const kind = headroom === null && !isLate ? 'new' : KIND_OF[status];
  const shared = { id: server_id, name: hostname, kind } as const;
  if (headroom === null || kind === 'new') {
    const words = `${hostname}: ${WITHOUT_FIGURE[status]}`;
    return { ...shared, band: 'ok', height: STUB, value: '–', note: isLate ? status : 'new', words };
  }
  const late = kind === 'late';
  return {
    ...shared,
    band: late ? 'ok' : headroomBand(headroom),
    height: Math.min(1, Math.max(STUB, (headroom.value / headroom.line) * LINE_SHARE)),
    value: String(Math.round(headroom.value)),
    note: late ? status : RESOURCE_SHORT[headroom.resource],
    words: late
      ? `${hostname}: ${status}, last known ${RESOURCE_NAME[headroom.resource]} ${Math.round(headroom.value)} %`
      : `${hostname}: ${headroomText(headroom)}`,
  };
}

const isInstalled = ({ status }: FleetEntry) => status !== 'uninstalled';

/** One bar per server: the silent, then the most loaded first, then the new; uninstalled servers have none. */
export function fleetBars(fleet: readonly FleetEntry[]): FleetBar[] {
  const bars = fleet.filter(isInstalled).toSorted(byHeadroom).map(barOf);
  return KINDS.flatMap((kind) => bars.filter((bar) => bar.kind === kind));
}

/** Returns true if the fleet has too many servers for a strip of bars. */
export const isLargeFleet = (fleet: readonly FleetEntry[]): boolean => fleet.filter(isInstalled).length > MOST_BARS;

/** Servers with a fresh figure, least headroom first. */
export const nearestServers = (fleet: readonly FleetEntry[], count: number) =>
  fleet
    .filter((entry) => entry.status === 'active' && entry.headroom !== null)
    .toSorted(byHeadroom)
    .slice(0, count);
