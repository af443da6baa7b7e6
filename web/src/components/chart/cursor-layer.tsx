import { nearestPoint } from './points/chart-shape.ts';
import type { Plot } from './points/chart-shape.ts';
import { cursor } from '../../state/chart-cursor.ts';
import { useStored } from '../../state/use-stored.ts';
import { momentName } from './points/chart-ticks.ts';
import { LETTER_PX } from './chart-parts.ts';
import type { ChartGap } from './gaps.tsx';
import type { ChartSeries } from './series.tsx';
import { usePlot } from './use-plot.ts';

interface TagProps {
  plot: Plot;
  x: number;
  y: number;
  words: string;
}

const roomOf = (words: string) => words.length * LETTER_PX + 14;

/** Words in a box around `x`, kept inside the plot. */
function Tag({ plot, x, y, words }: TagProps) {
  const room = roomOf(words);
  const left = Math.min(plot.width - room, Math.max(0, x - room / 2));
  return (
    <>
      <rect className="cursor-tag" x={left} y={y - 13} width={room} height={18} rx={3} />
      <text className="cursor-text" x={left + room / 2} y={y} textAnchor="middle">
        {words}
      </text>
    </>
  );
}

interface CursorLayerProps {
  series: readonly ChartSeries[];
  gaps: readonly ChartGap[];
  /** Position of the times, in px below the top of the plot. */
  bottom: number;
}

/**
 * The moment under the pointer, on this chart as on every other of the page, and why there is nothing to see in a gap.
 * Charts share a time, not the library's index of a point: their buckets differ.
 */
export function CursorLayer({ series, gaps, bottom }: CursorLayerProps) {
  const plot = usePlot();
  const [at] = useStored(cursor);
  if (at === null || at < plot.from || at > plot.to) return null;
  const x = plot.x(at);
  const gap = gaps.find((each) => each.from <= at && at <= each.to);
  const point = gap === undefined ? nearestPoint(series[0]?.points ?? [], at) : null;
  const words = [momentName(at, plot.to - plot.from), point?.source, point?.lacking].filter(
    (part) => part !== undefined,
  );
  return (
    <g pointerEvents="none">
      <path className="cursor" d={`M${x} 0V${bottom - 12}`} />
      {gap === undefined &&
        series.map(({ id, colour, points, ghost }) => {
          const point = nearestPoint(points, at);
          if (ghost || point === null || point.avg === null) return null;
          return <circle key={id} className={`dot s${colour}`} cx={plot.x(point.at)} cy={plot.y(point.avg)} r={3.5} />;
        })}
      {gap !== undefined && (
        <Tag plot={plot} x={x} y={plot.height - 11} words={roomOf(gap.words) < plot.width ? gap.words : gap.label} />
      )}
      <Tag plot={plot} x={x} y={bottom} words={words.join(' · ')} />
    </g>
  );
}
