import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import { plural } from '../../../format/figures.ts';
import type { ChartMarker } from './cluster-markers.ts';
import { escapeInvisible } from '../../../format/escape-invisible.ts';
import { sinceMoment } from '../../../time/since-moment.ts';

/** Id of the marker that stands for events too old to be loaded. */
export const EARLIER = 'earlier';

/** Returns events as markers below a chart. `total` counts the events in the range that begins at `from` (epoch seconds). */
export function eventMarkers(
  events: readonly ActivityEvent[],
  total: number,
  from: number,
  /** The list that `events` begins is by time; of a list with leading events, those that do not lead. */
  byTime: readonly ActivityEvent[] = events,
): ChartMarker[] {
  const marks = events.map((event) => ({
    id: event.id,
    from: event.timestamp,
    to: null,
    tone: 'event' as const,
    words: `${sinceMoment(event.timestamp * 1000)} ${escapeInvisible(event.message)}`,
  }));
  const missing = total - events.length;
  if (missing <= 0 || byTime.length === 0) return marks;
  const oldest = Math.min(...byTime.map(({ timestamp }) => timestamp));
  return [
    ...marks,
    { id: EARLIER, from, to: oldest, tone: 'event', words: plural(missing, 'earlier event'), count: missing },
  ];
}
