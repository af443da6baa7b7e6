import { useId } from 'react';
import type { Plot } from './points/chart-shape.ts';
import { LETTER_PX } from './chart-parts.ts';
import { usePlot } from './use-plot.ts';

export interface ChartGap {
  from: number;
  to: number;
  /** "no reports 06:41–07:52 (host suspended)": at the cursor, and for who cannot see the chart. */
  words: string;
  /** Drawn where it fits: "no reports 06:41–07:52, host off". */
  label: string;
  /** Drawn where only this fits: "no reports 06:41–07:52". */
  shortLabel?: string;
}

/** A label is drawn only over gaps a person would ask about. */
const LABELLED_PX = 14;

/** The place of a gap in the plot in px; null when it is too narrow to be seen. */
function placeOf(plot: Plot, gap: ChartGap): { left: number; width: number } | null {
  const left = Math.max(0, plot.x(gap.from));
  const width = Math.min(plot.width, plot.x(gap.to)) - left;
  return width < 1 ? null : { left, width };
}

function GapName({ plot, gap }: { plot: Plot; gap: ChartGap }) {
  const place = placeOf(plot, gap);
  const roomOf = (text: string) => text.length * LETTER_PX + 14;
  const most = plot.width * 0.6;
  const label = roomOf(gap.label) < most ? gap.label : (gap.shortLabel ?? gap.label);
  const room = roomOf(label);
  if (place === null || place.width < LABELLED_PX || room >= most) return null;
  const x = Math.min(plot.width - room, Math.max(0, place.left + place.width / 2 - room / 2));
  return (
    <g>
      <rect className="tag" x={x} y={plot.height - 24} width={room} height={18} rx={3} />
      <text className="tag-text" x={x + room / 2} y={plot.height - 11} textAnchor="middle">
        {label}
      </text>
    </g>
  );
}

/** Names of the gaps. Drawn after the series: a name is wider than its gap and covers what runs below it. */
export function GapNames({ gaps }: { gaps: readonly ChartGap[] }) {
  const plot = usePlot();
  return gaps.map((gap) => <GapName key={`${gap.from}-${gap.to}`} plot={plot} gap={gap} />);
}

/** Stretches without samples: hatched, never joined. */
export function Gaps({ gaps }: { gaps: readonly ChartGap[] }) {
  const plot = usePlot();
  const hatch = useId();
  return (
    <>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className="hatch" d="M0 0V6" />
        </pattern>
      </defs>
      {gaps.map((gap) => {
        const place = placeOf(plot, gap);
        if (place === null) return null;
        const { left, width } = place;
        return (
          <rect
            key={`${gap.from}-${gap.to}`}
            x={left}
            y={0}
            width={width}
            height={plot.height}
            fill={`url(#${hatch})`}
          />
        );
      })}
    </>
  );
}
