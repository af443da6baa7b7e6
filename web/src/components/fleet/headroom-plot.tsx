import { styled } from '@mui/material/styles';
import { headroomBand } from '@plimsoll/contract/rules/headroom';
import type { Headroom } from '@plimsoll/contract/wire/servers';

/** Width of the plot, and where the line of every row stands in it: one line through the whole table. */
const WIDTH = 160;
const LINE_X = 120;
/** A row of 32 px without its hairline. */
const HEIGHT = 31;
/** Points drawn left of the line; farther servers stand at the edge. */
const POINTS_LEFT = 70;
const PX_PER_POINT = (LINE_X - 8) / POINTS_LEFT;

const Svg = styled('svg')(({ theme }) => {
  const { load } = theme.vars.palette;
  return {
    display: 'block',
    overflow: 'visible',
    fontSize: 11,
    '& .line': { stroke: load.line, strokeWidth: 2 },
    '& [data-band="ok"]': { stroke: load.ok, fill: load.ok },
    '& [data-band="near"]': { stroke: load.near, fill: load.near },
    '& [data-band="over"]': { stroke: load.over, fill: load.over },
    '& [data-band="stale"]': { stroke: load.stale, fill: 'none', strokeDasharray: '2 2' },
    '& text': { fill: load.text3 },
    '& circle.mark': { fill: theme.vars.palette.background.paper, stroke: load.line, strokeWidth: 2 },
  };
});

const SHAPE = { over: 'M0 -5 6 5H-6Z', near: 'M0 -5 5 0 0 5 -5 0Z' } as const;

export function HeadroomPlot({ headroom, stale }: { headroom: Headroom | null; stale: boolean }) {
  const points = headroom === null ? null : Math.max(-20, Math.min(POINTS_LEFT, headroom.points));
  const band = headroom === null ? null : stale ? 'stale' : headroomBand(headroom);
  const x = points === null ? LINE_X : LINE_X - points * PX_PER_POINT;
  const middle = HEIGHT / 2;
  return (
    <Svg width={WIDTH} height={HEIGHT} aria-hidden>
      <path className="line" d={`M${LINE_X} -1V${HEIGHT + 1}`} />
      {band !== null && (
        <g data-band={band}>
          <path d={`M${x} ${middle}H${LINE_X}`} strokeWidth={2} />
          {band === 'over' || band === 'near' ? (
            <path d={SHAPE[band]} transform={`translate(${x} ${middle})`} stroke="none" />
          ) : (
            <circle cx={x} cy={middle} r={4} strokeDasharray="none" strokeWidth={band === 'stale' ? 1.5 : 0} />
          )}
        </g>
      )}
    </Svg>
  );
}

const SCALE = [50, 20] as const;

/** The scale over the column: how far below the line, and the mark on it. */
export function PlotHead() {
  return (
    <Svg width={WIDTH} height={34} role="img" aria-label="Points below and over the line">
      {SCALE.map((points) => (
        <text key={points} x={LINE_X - points * PX_PER_POINT} y={21} textAnchor="middle">
          −{points}
        </text>
      ))}
      <path className="line" d={`M${LINE_X} 17V35`} />
      <circle className="mark" cx={LINE_X} cy={17} r={6} />
      <path className="line" d={`M${LINE_X} 11V23`} />
      <text x={LINE_X + 15 * PX_PER_POINT} y={21} textAnchor="middle">
        +15
      </text>
    </Svg>
  );
}
