import type { ActivityEvent } from '@plimsoll/contract/activity';
import { plural } from '../../../format/figures.ts';
import type { ChartMark } from './cluster-markers.ts';
import { visible } from '../../../format/escape-invisible.ts';
import { clockTime } from '../../../time/zone.ts';

/** The mark of those too old to have been asked for. */
export const EARLIER = 'earlier';

/** Events as marks below a chart. `total`: how many there are in the range that begins `from` (epoch seconds). */
export function eventMarks(events: readonly ActivityEvent[], total: number, from: number): ChartMark[] {
  const marks = events.map((event) => ({
    id: event.id,
    from: event.timestamp,
    to: null,
    tone: 'event' as const,
    words: `${clockTime(event.timestamp * 1000)} ${visible(event.message)}`,
  }));
  const missing = total - events.length;
  if (missing <= 0 || marks.length === 0) return marks;
  const oldest = Math.min(...marks.map((mark) => mark.from));
  return [
    ...marks,
    { id: EARLIER, from, to: oldest, tone: 'event', words: plural(missing, 'earlier event'), count: missing },
  ];
}
