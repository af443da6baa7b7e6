import { EARLIER } from './event-markers.ts';
import { groupSpan } from './cluster-markers.ts';
import type { MarkGroup } from './cluster-markers.ts';
import { SHORTEST_RANGE_SECONDS } from '../../../time/range.ts';
import { AROUND_SECONDS } from '../../../time/moment.ts';

/** Where a mark leads: to its alert, to what ran then, or into a stretch of time that sets many apart. */
export type MarkTarget =
  | { kind: 'alert'; id: string }
  | { kind: 'moment'; at: number }
  | { kind: 'range'; from: number; to: number };

/** The stretch a group covers, with a margin, long enough to be shown. */
export function stretchOf(group: MarkGroup): { from: number; to: number } {
  const { from, to } = groupSpan(group);
  const margin = Math.max((to - from) * 0.1, SHORTEST_RANGE_SECONDS / 2);
  return { from: Math.floor(from - margin), to: Math.ceil(to + margin) };
}

/** Several within a quarter of an hour are read in one list; what lies wider is set apart first. */
export function markTarget(group: MarkGroup): MarkTarget {
  const [first, second] = group.marks;
  if (first !== undefined && second === undefined && first.tone !== 'event') return { kind: 'alert', id: first.id };
  const { from, to } = groupSpan(group);
  const hidden = group.marks.some(({ id }) => id === EARLIER);
  return hidden || to - from > AROUND_SECONDS
    ? { kind: 'range', ...stretchOf(group) }
    : { kind: 'moment', at: Math.ceil(to) };
}
