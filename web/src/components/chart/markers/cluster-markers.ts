import { plural } from '../../../format/figures.ts';
import { clockTime } from '../../../time/zone.ts';

/** Something that happened, below a chart. Times are epoch seconds. */
export interface ChartMark {
  id: string;
  from: number;
  /** End of the span; null for a moment. */
  to: number | null;
  tone: 'over' | 'near' | 'info' | 'quiet' | 'event';
  words: string;
  /** More than one thing stands behind it: those too old to have been asked for. */
  count?: number;
}

/** Marks drawn as one because they would lie on each other. */
export interface MarkGroup {
  x: number;
  marks: readonly ChartMark[];
  /** What stands behind it altogether. */
  count: number;
  tone: ChartMark['tone'];
  /** "6 events, 14:02–14:10", or the words of the one. */
  words: string;
}

/** Room a lone mark takes, and one with its number beside it, in px. */
const APART_PX = 12;
const COUNTED_APART_PX = 30;
const WORST_FIRST = ['over', 'near', 'info', 'quiet', 'event'] as const;

const sizeOf = (marks: readonly ChartMark[]) => marks.reduce((sum, mark) => sum + (mark.count ?? 1), 0);

function wordsOf(marks: readonly ChartMark[]): string {
  const [first] = marks;
  const last = marks.at(-1);
  if (first === undefined || last === undefined) return '';
  if (first === last) return first.words;
  const events = sizeOf(marks.filter(({ tone }) => tone === 'event'));
  const alerts = sizeOf(marks) - events;
  const kinds = [...(alerts > 0 ? [plural(alerts, 'alert')] : []), ...(events > 0 ? [plural(events, 'event')] : [])];
  const [from, to] = [clockTime(first.from * 1000), clockTime(last.from * 1000)];
  return `${kinds.join(' and ')}, ${from === to ? from : `${from}–${to}`}`;
}

const groupOf = (x: number, marks: readonly ChartMark[]): MarkGroup => ({
  x,
  marks,
  count: sizeOf(marks),
  tone: WORST_FIRST.find((tone) => marks.some((mark) => mark.tone === tone)) ?? 'event',
  words: wordsOf(marks),
});

/** Marks from left to right, those that would lie on each other as one; `x`: where a moment stands, in px. */
export function thinMarks(marks: readonly ChartMark[], x: (at: number) => number): MarkGroup[] {
  const groups: { x: number; marks: ChartMark[] }[] = [];
  for (const mark of marks.toSorted((a, b) => a.from - b.from)) {
    const place = x(mark.from);
    const open = groups.at(-1);
    const room = open !== undefined && sizeOf(open.marks) > 1 ? COUNTED_APART_PX : APART_PX;
    if (open !== undefined && place - open.x < room) open.marks.push(mark);
    else groups.push({ x: place, marks: [mark] });
  }
  return groups.map((group) => groupOf(group.x, group.marks));
}

/** First and last moment of a group; of events that were only counted, the stretch they lie in. */
export const groupSpan = ({ marks }: MarkGroup): { from: number; to: number } => ({
  from: Math.min(...marks.map(({ from }) => from)),
  to: Math.max(...marks.map(({ from, to, tone }) => (tone === 'event' ? (to ?? from) : from))),
});
