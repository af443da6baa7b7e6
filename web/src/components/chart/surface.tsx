import { LANE_PX } from './chart-parts.ts';
import { CursorLayer } from './cursor-layer.tsx';
import type { ChartGap } from './gaps.tsx';
import { Lane } from './lane.tsx';
import type { ChartMark } from './lane.tsx';
import type { ChartSeries } from './series.tsx';
import { useBrush } from './use-brush.ts';
import { usePlot, usePlotCorner } from './use-plot.ts';

/** Below the plot and the lane stand the names of times; their foot is here. */
const TIME_FOOT_PX = 18;

interface SurfaceProps {
  label: string;
  series: readonly ChartSeries[];
  gaps: readonly ChartGap[];
  marks: readonly ChartMark[] | null;
  onBrush: ((from: number, to: number) => void) | undefined;
  onMark: ((id: string) => void) | undefined;
}

/** What a person can touch: the plot with its cursor and brush, and the lane. The library hides its own drawing from
 * screen readers, so the chart has its name, and its gaps their reasons, here. */
export function Surface({ label, series, gaps, marks, onBrush, onMark }: SurfaceProps) {
  const plot = usePlot();
  const corner = usePlotCorner();
  const { drag, handlers } = useBrush(plot, onBrush);
  if (plot.width <= 0) return null;
  const said = [label, ...gaps.map(({ words }) => words)].join('. ');
  return (
    <svg className="surface">
      <g transform={corner}>
        {drag !== null && (
          <rect
            className="brush"
            x={Math.min(drag.from, drag.to)}
            width={Math.abs(drag.to - drag.from)}
            height={plot.height}
          />
        )}
        <CursorLayer series={series} gaps={gaps} bottom={plot.height + (marks === null ? 0 : LANE_PX) + TIME_FOOT_PX} />
        <rect role="img" aria-label={said} width={plot.width} height={plot.height} fill="transparent" {...handlers} />
        {marks !== null && <Lane marks={marks} onMark={onMark} />}
      </g>
    </svg>
  );
}
