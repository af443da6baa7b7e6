import { ChartsGrid } from '@mui/x-charts/ChartsGrid';
import { ChartsXAxis } from '@mui/x-charts/ChartsXAxis';
import { ChartsYAxis } from '@mui/x-charts/ChartsYAxis';
import { tickName, timeTicks } from './points/chart-ticks.ts';
import { zoneOffsetSeconds } from '../../time/zone.ts';
import { LETTER_PX, MARGIN } from './chart-parts.ts';
import { usePlot } from './use-plot.ts';

const TICK_STYLE = { fontSize: 11 };
/** A name of a time needs this many px. */
const TIME_PX = 86;

/** Round moments below the chart, in the chosen zone; a name that would stand off the chart is left out. */
function TimeAxis() {
  const plot = usePlot();
  const span = plot.to - plot.from;
  const ticks = timeTicks(plot.from, plot.to, Math.floor(plot.width / TIME_PX), zoneOffsetSeconds(plot.to * 1000));
  const fits = (at: number) => {
    const half = (tickName(at, span).length * LETTER_PX) / 2;
    return plot.x(at) > half - MARGIN.left && plot.x(at) < plot.width + MARGIN.right - half;
  };
  return (
    <ChartsXAxis tickInterval={ticks} tickLabelInterval={fits} disableLine disableTicks tickLabelStyle={TICK_STYLE} />
  );
}

/** Hairlines with their numbers on the left, and times below. Which values are named is said by
 * the y axis itself; `lane` is the room in px between the plot and the times. */
export function Axes({ lane }: { lane: number }) {
  return (
    <>
      <ChartsGrid horizontal />
      <ChartsYAxis disableLine disableTicks tickLabelStyle={TICK_STYLE} />
      <g transform={`translate(0 ${lane})`}>
        <TimeAxis />
      </g>
    </>
  );
}

interface LinesProps {
  line: number | null;
  critical: number | null;
  /** The numbers stand inside the plot, because names of series stand right of it. */
  inside?: boolean;
}

/** The load line with its mark at the axis and its number at the right; the critical line dashed above. */
export function LoadLines({ line, critical, inside = false }: LinesProps) {
  const plot = usePlot();
  const shown = (value: number | null): value is number => value !== null && value <= plot.yMax;
  const place = (value: number) =>
    inside
      ? { x: plot.width - 4, y: plot.y(value) - 4, textAnchor: 'end' as const }
      : { x: plot.width + 8, y: plot.y(value) + 4 };
  return (
    <g>
      {shown(critical) && (
        <>
          <path className="critical-line" d={`M0 ${plot.y(critical)}H${plot.width}`} />
          <text {...place(critical)}>{critical}</text>
        </>
      )}
      {shown(line) && (
        <>
          <path className="load-line" d={`M-4 ${plot.y(line)}H${plot.width}`} />
          <circle className="load-mark" cx={4} cy={plot.y(line)} r={3.5} />
          <path className="load-line" d={`M0 ${plot.y(line)}H8`} />
          <text className="load-name" {...place(line)}>
            {line}
          </text>
        </>
      )}
    </g>
  );
}
