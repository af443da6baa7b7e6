import { useDrawingArea, useXScale, useYScale } from '@mui/x-charts/hooks';
import { plotOf } from './points/chart-shape.ts';
import type { Plot } from './points/chart-shape.ts';

/** Maps moments and values to positions in the surrounding chart. */
export function usePlot(): Plot {
  const area = useDrawingArea();
  return plotOf(useXScale<'linear'>(), useYScale<'linear'>(), area);
}

/** Puts what is drawn from the corner of the plot there. */
export function usePlotCorner(): string {
  const { left, top } = useDrawingArea();
  return `translate(${left} ${top})`;
}
