import type { ProcessHistoryAnswer } from '@plimsoll/contract/wire/processes';
import { plural } from '../../format/figures.ts';
import { dayAndTime } from '../../time/zone.ts';
import type { ChartPoint } from '../chart/points/chart-shape.ts';

type History = Pick<ProcessHistoryAnswer, 'points' | 'step_seconds'>;
export type HistoryPick = (point: ProcessHistoryAnswer['points'][number]) => number | null;

const PER_CORE = 100;
const KILOBYTES = 1024;

/** Cores, and MB. */
export const CORES: HistoryPick = ({ cpu_usage: cpu }) => (cpu === null ? null : cpu / PER_CORE);
export const MEGABYTES: HistoryPick = ({ memory_kb: kilobytes }) => (kilobytes === null ? null : kilobytes / KILOBYTES);

/** Returns one line of the history. The answer leaves out a moment without a list; here it breaks the line. */
export function historyPoints({ points, step_seconds: step }: History, pick: HistoryPick): ChartPoint[] {
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    const missing = before !== undefined && point.timestamp - before.timestamp > 1.5 * step;
    const own = { at: point.timestamp, avg: pick(point) };
    return missing ? [{ at: before.timestamp + step, avg: null }, own] : [own];
  });
}

/** "Started once, 19 Nov 14:05", "Started 3 times, last 19 Nov 14:05"; a start counts when a list shows its process. */
export function startsText(starts: readonly number[]): string {
  const last = starts.at(-1);
  if (last === undefined) return 'Among the greediest at no time of this range.';
  const when = dayAndTime(last * 1000);
  return starts.length === 1 ? `Started ${when}.` : `${plural(starts.length, 'start')} seen, the last ${when}.`;
}
