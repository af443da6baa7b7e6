import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import type { Plot } from './points/chart-shape.ts';
import { clusterMarkers } from './markers/cluster-markers.ts';
import type { ChartMarker, MarkerCluster } from './markers/cluster-markers.ts';
import { LANE_PX } from './chart-parts.ts';
import { usePlot } from './use-plot.ts';

const SHAPE = { over: 'M0 -4.5 4.5 3.5H-4.5Z', event: 'M0 -4 4 0 0 4 -4 0Z' } as const;
/** Half of a mark: it never stands half off the plot. */
const HALF_PX = 5;

/** Returns the place of a mark: marks pushed in from an edge fold with those that are there. */
const placeOf = ({ x, width }: Plot, at: number): number => Math.max(HALF_PX, Math.min(width - HALF_PX, x(at)));

type Open = ((group: MarkerCluster) => void) | undefined;

/** Durations of alerts, behind their marks. */
function Spans({ plot, marks }: { plot: Plot; marks: readonly ChartMarker[] }) {
  return marks.map(({ id, tone, from, to }) => {
    const left = Math.max(0, plot.x(from));
    const right = Math.min(plot.width, plot.x(to ?? from));
    if (tone === 'event' || right - left <= 4) return null;
    return <rect key={id} className={tone} x={left} y={LANE_PX / 2 - 2} width={right - left} height={4} />;
  });
}

/** Width that a pointer can hit: the mark itself, and for a lone alert its whole span. */
function hitWidth(plot: Plot, { marks }: MarkerCluster, x: number): number {
  const [mark] = marks;
  const end = marks.length > 1 || mark?.to == null ? x : Math.min(plot.width, plot.x(mark.to));
  return Math.max(14, end - x + 7);
}

interface MarkProps {
  plot: Plot;
  group: MarkerCluster;
  onOpen: Open;
  /** Tab stops at one mark of a lane; arrow keys go to the others. */
  isStop: boolean;
  onFocus: () => void;
}

function Mark({ plot, group, onOpen, isStop, onFocus }: MarkProps) {
  const { x } = group;
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onOpen?.(group);
  };
  const button = onOpen && {
    role: 'button',
    tabIndex: isStop ? 0 : -1,
    'aria-label': group.words,
    onClick: () => onOpen(group),
    onKeyDown: press,
    onFocus,
  };
  return (
    <g transform={`translate(${x} ${LANE_PX / 2})`}>
      <g {...button}>
        <title>{group.words}</title>
        <rect x={-7} y={-LANE_PX / 2} width={hitWidth(plot, group, x)} height={LANE_PX} fill="transparent" />
        <path className={group.tone} d={group.tone === 'over' ? SHAPE.over : SHAPE.event} />
      </g>
      {/* Beside the button: what is written in it must be its name, and the name says the count in words. */}
      {group.count > 1 && (
        <text className="mark-count" x={7} y={4} aria-hidden pointerEvents="none">
          {group.count > 99 ? '99+' : group.count}
        </text>
      )}
    </g>
  );
}

interface LaneProps {
  marks: readonly ChartMarker[];
  onMark: Open;
}

/** Under the plot: alerts as a mark with the span they lasted, events as hollow diamonds, many of them as one with a count. */
export function Lane({ marks, onMark }: LaneProps) {
  const plot = usePlot();
  const [stop, setStop] = useState(0);
  const inside = marks.filter((mark) => mark.from <= plot.to && (mark.to ?? mark.from) >= plot.from);
  const groups = clusterMarkers(inside, (at) => placeOf(plot, at));
  const stopped = Math.min(stop, groups.length - 1);
  const walk = (event: KeyboardEvent<SVGGElement>) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = event.currentTarget.querySelectorAll<SVGGElement>('[role="button"]');
    buttons[stopped + step]?.focus();
  };
  return (
    <g
      transform={`translate(0 ${plot.height})`}
      {...(groups.length > 0 && onMark ? { role: 'group', 'aria-label': 'Events and alerts', onKeyDown: walk } : {})}
    >
      <Spans plot={plot} marks={inside} />
      {groups.map((group, index) => (
        <Mark
          key={group.marks[0]?.id}
          plot={plot}
          group={group}
          onOpen={onMark}
          isStop={index === stopped}
          onFocus={() => setStop(index)}
        />
      ))}
    </g>
  );
}
