import type { KeyboardEvent } from 'react';
import type { Plot } from '../../lib/chart-shape.ts';
import { LANE_PX } from './chart-parts.ts';
import { usePlot } from './use-plot.ts';

export interface ChartMark {
  id: string;
  from: number;
  /** End of the span; null for a moment. */
  to: number | null;
  tone: 'over' | 'near' | 'info' | 'quiet' | 'event';
  words: string;
}

interface LaneProps {
  marks: readonly ChartMark[];
  onMark?: ((id: string) => void) | undefined;
}

const SHAPE = { over: 'M0 -4.5 4.5 3.5H-4.5Z', event: 'M0 -4 4 0 0 4 -4 0Z' } as const;

function MarkShape({ mark, plot, onMark }: { mark: ChartMark; plot: Plot; onMark: LaneProps['onMark'] }) {
  const x = Math.max(5, Math.min(plot.width - 5, plot.x(mark.from)));
  const end = mark.to === null ? x : Math.max(x, Math.min(plot.width, plot.x(mark.to)));
  const open = onMark === undefined ? undefined : () => onMark(mark.id);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open?.();
  };
  return (
    <g
      transform={`translate(${x} ${LANE_PX / 2})`}
      role={open ? 'button' : undefined}
      tabIndex={open ? 0 : undefined}
      aria-label={open ? mark.words : undefined}
      onClick={open}
      onKeyDown={open ? press : undefined}
    >
      <title>{mark.words}</title>
      <rect x={-7} y={-LANE_PX / 2} width={Math.max(14, end - x + 7)} height={LANE_PX} fill="transparent" />
      {mark.tone !== 'event' && end - x > 4 && <rect className={mark.tone} x={0} y={-2} width={end - x} height={4} />}
      <path className={mark.tone} d={mark.tone === 'over' ? SHAPE.over : SHAPE.event} />
    </g>
  );
}

/** Under the plot: alerts as a mark with the span they lasted, events as hollow diamonds. */
export function Lane({ marks, onMark }: LaneProps) {
  const plot = usePlot();
  const inside = marks.filter((mark) => mark.from <= plot.to && (mark.to ?? mark.from) >= plot.from);
  return (
    <g transform={`translate(0 ${plot.height})`}>
      {inside.map((mark) => (
        <MarkShape key={mark.id} mark={mark} plot={plot} onMark={onMark} />
      ))}
    </g>
  );
}
