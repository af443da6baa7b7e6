import type { ChartPoint, Plot } from './chart-shape.ts';

/** Least distance between two labels in px. */
const APART_PX = 13;

export interface EndLabel {
  id: string;
  label: string;
  y: number;
}

/** Places the names of series beside their ends: pushed apart, never off the plot. */
export function endLabels(
  plot: Pick<Plot, 'height' | 'y'>,
  series: readonly { id: string; label: string; points: readonly ChartPoint[] }[],
): EndLabel[] {
  const ends = series.flatMap(({ id, label, points }) => {
    const last = points.findLast((point) => point.avg !== null);
    return last === undefined || last.avg === null ? [] : [{ id, label, y: plot.y(last.avg) }];
  });
  let floor = plot.height + APART_PX;
  const fromBelow = ends
    .toSorted((a, b) => b.y - a.y)
    .map((end) => {
      floor = Math.min(end.y, floor - APART_PX);
      return { ...end, y: floor };
    });
  let ceiling = -APART_PX;
  return fromBelow.toReversed().map((end) => {
    ceiling = Math.max(end.y, ceiling + APART_PX);
    return { ...end, y: ceiling };
  });
}
