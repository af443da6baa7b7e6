import type { ChartPoint } from './chart-shape.ts';

interface Stretch {
  from: number;
  to: number;
}

/** Two known points further apart than so many of the usual steps are not joined: the API calls that a gap, too. */
const STEPS_JOINED = 2.5;

/** The middle one of the steps from one known point to the next; 0 of fewer than two points. */
function usualStep(known: readonly ChartPoint[]): number {
  const steps = known.slice(1).map(({ at }, index) => at - (known[index]?.at ?? at));
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
}

/**
 * The points without the empty buckets between two reports that came on time: a server that reports every two minutes
 * has nothing in every other bucket of a minute, and that is no gap. What is inside one of `gaps` stays empty.
 */
export function withoutEmptySteps(points: readonly ChartPoint[], gaps: readonly Stretch[]): readonly ChartPoint[] {
  const known = points.filter(({ avg }) => avg !== null);
  if (known.length === points.length) return points;
  const longest = usualStep(known) * STEPS_JOINED;
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
