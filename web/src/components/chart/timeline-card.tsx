import type { TimeseriesAnswer } from '@plimsoll/contract/wire/metrics';
import type { ReactNode } from 'react';
import { padSinglePoint } from './points/pad-single-point.ts';
import { movedToPeak, peakOfFigure, pickedMoment } from './points/peak-moment.ts';
import { bandPoints, chartGaps } from './points/series-shape.ts';
import { rangeBounds } from '../../time/range.ts';
import type { ChartMarker, MarkerCluster } from './markers/cluster-markers.ts';
import type { TimeRange } from '../../time/range.ts';
import { HighestServers } from './highest-servers.tsx';
import { ChartCard } from './chart-card.tsx';
import type { ChartSeries } from './series.tsx';

const SERIES = [
  { id: 'cpu', label: 'CPU', colour: 1 },
  { id: 'memory', label: 'Memory', colour: 2 },
  { id: 'disk', label: 'Disk', colour: 3 },
] as const;

/** The highest of any server in each bucket: the mean of 500 hides what one of them does. */
const highestOf = (series: (typeof SERIES)[number], answer: TimeseriesAnswer): ChartSeries => ({
  ...series,
  id: `${series.id}-highest`,
  label: `Highest ${series.label}`,
  ghost: true,
  points: movedToPeak(
    answer.timeseries.map(({ timestamp, bands }) => ({ at: timestamp, avg: bands[series.id].max })),
    peakOfFigure(answer.peaks, series.id),
    answer.bucket_seconds,
  ),
});

/** CPU, memory and disk without bands: three bands over each other say nothing. */
function timelineSeries(answer: TimeseriesAnswer | undefined, pad: boolean): ChartSeries[] {
  return SERIES.flatMap((series) => {
    const points = bandPoints(answer?.timeseries ?? [], series.id).map(({ at, avg, lacking }) => ({
      at,
      avg,
      ...(lacking === undefined ? {} : { lacking }),
    }));
    const padded = pad ? padSinglePoint(points) : null;
    const own = { ...series, points };
    const highest = answer?.aggregated ? [highestOf(series, answer)] : [];
    return padded === null
      ? [own, ...highest]
      : [own, ...highest, { ...series, id: `${series.id}-padding`, points: padded, ghost: true }];
  });
}

interface TimelineCardProps {
  title: string;
  note?: ReactNode;
  subject?: string;
  answer: TimeseriesAnswer | undefined;
  range: TimeRange;
  onRange: (range: TimeRange) => void;
  line: number | null;
  marks?: readonly ChartMarker[] | null;
  onMark?: (group: MarkerCluster) => void;
  /** Someone picked a moment, epoch seconds: the spike of CPU for its whole bucket. */
  onMoment?: (at: number) => void;
  failure?: ReactNode;
  loading: boolean;
  /** Pad a lone point with nought. */
  pad?: boolean;
  height?: number;
}

/** CPU, memory and disk of one server or of all, against the line. */
export function TimelineCard({ answer, range, onRange, onMoment, pad = false, failure, ...card }: TimelineCardProps) {
  const { from, to } = answer ?? rangeBounds(range, 0);
  return (
    <ChartCard
      {...card}
      {...(failure === undefined ? {} : { failure })}
      from={from}
      to={to}
      yMax={100}
      unit="%"
      series={timelineSeries(answer, pad)}
      foot={answer?.aggregated === true && <HighestServers answer={answer} />}
      gaps={answer === undefined ? [] : chartGaps(answer)}
      {...(onMoment && {
        onMoment: (at) =>
          onMoment(Math.ceil(pickedMoment(at, peakOfFigure(answer?.peaks, 'cpu'), answer?.bucket_seconds ?? 1))),
      })}
      onBrush={(start, end) => onRange({ kind: 'absolute', from: start, to: end })}
    />
  );
}
