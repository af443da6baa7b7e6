import type { ChartPoint } from './chart-shape.ts';

/** Seconds from the point to its padding. */
const PAD_SECONDS = 300;

/**
 * Pads a timeline of one known point with zero five minutes before and after; returns null for any other timeline.
 * The padding is not measured: it is drawn faint and has no tooltip.
 */
export function padSinglePoint(points: readonly ChartPoint[]): ChartPoint[] | null {
  const known = points.filter((point) => point.avg !== null);
  const [only] = known;
  if (only === undefined || known.length > 1) return null;
  return [
    { at: only.at - PAD_SECONDS, avg: 0 },
    { at: only.at, avg: only.avg },
    { at: only.at + PAD_SECONDS, avg: 0 },
  ];
}
