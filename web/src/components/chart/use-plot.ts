import { useDrawingArea, useXScale, useYScale } from '@mui/x-charts/hooks';
import { plotOf } from './points/chart-shape.ts';
import type { Plot } from './points/chart-shape.ts';

/** Where a moment and a value stand in the chart around. */
export function usePlot(): Plot {
  const area = useDrawingArea();
  return plotOf(useXScale<'linear'>(), useYScale<'linear'>(), area);
}

/** Puts what is drawn from the corner of the plot there. */
export function usePlotCorner(): string {
  const { left, top } = useDrawingArea();
  return `translate(${left} ${top})`;
}
