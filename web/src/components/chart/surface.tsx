import { LANE_PX } from './chart-parts.ts';
import type { LoadChartProps } from './chart-props.ts';
import { CursorLayer } from './cursor-layer.tsx';
import type { ChartGap } from './gaps.tsx';
import { Lane } from './lane.tsx';
import { MomentLine } from './moment-line.tsx';
import { useBrush } from './use-brush.ts';
import { usePicking } from './use-picking.ts';
import { usePlot, usePlotCorner } from './use-plot.ts';

/** Below the plot and the lane stand the names of times; their foot is here. */
const TIME_FOOT_PX = 18;

type SurfaceProps = Pick<LoadChartProps, 'label' | 'series' | 'moment' | 'onBrush' | 'onMark' | 'onMoment'> & {
  gaps: readonly ChartGap[];
  marks: NonNullable<LoadChartProps['marks']> | null;
};

/** What a person can touch: the plot with its cursor and brush, and the lane. The library hides its own drawing from
 * screen readers, so the chart has its name, and its gaps their reasons, here. */
export function Surface({ label, series, gaps, marks, moment = null, onBrush, onMark, onMoment }: SurfaceProps) {
  const plot = usePlot();
  const corner = usePlotCorner();
  const { drag, handlers } = useBrush(plot, { onBrush, onMoment });
  const picking = usePicking({ plot, series, moment, onMoment });
  if (plot.width <= 0) return null;
  const said = [label, ...gaps.map(({ words }) => words)].join('. ');
  const foot = plot.height + (marks === null ? 0 : LANE_PX);
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
        <MomentLine at={moment} bottom={foot} />
        <CursorLayer series={series} gaps={gaps} bottom={foot + TIME_FOOT_PX} />
        <rect
          className="touched"
          aria-label={said}
          width={plot.width}
          height={plot.height}
          fill="transparent"
          {...picking}
          {...handlers}
        />
        {marks !== null && <Lane marks={marks} onMark={onMark} />}
      </g>
    </svg>
  );
}
