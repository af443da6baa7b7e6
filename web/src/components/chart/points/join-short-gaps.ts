import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import type { ChartPoint } from './chart-shape.ts';

interface Span {
  from: number;
  to: number;
}

/** Returns the median step from one known point to the next; 0 for fewer than two points. */
function usualStep(known: readonly ChartPoint[]): number {
  const steps = known.slice(1).map(({ at }, index) => at - (known[index]?.at ?? at));
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}

/**
 * Drops the empty buckets between two reports that came on time, so that the line joins them: a server that reports
 * every two minutes fills every other bucket of a minute only. Buckets inside one of `gaps` stay empty.
 */
export function joinShortGaps(points: readonly ChartPoint[], gaps: readonly Span[]): readonly ChartPoint[] {
  const known = points.filter(({ avg }) => avg !== null);
  if (known.length === points.length) return points;
  const longest = usualStep(known) * GAP_INTERVALS;
  const isGap = (from: number, to: number) => to - from > longest || gaps.some((gap) => gap.from < to && gap.to > from);
  let next = 0;
  return points.filter(({ avg }) => {
    if (avg !== null) {
      next += 1;
      return true;
    }
    const [before, after] = [known[next - 1], known[next]];
    return before === undefined || after === undefined || isGap(before.at, after.at);
  });
}
