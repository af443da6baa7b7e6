import { LinePlot } from '@mui/x-charts/LineChart';
import type { AnimatedLineProps } from '@mui/x-charts/LineChart';
import { bandPath, lonePath } from './points/chart-shape.ts';
import { endLabels } from './points/end-labels.ts';
import type { ChartPoint } from './points/chart-shape.ts';
import { usePlot, usePlotCorner } from './use-plot.ts';

export type SeriesColour = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

export interface ChartSeries {
  id: string;
  label: string;
  colour: SeriesColour;
  /** Growing in time; at most some 400. */
  points: readonly ChartPoint[];
  /** Comparison with another time: faint and dashed. */
  ghost?: boolean;
}

/** The ids of the two value axes: on the first one a line may change its colour at the load line. */
export const VALUES = 'values';
export const PLAIN_VALUES = 'plain';

/** A line of the library, coloured by its class; a gradient of its axis paints it red above the load line. */
function Curve({ d, className, ownerState: { gradientId } }: AnimatedLineProps) {
  return <path className={className} d={d} style={gradientId ? { stroke: `url(#${gradientId})` } : undefined} />;
}

const SLOTS = { line: Curve };

/** Lowest to highest behind, the averages before; points without a neighbour are thick. */
export function SeriesLayer({ series }: { series: readonly ChartSeries[] }) {
  const names = new Map(series.map(({ id, colour, ghost }) => [id, `curve s${colour}${ghost ? ' ghost' : ''}`]));
  return (
    <>
      <Bands series={series} />
      <LinePlot
        skipAnimation
        slots={SLOTS}
        slotProps={{ line: ({ seriesId }) => ({ className: names.get(seriesId) ?? '' }) }}
      />
    </>
  );
}

function Bands({ series }: { series: readonly ChartSeries[] }) {
  const plot = usePlot();
  const corner = usePlotCorner();
  return (
    <g transform={corner}>
      {series.map((each) => (
        <g key={each.id}>
          {!each.ghost && <path className={`band s${each.colour}`} d={bandPath(plot, each.points)} />}
          <path className={`curve lone s${each.colour}${each.ghost ? ' ghost' : ''}`} d={lonePath(plot, each.points)} />
        </g>
      ))}
    </g>
  );
}

/** The series' names beside their ends, each with its colour. */
export function SeriesNames({ series }: { series: readonly ChartSeries[] }) {
  const plot = usePlot();
  const colours = new Map(series.map(({ id, colour }) => [id, colour]));
  return endLabels(plot, series).map(({ id, label, y }) => (
    <g key={id}>
      <rect className={`swatch s${colours.get(id) ?? 1}`} x={plot.width + 8} y={y - 1} width={8} height={2} />
      <text className={`name s${colours.get(id) ?? 1}`} x={plot.width + 20} y={y + 4}>
        {label}
      </text>
    </g>
  ));
}

/** Marks the end of a silent server's line. */
export function LastDot({ series }: { series: readonly ChartSeries[] }) {
  const plot = usePlot();
  return series.map(({ id, colour, points }) => {
    const last = points.findLast((point) => point.avg !== null);
    if (last === undefined || last.avg === null) return null;
    return <circle key={id} className={`last curve s${colour}`} cx={plot.x(last.at)} cy={plot.y(last.avg)} r={4} />;
  });
}
