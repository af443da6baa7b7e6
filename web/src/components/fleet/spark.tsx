import { styled } from '@mui/material/styles';
import { sparkPaths } from './spark-path.ts';
import type { SparkPoint } from './spark-path.ts';

const Svg = styled('svg')(({ theme }) => ({
  display: 'block',
  width: '100%',
  height: '100%',
  '& .area': { fill: theme.vars.palette.action.selected },
  '& .curve': { stroke: theme.vars.palette.load.text3 },
  '& .line': { stroke: theme.vars.palette.load.text3 },
  '& .none': { stroke: theme.vars.palette.load.edge, strokeDasharray: '3 3' },
  '& .over': { stroke: theme.vars.palette.load.overText },
}));

const WIDTH = 100;
const HEIGHT = 32;

/** 24 hours of one resource: its line drawn where it has one, what is above the line red. Without two values in a row a dashed hairline,
 * as every bar without a value. Decoration beside the headroom in words. */
export function Spark({ points, line }: { points: readonly SparkPoint[]; line: number | null }) {
  const { curve, over, area, lineY } = sparkPaths(points, line ?? Infinity, { width: WIDTH, height: HEIGHT });
  // A lone value has no length to draw.
  if (!curve.includes('L'))
    return (
      <Svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" fill="none" aria-hidden>
        <path className="none" d={`M0 ${HEIGHT / 2}H${WIDTH}`} vectorEffect="non-scaling-stroke" />
      </Svg>
    );
  return (
    <Svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" fill="none" aria-hidden>
      <path className="area" d={area} />
      {line !== null && <path className="line" d={`M0 ${lineY}H${WIDTH}`} vectorEffect="non-scaling-stroke" />}
      <path className="curve" d={curve} vectorEffect="non-scaling-stroke" />
      <path className="over" d={over} strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
    </Svg>
  );
}
