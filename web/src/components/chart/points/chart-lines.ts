import type { ChartPoint } from './chart-shape.ts';

/** One series as the chart library takes it: moments and values, with null for a gap, which is not joined. */
export function chartLine(points: readonly ChartPoint[], yMax: number) {
  return {
    moments: points.map(({ at }) => at),
    // A value beyond the scale is drawn at its edge; the library would leave the plot.
    values: points.map(({ avg }) => (avg === null ? null : Math.min(yMax, Math.max(0, avg)))),
  };
}
