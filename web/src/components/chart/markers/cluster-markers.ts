import { plural } from '../../../format/figures.ts';
import { sinceMoment } from '../../../time/since-moment.ts';
import { clockTime, shortDay } from '../../../time/zone.ts';

/** An event or alert drawn below a chart. Times are epoch seconds. */
export interface ChartMarker {
  id: string;
  from: number;
  /** End of the span; null for a moment. */
  to: number | null;
  tone: 'over' | 'near' | 'info' | 'quiet' | 'event';
  words: string;
  /** Number of events it stands for, when more than one: those too old to be loaded. */
  count?: number;
}

/** Markers drawn as one because they would overlap. */
export interface MarkerCluster {
  x: number;
  marks: readonly ChartMarker[];
  /** Number of events and alerts in the cluster. */
  count: number;
  tone: ChartMarker['tone'];
  /** "6 events, 14:02–14:10", or the words of the only marker. */
  words: string;
}

/** Width of a single marker, and of one with its count beside it, in px. */
const APART_PX = 12;
const COUNTED_APART_PX = 30;
const WORST_FIRST = ['over', 'near', 'info', 'quiet', 'event'] as const;

const sizeOf = (marks: readonly ChartMarker[]) => marks.reduce((sum, mark) => sum + (mark.count ?? 1), 0);

/** "14:02", "14:02–14:10", "19 Nov 23:50–20 Nov 00:10": a time of another day than today has its day. */
function timesOf(from: number, to: number): string {
  const [start, end] = [sinceMoment(from * 1000), sinceMoment(to * 1000)];
  if (start === end) return start;
  return shortDay(from * 1000) === shortDay(to * 1000) ? `${start}–${clockTime(to * 1000)}` : `${start}–${end}`;
}

function wordsOf(marks: readonly ChartMarker[]): string {
  const [first] = marks;
  const last = marks.at(-1);
  if (first === undefined || last === undefined) return '';
  if (first === last) return first.words;
  const events = sizeOf(marks.filter(({ tone }) => tone === 'event'));
  const alerts = sizeOf(marks) - events;
  const kinds = [...(alerts > 0 ? [plural(alerts, 'alert')] : []), ...(events > 0 ? [plural(events, 'event')] : [])];
  return `${kinds.join(' and ')}, ${timesOf(first.from, last.from)}`;
}

const groupOf = (x: number, marks: readonly ChartMarker[]): MarkerCluster => ({
  x,
  marks,
  count: sizeOf(marks),
  tone: WORST_FIRST.find((tone) => marks.some((mark) => mark.tone === tone)) ?? 'event',
  words: wordsOf(marks),
});

/** Returns the markers from left to right, overlapping ones as one cluster. `x` maps a time to px. */
export function clusterMarkers(marks: readonly ChartMarker[], x: (at: number) => number): MarkerCluster[] {
  const groups: { x: number; marks: ChartMarker[] }[] = [];
  for (const mark of marks.toSorted((a, b) => a.from - b.from)) {
    const place = x(mark.from);
    const open = groups.at(-1);
    const room = open !== undefined && sizeOf(open.marks) > 1 ? COUNTED_APART_PX : APART_PX;
    if (open !== undefined && place - open.x < room) open.marks.push(mark);
    else groups.push({ x: place, marks: [mark] });
  }
  return groups.map((group) => groupOf(group.x, group.marks));
}

/** Returns the first and last time of a cluster; for events that were only counted, the span they lie in. */
export const clusterSpan = ({ marks }: MarkerCluster): { from: number; to: number } => ({
  from: Math.min(...marks.map(({ from }) => from)),
  to: Math.max(...marks.map(({ from, to, tone }) => (tone === 'event' ? (to ?? from) : from))),
});
