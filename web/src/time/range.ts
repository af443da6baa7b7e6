import { HOUR_SECONDS } from '@plimsoll/contract/rules/durations';
import { MAX_HOURS } from '@plimsoll/contract/rules/limits';

/** Range of a chart: the last hours, or an interval in epoch seconds. */
export type TimeRange = { kind: 'relative'; hours: number } | { kind: 'absolute'; from: number; to: number };

export const SERVER_RANGES = [1, 6, 12, 24] as const;
/** Longer ranges of every chart: a week to a year, which is as long as rollups are kept. */
export const LONGER_RANGES = [168, 720, 2160, MAX_HOURS] as const;
/** Parameters of the address that say a range. */
export const RANGE_PARAMETERS = ['hours', 'from', 'to'] as const;
export const DEFAULT_RANGE: TimeRange = { kind: 'relative', hours: 24 };

/** Later moments of an address could not be written: dates have years of four digits. */
const LATEST = Date.UTC(9999, 0) / 1000;
/** A drag shorter than this is a slip of the hand. */
export const SHORTEST_RANGE_SECONDS = 60;

const wholeBetween = (text: string | null, min: number, max: number): number | null => {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isInteger(value) && value >= min && value <= max ? value : null;
};

/** `?hours=6` or `?from=…&to=…` (epoch seconds); anything else is the fallback. */
export function parseRange(search: URLSearchParams, fallback: TimeRange = DEFAULT_RANGE): TimeRange {
  const from = wholeBetween(search.get('from'), 0, LATEST);
  const to = wholeBetween(search.get('to'), 0, LATEST);
  if (from !== null && to !== null && to - from >= SHORTEST_RANGE_SECONDS) return { kind: 'absolute', from, to };
  const hours = wholeBetween(search.get('hours'), 1, MAX_HOURS);
  return hours === null ? fallback : { kind: 'relative', hours };
}

/** A copy of `search` that says `range`; the fallback range is left unsaid. */
export function withRange(search: URLSearchParams, range: TimeRange, fallback: TimeRange = DEFAULT_RANGE) {
  const next = new URLSearchParams(search);
  for (const name of RANGE_PARAMETERS) next.delete(name);
  if (range.kind === 'absolute') {
    next.set('from', String(Math.floor(range.from)));
    next.set('to', String(Math.ceil(range.to)));
  } else if (fallback.kind !== 'relative' || range.hours !== fallback.hours) {
    next.set('hours', String(range.hours));
  }
  return next;
}

/** Returns the range as it stood at a moment: the last hours before it. A stretch stays. */
export const endingAt = (range: TimeRange, at: number | undefined): TimeRange =>
  at === undefined || range.kind === 'absolute'
    ? range
    : { kind: 'absolute', from: at - range.hours * HOUR_SECONDS, to: at };

/** The parameters a time-series call understands. */
export function rangeQuery(range: TimeRange): { hours: number } | { start_date: number; end_date: number } {
  return range.kind === 'relative' ? { hours: range.hours } : { start_date: range.from, end_date: range.to };
}

/** Start and end in epoch seconds. */
export function rangeBounds(range: TimeRange, nowMs: number): { from: number; to: number } {
  if (range.kind === 'absolute') return { from: range.from, to: range.to };
  const to = Math.floor(nowMs / 1000);
  return { from: to - range.hours * HOUR_SECONDS, to };
}

const YEAR_HOURS = 8760;

/** "1h", "24h", "3d", "1y": whole days from two days on. */
export function rangeLabel(hours: number): string {
  if (hours === YEAR_HOURS) return '1y';
  return hours > 24 && hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`;
}
