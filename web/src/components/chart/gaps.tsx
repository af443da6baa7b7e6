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

function Gap({ plot, gap, hatch }: { plot: Plot; gap: ChartGap; hatch: string }) {
  const left = Math.max(0, plot.x(gap.from));
  const right = Math.min(plot.width, plot.x(gap.to));
  const width = right - left;
  if (width < 1) return null;
  const roomOf = (text: string) => text.length * LETTER_PX + 14;
  const most = plot.width * 0.6;
  const label = roomOf(gap.label) < most ? gap.label : (gap.shortLabel ?? gap.label);
  const room = roomOf(label);
  const x = Math.min(plot.width - room, Math.max(0, left + width / 2 - room / 2));
  return (
    <g>
      <rect x={left} y={0} width={width} height={plot.height} fill={`url(#${hatch})`} />
      {width >= LABELLED_PX && room < most && (
        <>
          <rect className="tag" x={x} y={plot.height - 24} width={room} height={18} rx={3} />
          <text className="tag-text" x={x + room / 2} y={plot.height - 11} textAnchor="middle">
            {label}
          </text>
        </>
      )}
    </g>
  );
}

/** Stretches without samples: hatched, named, never joined. */
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
      {gaps.map((gap) => (
        <Gap key={`${gap.from}-${gap.to}`} plot={plot} gap={gap} hatch={hatch} />
      ))}
    </>
  );
}
