import { LANE_PX } from './chart-parts.ts';
import type { LoadChartProps } from './chart-props.ts';
import { CursorLayer } from './cursor-layer.tsx';
import type { ChartGap } from './gaps.tsx';
import { Lane } from './lane.tsx';
import { lackingRuns } from './points/lacking-runs.ts';
import { spanText } from './points/series-shape.ts';
import { useBrush } from './use-brush.ts';
import { usePicking } from './use-picking.ts';
import { usePlot, usePlotCorner } from './use-plot.ts';

/** Below the plot and the lane stand the names of times; their foot is here. */
const TIME_FOOT_PX = 18;

type SurfaceProps = Pick<LoadChartProps, 'label' | 'series' | 'moment' | 'onBrush' | 'onMark' | 'onMoment'> & {
  gaps: readonly ChartGap[];
  marks: NonNullable<LoadChartProps['marks']> | null;
};

/** Draws the chosen moment: a line through every chart of the page, with a head to find it by. */
function MomentLine({ at, bottom }: { at: number | null; bottom: number }) {
  const plot = usePlot();
  if (at === null || at < plot.from || at > plot.to) return null;
  const x = plot.x(at);
  return (
    <g className="moment" pointerEvents="none">
      <path d={`M${x} -4V${bottom}`} />
      <path className="head" d={`M${x - 4} -8H${x + 4}L${x} -2Z`} />
    </g>
  );
}

/** The parts that take a pointer: the plot with its cursor and brush, and the lane. The library hides its own drawing from
 * screen readers, so the chart has its name, and its gaps their reasons, here. */
export function Surface({ label, series, gaps, marks, moment = null, onBrush, onMark, onMoment }: SurfaceProps) {
  const plot = usePlot();
  const corner = usePlotCorner();
  const { drag, handlers } = useBrush(plot, { onBrush, onMoment });
  const picking = usePicking({ plot, series, moment, onMoment });
  if (plot.width <= 0) return null;
  const lacking = lackingRuns(series[0]?.points ?? []).map(
    ({ from, to, fewest }) => `${fewest} ${spanText(from, to, plot.to - plot.from)}`,
  );
  const said = [label, ...gaps.map(({ words }) => words), ...lacking].join('. ');
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
