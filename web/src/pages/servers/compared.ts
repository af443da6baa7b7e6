import type { Server } from '@plimsoll/contract/wire/servers';
import type { ChartPoint } from '../../components/chart/points/chart-shape.ts';

/** A chart tells this many lines apart. */
export const MOST_COMPARED = 8;

/** The comparison of the Servers page, in its address. */
export interface Compared {
  /** Server ids in the order they were ticked: it decides their colours. */
  ids: readonly string[];
  /** True while the charts are shown in place of the fleet. */
  open: boolean;
}

const ID = /^[0-9a-f-]{36}$/;

export function parseCompared(search: URLSearchParams): Compared {
  const ids = (search.get('compare') ?? '')
    .toLowerCase()
    .split(',')
    .filter((id) => ID.test(id));
  const chosen = [...new Set(ids)].slice(0, MOST_COMPARED);
  return { ids: chosen, open: search.get('show') === 'charts' && chosen.length > 0 };
}

/** Returns a copy of `search` that says what is compared. */
export function withCompared(search: URLSearchParams, { ids, open }: Compared): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('compare');
  next.delete('show');
  if (ids.length > 0) next.set('compare', ids.slice(0, MOST_COMPARED).join(','));
  if (open && ids.length > 0) next.set('show', 'charts');
  return next;
}

/** Ticks the server or takes its tick away; a ninth one changes nothing. */
export const toggled = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id].slice(0, MOST_COMPARED);

export interface SharedLine {
  line: number | null;
  critical: number | null;
  /** Why there is no shared line. */
  note: string | null;
}
type Lined = Pick<Server, 'lines'>;

/** Returns the line of a resource if all servers have the same. */
export function sharedLine(servers: readonly Lined[], resource: keyof Server['lines']): SharedLine {
  const [first, ...rest] = servers.map(({ lines }) => lines[resource]);
  if (first === undefined) return { line: null, critical: null, note: null };
  const same = rest.every(({ warning }) => warning === first.warning);
  if (!same) {
    const lines = [...new Set([first, ...rest].map(({ warning }) => warning))].toSorted((a, b) => a - b);
    return { line: null, critical: null, note: `lines differ: ${lines.join(', ')} %` };
  }
  return {
    line: first.warning,
    critical: rest.every(({ critical }) => critical === first.critical) ? first.critical : null,
    note: null,
  };
}

/** Means alone: bands of eight servers over each other say nothing. */
export const withoutBands = (points: readonly ChartPoint[]): ChartPoint[] => points.map(({ at, avg }) => ({ at, avg }));
