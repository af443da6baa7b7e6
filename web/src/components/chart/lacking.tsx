import { lackingRuns } from './points/lacking-runs.ts';
import type { ChartSeries } from './series.tsx';
import { usePlot } from './use-plot.ts';

const HEIGHT_PX = 4;
/** A single narrow bucket is still seen. */
const LEAST_PX = 2;

/** Marks along the foot of the plot where a sum or mean lacks servers. */
export function Lacking({ series }: { series: readonly ChartSeries[] }) {
  const plot = usePlot();
  return lackingRuns(series[0]?.points ?? []).map(({ from, to }) => {
    const left = Math.max(0, plot.x(from));
    const width = Math.max(LEAST_PX, Math.min(plot.width, plot.x(to)) - left);
    return (
      <rect key={from} className="lacking" x={left} y={plot.height - HEIGHT_PX} width={width} height={HEIGHT_PX} />
    );
  });
}
