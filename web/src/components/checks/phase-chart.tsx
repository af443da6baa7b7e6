import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { styled } from '@mui/material/styles';
import type { CheckOutageOnWire, CheckSeriesAnswer } from '@plimsoll/contract/wire/checks/checks';
import { useCallback, useId, useState } from 'react';
import { numberText } from '../../format/figures.ts';
import { clockTime, shortDay } from '../../time/zone.ts';
import { areaPath, PHASES, runsOf, slowStretches, topOf, xOf, yOf, type Plot } from './phase-points.ts';

const [HEIGHT, LEFT, BOTTOM] = [220, 44, 32];
/** Between the plot and its times: where it was down or slow. */
const MARKS = { top: 5, height: 4 } as const;
/** Before the first layout. */
const FIRST_WIDTH = 800;
/** Pixels that a time needs beside the next. */
const TICK_PX = 110;
const LINES = 4;

const Svg = styled('svg')(({ theme }) => ({
  display: 'block',
  width: '100%',
  height: HEIGHT + BOTTOM,
  '& text': { fontSize: 11, fill: theme.vars.palette.load.text3, fontVariantNumeric: 'tabular-nums' },
  '& .grid': { stroke: theme.vars.palette.divider, vectorEffect: 'non-scaling-stroke' },
  '& .down': { fill: theme.vars.palette.load.overTint },
  '& .mark': { fill: theme.vars.palette.load.over },
  '& .slow': { fill: theme.vars.palette.load.near },
  '& .line': { stroke: theme.vars.palette.text.primary, strokeWidth: 1, vectorEffect: 'non-scaling-stroke' },
  '& .line-name': { fill: theme.vars.palette.text.primary },
  '& .past-line': { fill: theme.vars.palette.load.over },
  '& .unknown': { fill: theme.vars.palette.load.track, opacity: 0.5 },
  ...Object.fromEntries(
    PHASES.map((_, index) => [
      `& [data-phase="${String(index)}"]`,
      { fill: theme.vars.palette.load[`series${String(index + 1)}` as 'series1'], fillOpacity: 0.85 },
    ]),
  ),
}));
const Legend = styled('ul')(({ theme }) => ({
  ...theme.typography.caption,
  listStyle: 'none',
  display: 'flex',
  flexWrap: 'wrap',
  gap: '2px 14px',
  margin: '0 0 12px',
  padding: 0,
  color: theme.vars.palette.text.secondary,
  '& b': { color: theme.vars.palette.text.primary, fontVariantNumeric: 'tabular-nums' },
  '& i': { display: 'inline-block', width: 9, height: 9, marginRight: 6, borderRadius: 2 },
  ...Object.fromEntries(
    PHASES.map((_, index) => [
      `& li:nth-of-type(${String(index + 1)}) i`,
      { backgroundColor: theme.vars.palette.load[`series${String(index + 1)}` as 'series1'] },
    ]),
  ),
}));

type Points = CheckSeriesAnswer['points'];

/** The phases with their last values; a phase that this kind of check has not is N/A. */
export function PhaseLegend({ points }: { points: Points }) {
  const last = points.findLast(({ total_ms: total }) => total !== null);
  return (
    <Legend aria-label="Phases, last values">
      {PHASES.map(({ key, name }) => {
        const value = last?.[key];
        return (
          <li key={key}>
            <i aria-hidden />
            {name} <b>{value == null ? 'N/A' : `${numberText(value, value < 10 ? 1 : 0) ?? ''} ms`}</b>
          </li>
        );
      })}
    </Legend>
  );
}

interface SlowLineProps {
  plot: Plot;
  lineMs: number;
  runs: readonly Points[];
  stretches: readonly [number, number][];
}

/** The line of the rule, what is above it, and a mark below each stretch whose p95 is past it. */
function SlowLine({ plot, lineMs, runs, stretches }: SlowLineProps) {
  const clip = useId();
  const y = yOf(plot, lineMs);
  return (
    <>
      <clipPath id={clip}>
        <rect x={0} y={0} width={plot.width} height={y} />
      </clipPath>
      {runs.map((run) =>
        PHASES.map(({ key }, index) => (
          <path
            key={`${run[0]?.time ?? ''} ${key}`}
            className="past-line"
            clipPath={`url(#${clip})`}
            d={areaPath(run, index, plot)}
          />
        )),
      )}
      {stretches.map(([begin, end]) => {
        const x = xOf(plot, begin);
        return (
          <rect
            key={begin}
            className="slow"
            x={x}
            y={plot.height + MARKS.top}
            width={Math.max(2, xOf(plot, end) - x)}
            height={MARKS.height}
          >
            <title>{`p95 past ${numberText(lineMs) ?? ''} ms`}</title>
          </rect>
        );
      })}
      <path className="line" d={`M0 ${y.toFixed(1)}H${String(plot.width)}`} />
      <text className="line-name" x={plot.width} y={y - 5} textAnchor="end">
        {`line ${numberText(lineMs) ?? ''} ms`}
      </text>
    </>
  );
}

/** Lines across, with their milliseconds. */
const Grid = ({ plot }: { plot: Plot }) =>
  Array.from({ length: LINES + 1 }, (_, index) => {
    const ms = (plot.top * index) / LINES;
    const y = yOf(plot, ms);
    return (
      <g key={ms}>
        <path className="grid" d={`M0 ${y.toFixed(1)}H${String(plot.width)}`} />
        <text x={-8} y={Math.max(9, y + 4)} textAnchor="end">
          {numberText(ms, ms < 10 && ms % 1 !== 0 ? 1 : 0)}
        </text>
      </g>
    );
  });

interface PhaseChartProps {
  points: Points;
  stepSeconds: number;
  outages: readonly CheckOutageOnWire[];
  /** Line of the rule check_slow; null: no rule compares the response time. */
  lineMs: number | null;
  /** Epoch milliseconds. */
  from: number;
  to: number;
}

/** Response time by phase, stacked; stretches that are down or unknown stand behind it. */
export function PhaseChart({ points, stepSeconds, outages, lineMs, from, to }: PhaseChartProps) {
  const title = useId();
  const [width, setWidth] = useState(FIRST_WIDTH);
  const measure = useCallback((svg: SVGSVGElement | null) => {
    if (svg === null) return undefined;
    // One unit is one pixel, so that texts keep their size.
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? FIRST_WIDTH));
    observer.observe(svg);
    return () => observer.disconnect();
  }, []);
  const plotWidth = Math.max(100, width - LEFT);
  const ticks = Math.max(2, Math.floor(plotWidth / TICK_PX));
  const plot: Plot = { from, to, width: plotWidth, height: HEIGHT, top: topOf(points, lineMs) };
  const runs = runsOf(points, stepSeconds);
  const stretches = slowStretches(points, stepSeconds, lineMs);
  const shown = outages.filter(({ ended_at: ended }) => ended === null || Date.parse(ended) > from);
  const label = to - from > 2 * DAY_MS ? shortDay : clockTime;
  const most = Math.max(0, ...points.map(({ max_ms: max }) => max ?? 0));
  return (
    <Svg
      ref={measure}
      viewBox={`0 0 ${String(LEFT + plotWidth)} ${String(HEIGHT + BOTTOM)}`}
      role="img"
      aria-labelledby={title}
    >
      <title id={title}>{`Response time by phase, at most ${numberText(most) ?? '0'} ms`}</title>
      <g transform={`translate(${String(LEFT)} 0)`}>
        <Grid plot={plot} />
        {shown.map((outage) => {
          const x = xOf(plot, Date.parse(outage.began_at));
          const end = outage.ended_at === null ? plotWidth : xOf(plot, Date.parse(outage.ended_at));
          const length = Math.max(2, end - x);
          return (
            <g key={outage.outage_id}>
              <rect
                className={outage.kind === 'down' ? 'down' : 'unknown'}
                x={x}
                y={0}
                width={length}
                height={HEIGHT}
              />
              {outage.kind === 'down' && (
                <rect className="mark" x={x} y={HEIGHT + MARKS.top} width={length} height={MARKS.height} />
              )}
            </g>
          );
        })}
        {runs.map((run) =>
          PHASES.map(({ key }, index) => (
            <path key={`${run[0]?.time ?? ''} ${key}`} data-phase={index} d={areaPath(run, index, plot)} />
          )),
        )}
        {lineMs !== null && <SlowLine plot={plot} lineMs={lineMs} runs={runs} stretches={stretches} />}
        {Array.from({ length: ticks + 1 }, (_, index) => {
          const at = from + ((to - from) * index) / ticks;
          return (
            <text
              key={at}
              x={xOf(plot, at)}
              y={HEIGHT + 26}
              textAnchor={index === 0 ? 'start' : index === ticks ? 'end' : 'middle'}
            >
              {label(at)}
            </text>
          );
        })}
      </g>
    </Svg>
  );
}
