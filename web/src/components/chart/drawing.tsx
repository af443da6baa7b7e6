import { useTheme } from '@mui/material/styles';
import { ChartsDataProvider } from '@mui/x-charts/ChartsDataProvider';
import { ChartsSvgLayer } from '@mui/x-charts/ChartsSvgLayer';
import { chartLine } from './points/chart-shape.ts';
import { valueTicks } from './points/chart-shape.ts';
import { Axes, LoadLines } from './axes.tsx';
import { tickName } from './points/chart-ticks.ts';
import { axisPx, Canvas, LANE_PX, MARGIN, NAMES_PX } from './chart-parts.ts';
import { GapNames, Gaps } from './gaps.tsx';
import { Lacking } from './lacking.tsx';
import { CHART_PX } from './chart-props.ts';
import type { LoadChartProps } from './chart-props.ts';
import { LastDot, PLAIN_VALUES, SeriesLayer, SeriesNames, VALUES } from './series.tsx';
import { Surface } from './surface.tsx';
import { usePlotCorner } from './use-plot.ts';

/** The colours a lone series changes between at its line; undefined where nothing changes. */
function useOverColours({ series, line, yMax }: Pick<LoadChartProps, 'series' | 'line' | 'yMax'>) {
  const { load } = useTheme().vars.palette;
  const [only, second] = series.filter((each) => !each.ghost);
  if (line == null || line >= yMax || only === undefined || second !== undefined) return undefined;
  return { type: 'piecewise' as const, thresholds: [line], colors: [load[`series${only.colour}`], load.over] };
}

/** Each series has a time axis of its own: one that is compared with has other moments. */
function linesOf({ from, to, series, yMax }: Pick<LoadChartProps, 'from' | 'to' | 'series' | 'yMax'>) {
  const lines = series.map(({ id, label, points, ghost }) => ({ id, label, ghost, ...chartLine(points, yMax) }));
  return {
    series: lines.map(({ id, label, values, ghost }) => ({
      type: 'line' as const,
      id,
      label,
      data: values,
      xAxisId: id,
      yAxisId: ghost ? PLAIN_VALUES : VALUES,
      showMark: false,
      curve: 'linear' as const,
    })),
    xAxis: lines.map(({ id, moments }, index) => ({
      id,
      scaleType: 'linear' as const,
      data: moments,
      min: from,
      max: to,
      position: index === 0 ? ('bottom' as const) : ('none' as const),
      height: MARGIN.bottom,
      valueFormatter: (at: number) => tickName(at, to - from),
    })),
  };
}

type PictureProps = Required<Pick<LoadChartProps, 'series' | 'gaps' | 'line' | 'critical' | 'silent' | 'endLabels'>> & {
  lane: number;
};

function Picture({ series, gaps, line, critical, silent, endLabels, lane }: PictureProps) {
  const corner = usePlotCorner();
  return (
    <ChartsSvgLayer>
      <Axes lane={lane} />
      <g transform={corner}>
        <Gaps gaps={gaps} />
        <Lacking series={series} />
      </g>
      <SeriesLayer series={series} />
      <g transform={corner}>
        <GapNames gaps={gaps} />
        <LoadLines line={line} critical={critical} inside={endLabels} />
        {endLabels && <SeriesNames series={series} />}
        {silent && <LastDot series={series} />}
      </g>
    </ChartsSvgLayer>
  );
}

/**
 * Lines over time against their load line. Axes, grid and lines are the library's; the band, the load line, gaps, the
 * lane and the page-wide cursor are ours, on its scales. Draws at once, without animation.
 */
export default function Drawing(props: LoadChartProps) {
  const { series, yMax, line = null, critical = null, gaps = [], marks = null, height = CHART_PX } = props;
  const { steps = 5, format = String, silent = false, endLabels = false, fills = false } = props;
  const lane = marks === null ? 0 : LANE_PX;
  const colorMap = useOverColours(props);
  const scale = { scaleType: 'linear' as const, min: 0, max: yMax };
  const named = [line, critical].filter((value) => value !== null);
  const ticks = valueTicks(yMax, steps, named);
  const values = {
    ...scale,
    id: VALUES,
    width: axisPx(ticks.map(format)),
    tickInterval: ticks,
    valueFormatter: format,
    ...(colorMap === undefined ? {} : { colorMap }),
  };
  return (
    <ChartsDataProvider<'line'>
      {...linesOf(props)}
      yAxis={[values, { ...scale, id: PLAIN_VALUES, position: 'none' }]}
      {...(fills ? {} : { height })}
      margin={{ top: MARGIN.top, right: endLabels ? NAMES_PX : MARGIN.right, bottom: lane, left: 0 }}
      skipAnimation
      disableAxisListener
      disableKeyboardNavigation
    >
      <Canvas style={fills ? { minHeight: height } : undefined}>
        <Picture {...{ series, gaps, line, critical, silent, endLabels, lane }} />
        <Surface {...props} gaps={gaps} marks={marks} />
      </Canvas>
    </ChartsDataProvider>
  );
}
