import { METRIC } from './write-request.ts';

/** Every series of one server, or of all. A server id is a UUID and a figure a column: neither needs escaping. */
export const selector = (serverId: string | null, figures: readonly string[] = []): string => {
  const matchers = [
    ...(serverId === null ? [] : [`server="${serverId}"`]),
    ...(figures.length === 0 ? [] : [`figure=~"${figures.join('|')}"`]),
  ];
  return `${METRIC}{${matchers.join(',')}}`;
};

/**
 * A range `[5m]` at t reads what is after t − 5 min, and in Prometheus before 3.0 also what is at t − 5 min itself.
 * This subquery has two points where that one counts.
 */
export const CLOSED_LEFT_PROBE = { query: 'count_over_time(vector(1)[10s:10s])', time: 1_700_000_000, closed: 2 };

/** A stretch from `at` (ms) on, as the range of a selector and the moment to evaluate it. */
export const stretchFrom = (at: number, ms: number, isClosedLeft: boolean): { range: string; time: number } => ({
  range: `[${String(isClosedLeft ? ms - 1 : ms)}ms]`,
  time: (at + ms - 1) / 1000,
});
