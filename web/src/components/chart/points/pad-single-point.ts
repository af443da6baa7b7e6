import type { ChartPoint } from './chart-shape.ts';

/** Seconds before and after a lone point. */
export const PAD_SECONDS = 300;

/**
 * A timeline of one known point, padded with nought five minutes before and after; null when it has none or more.
 * The padding is not measured: it is drawn faint and answers no cursor.
 */
export function padSingle(points: readonly ChartPoint[]): ChartPoint[] | null {
  const known = points.filter((point) => point.avg !== null);
  const [only] = known;
  if (only === undefined || known.length > 1) return null;
  return [
    { at: only.at - PAD_SECONDS, avg: 0 },
    { at: only.at, avg: only.avg },
    { at: only.at + PAD_SECONDS, avg: 0 },
  ];
}
