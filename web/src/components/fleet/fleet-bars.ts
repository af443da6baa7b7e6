import { byHeadroom, headroomBand } from '@plimsoll/contract/rules/headroom';
import type { Band } from '@plimsoll/contract/rules/headroom';
import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { headroomText, RESOURCE_NAME, RESOURCE_SHORT } from '@plimsoll/contract/rules/load-words';

/** Position of all load lines, as a share of the plot's height from its foot. */
export const LINE_SHARE = 0.74;
/** Above this many bars the labels below them go; above the second, neighbours share a bar. */
export const LABELLED_BARS = 24;
export const MOST_BARS = 120;

export interface FleetBar {
  id: string;
  name: string;
  /** `late`: silent or refused, at its last value. `new`: no report yet. */
  kind: 'live' | 'late' | 'new';
  band: Band;
  /** Share of the plot's height; the line is at {@link LINE_SHARE}. */
  height: number;
  /** Under the bar: the value, then the resource. */
  value: string;
  note: string;
  /** Text of the tooltip and for a screen reader. */
  words: string;
  /** Servers that share this bar. */
  servers: number;
}

const KIND_OF = { active: 'live', offline: 'late', refused: 'late', installing: 'new', uninstalled: 'new' } as const;
/** Silent servers stand first: they are worse than any load. */
const KINDS = ['late', 'live', 'new'] as const;
/** A server without a figure still has a foot to stand on. */
const STUB = 0.04;

function barOf({ server_id, hostname, status, headroom }: FleetEntry): FleetBar {
  const kind = headroom === null ? 'new' : KIND_OF[status];
  const shared = { id: server_id, name: hostname, kind, servers: 1 } as const;
  if (headroom === null || kind === 'new') {
    const words = status === 'refused' ? 'reports refused' : 'no report yet';
    return { ...shared, band: 'ok', height: STUB, value: '–', note: 'new', words: `${hostname}: ${words}` };
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

/** A bin shows its most loaded server: the strip must never hide one that is over. */
function bin(bars: readonly FleetBar[], size: number): FleetBar[] {
  return bars.flatMap((bar, index) => {
    if (index % size !== 0) return [];
    const servers = Math.min(size, bars.length - index);
    return [{ ...bar, servers, words: servers === 1 ? bar.words : `${bar.words}, and ${servers - 1} more` }];
  });
}

/** One bar per server: the silent, then the most loaded first, then the new; uninstalled servers have none. */
export function fleetBars(fleet: readonly FleetEntry[]): FleetBar[] {
  const bars = fleet
    .filter((entry) => entry.status !== 'uninstalled')
    .toSorted(byHeadroom)
    .map(barOf);
  // Each kind is binned alone, so that a silent server hides no load; its last bin may be a part.
  const size = bars.length <= MOST_BARS ? 1 : Math.ceil(bars.length / (MOST_BARS - KINDS.length + 1));
  return KINDS.flatMap((kind) =>
    bin(
      bars.filter((bar) => bar.kind === kind),
      size,
    ),
  );
}

/** Servers with a fresh figure, least headroom first. */
export const nearestServers = (fleet: readonly FleetEntry[], count: number) =>
  fleet
    .filter((entry) => entry.status === 'active' && entry.headroom !== null)
    .toSorted(byHeadroom)
    .slice(0, count);
