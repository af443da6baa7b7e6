import { lazy, Suspense } from 'react';
import { joinShortGaps } from './points/join-short-gaps.ts';
import { CHART_PX } from './chart-props.ts';
import type { LoadChartProps } from './chart-props.ts';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { loadScript } from '../../state/load-script.ts';

const draw = () => loadScript(() => import('./drawing.tsx'));
const Drawing = lazy(draw);
// Fetched beside the page's first calls, not after them; if that fails, the first chart fetches again.
draw().catch(() => undefined);

/** Lines over time against their load line. What draws them is a chunk of its own: a page is there before its charts. */
export function LoadChart(props: LoadChartProps) {
  const { series, gaps = [] } = props;
  const shown = series.map((each) => ({ ...each, points: joinShortGaps(each.points, gaps) }));
  return (
    <Suspense fallback={<ChartSkeleton height={props.height ?? CHART_PX} />}>
      <Drawing {...props} series={shown} />
    </Suspense>
  );
}
