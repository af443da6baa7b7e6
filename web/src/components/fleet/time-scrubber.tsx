import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { styled } from '@mui/material/styles';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import { clusterMarkers, type ChartMarker, type MarkerCluster } from '../chart/markers/cluster-markers.ts';
import { cssVars } from '../css-vars.ts';
import { TOUCH } from '../screen.ts';
import { ageText } from '../../time/age.ts';
import { movedMoment, snapAfter, snapMoment } from '../../time/scrub.ts';
import { clockTime, dayAndTime, shortDay } from '../../time/zone.ts';

const LANE_PX = 14;
const HALF_PX = 5;
/** A press this near a mark means the mark. */
const NEAR_PX = 8;
const SHAPE = { over: 'M0 -4.5 4.5 3.5H-4.5Z', event: 'M0 -4 4 0 0 4 -4 0Z' } as const;

const Frame = styled('div')(({ theme }) => ({
  position: 'relative',
  height: 40,
  cursor: 'pointer',
  // A finger that moves sideways moves the moment; up and down it scrolls the page.
  touchAction: 'pan-y',
  userSelect: 'none',
  borderRadius: 4,
  '& > svg': { position: 'absolute', left: 0, top: 0, width: '100%', height: LANE_PX, overflow: 'visible' },
  '& .over': { fill: theme.vars.palette.load.overText },
  '& .near': { fill: theme.vars.palette.load.nearText },
  '& .info': { fill: theme.vars.palette.info.main },
  '& .quiet': { fill: theme.vars.palette.load.text3 },
  '& .event': { fill: 'none', stroke: theme.vars.palette.text.secondary, strokeWidth: 1.2 },
  '& > i': {
    position: 'absolute',
    left: 0,
    right: 0,
    top: 22,
    height: 4,
    borderRadius: 1,
    backgroundColor: theme.vars.palette.load.track,
  },
  '& > b': {
    position: 'absolute',
    left: 'calc(var(--x) * 100% - 8px)',
    top: 16,
    width: 16,
    height: 16,
    borderRadius: 8,
    border: `2px solid ${theme.vars.palette.load.line}`,
    backgroundColor: theme.vars.palette.background.paper,
  },
  '&[data-past] > b': { backgroundColor: theme.vars.palette.info.main },
  [TOUCH]: {
    height: 48,
    '& > b': { left: 'calc(var(--x) * 100% - 11px)', top: 13, width: 22, height: 22, borderRadius: 11 },
  },
}));
const Tip = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  position: 'absolute',
  zIndex: 2,
  bottom: 'calc(100% + 2px)',
  left: 'calc(100% * var(--x))',
  transform: 'translateX(calc(-100% * var(--x)))',
  padding: '4px 8px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  maxWidth: '100%',
  whiteSpace: 'nowrap',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  pointerEvents: 'none',
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.action.selected,
}));
const Ends = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  fontSize: 11,
  display: 'flex',
  justifyContent: 'space-between',
  color: theme.vars.palette.load.text3,
  fontVariantNumeric: 'tabular-nums',
}));

function Marks({ groups }: { groups: readonly MarkerCluster[] }) {
  return (
    <svg aria-hidden>
      {groups.map(({ x, tone, marks }) => (
        <path
          key={marks[0]?.id}
          className={tone}
          d={tone === 'event' ? SHAPE.event : SHAPE.over}
          transform={`translate(${x} ${LANE_PX / 2})`}
        />
      ))}
    </svg>
  );
}

/** The width of the track in px; 0 before it is drawn. */
function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    if (ref.current !== null) observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

interface TimeScrubberProps {
  /** Epoch seconds. */
  from: number;
  now: number;
  /** The moment shown, epoch seconds; null is now. */
  at: number | null;
  marks: readonly ChartMarker[];
  onChange: (at: number | null) => void;
}

/** "03:12" on the track of a day, with the day on a longer one. */
const nameOf = (at: number, { from, now }: Pick<TimeScrubberProps, 'from' | 'now'>): string =>
  now - from > DAY_SECONDS || shortDay(at * 1000) !== shortDay(now * 1000)
    ? dayAndTime(at * 1000)
    : clockTime(at * 1000);

/** A track of the past below the fleet: its alerts and events, and the moment that the pages show. */
export function TimeScrubber(props: TimeScrubberProps) {
  const { from, now, at, marks, onChange } = props;
  const [frame, width] = useWidth();
  const [pointed, setPointed] = useState<number | null>(null);
  const place = (time: number) => Math.min(1, Math.max(0, (time - from) / (now - from)));
  const inX = (time: number) => Math.min(width - HALF_PX, Math.max(HALF_PX, place(time) * width));
  const groups = clusterMarkers(
    marks.filter((mark) => mark.from >= from && mark.from <= now),
    inX,
  );
  /** The stored state below the pointer, or that of the mark beside it. */
  const momentAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    const { left, width: whole } = currentTarget.getBoundingClientRect();
    const x = clientX - left;
    const near = groups.find((group) => Math.abs(group.x - x) <= NEAR_PX);
    const [mark] = near?.marks ?? [];
    if (near !== undefined && mark !== undefined) return { moment: snapAfter(mark.from, from, now), words: near.words };
    return { moment: snapMoment(from + (x / whole) * (now - from), from, now), words: null };
  };
  const wordsAt = (moment: number | null) => (moment === null ? 'now' : nameOf(moment, props));
  const [tip, setTip] = useState('');
  const point = (event: PointerEvent<HTMLElement>) => {
    const { moment, words } = momentAt(event);
    setPointed(place(moment ?? now));
    setTip(words === null ? wordsAt(moment) : `${wordsAt(moment)} · ${words}`);
    if (event.buttons === 1 && event.currentTarget.hasPointerCapture(event.pointerId) && moment !== at)
      onChange(moment);
  };
  const press = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { moment } = momentAt(event);
    if (moment !== at) onChange(moment);
  };
  const move = (event: KeyboardEvent) => {
    const sorted = marks.map((mark) => mark.from).toSorted((a, b) => a - b);
    const next = movedMoment(event, at, { from, now, marks: sorted });
    if (next === undefined) return;
    event.preventDefault();
    if (next !== at) onChange(next);
  };
  const text = at === null ? 'Now' : `${nameOf(at, props)}, ${ageText(now - at)} ago`;
  return (
    <div>
      <Frame
        ref={frame}
        role="slider"
        tabIndex={0}
        aria-label="Look back"
        aria-orientation="horizontal"
        aria-valuemin={from}
        aria-valuemax={now}
        aria-valuenow={at ?? now}
        aria-valuetext={text}
        data-past={at === null ? undefined : ''}
        style={cssVars({ x: place(at ?? now) })}
        onKeyDown={move}
        onPointerDown={press}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        {width > 0 && <Marks groups={groups} />}
        <i />
        <b />
        {pointed !== null && (
          <Tip aria-hidden style={cssVars({ x: pointed })}>
            {tip}
          </Tip>
        )}
      </Frame>
      <Ends>
        <span>{nameOf(from, props)}</span>
        <span>now</span>
      </Ends>
    </div>
  );
}
