import { EARLIER } from './event-markers.ts';
import { clusterSpan } from './cluster-markers.ts';
import type { MarkerCluster } from './cluster-markers.ts';
import { SHORTEST_RANGE_SECONDS } from '../../../time/range.ts';
import { AROUND_SECONDS } from '../../../time/moment.ts';

/** Target of a click on a marker: its alert, the processes at that moment, or a shorter range that separates many. */
export type MarkerTarget =
  | { kind: 'alert'; id: string }
  | { kind: 'moment'; at: number }
  | { kind: 'range'; from: number; to: number };

/** Returns the span of a cluster with a margin, long enough to be shown. */
export function stretchOf(group: MarkerCluster): { from: number; to: number } {
  const { from, to } = clusterSpan(group);
  const margin = Math.max((to - from) * 0.1, SHORTEST_RANGE_SECONDS / 2);
  return { from: Math.floor(from - margin), to: Math.ceil(to + margin) };
}

/** Returns one list for markers within 15 minutes; a wider cluster opens its range first, so that they separate. */
export function markerTarget(group: MarkerCluster): MarkerTarget {
  const [first, second] = group.marks;
  if (first !== undefined && second === undefined && first.tone !== 'event') return { kind: 'alert', id: first.id };
  const { from, to } = clusterSpan(group);
  const hidden = group.marks.some(({ id }) => id === EARLIER);
  return hidden || to - from > AROUND_SECONDS
    ? { kind: 'range', ...stretchOf(group) }
    : { kind: 'moment', at: Math.ceil(to) };
}
