import type { ChartMarker, MarkerCluster } from './markers/cluster-markers.ts';
import type { ChartGap } from './gaps.tsx';
import type { ChartSeries } from './series.tsx';

/** Height of a chart nobody says otherwise of. */
export const CHART_PX = 196;

export interface LoadChartProps {
  /** Text of the chart for a screen reader: "CPU, last 24 hours: now 91.4 %". */
  label: string;
  from: number;
  to: number;
  series: readonly ChartSeries[];
  /** 100 for a per cent: a percentage is never scaled by its own data. */
  yMax: number;
  line?: number | null;
  critical?: number | null;
  gaps?: readonly ChartGap[];
  /** Null draws no lane at all; an empty list keeps its room. */
  marks?: readonly ChartMarker[] | null;
  /** The series end here and the server is silent since: the line ends in a hollow dot. */
  silent?: boolean;
  height?: number;
  /** Grows beyond its height with the column it stands in. */
  fills?: boolean;
  steps?: number;
  format?: (value: number) => string;
  onBrush?: (from: number, to: number) => void;
  /** Opens what stands behind a mark, or behind several drawn as one. */
  onMark?: (group: MarkerCluster) => void;
  /** The moment someone looks back at, epoch seconds. */
  moment?: number | null;
  /** Someone picked a moment: by a click, or by arrow keys and Enter. */
  onMoment?: (at: number) => void;
  /** Names the series at their ends: for more than three, where a legend would be a puzzle. */
  endLabels?: boolean;
}
