import { styled } from '@mui/material/styles';
import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { cssVars } from '../css-vars.ts';
import { fleetBars, LABELLED_BARS, LINE_SHARE } from './fleet-bars.ts';
import type { FleetBar } from './fleet-bars.ts';
import { Link } from '../../router.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';

/** Without labels below the bars their room belongs to the plot. */
const PLOT_PX = { labelled: 108, bare: 152 } as const;
/** A share of the plot's height, from its top. */
const down = (share: number, px = 0) => `calc(var(--plot) * ${1 - share} ${px < 0 ? '-' : '+'} ${Math.abs(px)}px)`;
/** The critical line of a resource at the usual lines. */
const CRITICAL_SHARE = (LINE_SHARE * 95) / 80;

const Plot = styled('div')(({ theme }) => {
  const { load, divider, background } = theme.vars.palette;
  return {
    position: 'relative',
    padding: '0 64px 0 34px',
    [theme.breakpoints.down('sm')]: { paddingRight: 8 },
    '& > .rule': { position: 'absolute', left: 0, right: 0, pointerEvents: 'none' },
    '& > .line': { top: down(LINE_SHARE, -1), right: 58, height: 2, backgroundColor: load.line },
    '& > .critical': {
      top: down(CRITICAL_SHARE),
      left: 34,
      right: 58,
      borderTop: `1px dashed ${load.control}`,
    },
    '& > .foot': { top: 'var(--plot)', left: 34, right: 58, borderTop: `1px solid ${divider}` },
    [theme.breakpoints.down('sm')]: {
      paddingRight: 8,
      '& > .line': { right: 0 },
      '& > .critical, & > .foot': { right: 8 },
    },
    '& > .name': {
      position: 'absolute',
      right: 0,
      fontSize: 11,
      lineHeight: '14px',
      color: theme.vars.palette.text.secondary,
      backgroundColor: background.paper,
      paddingLeft: 4,
      [theme.breakpoints.down('sm')]: { display: 'none' },
    },
    '& > .mark': {
      position: 'absolute',
      left: 5,
      top: down(LINE_SHARE, -11),
      width: 18,
      height: 18,
      borderRadius: 11,
      border: `2px solid ${load.line}`,
    },
  };
});
const Bars = styled('ol')({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  display: 'flex',
  justifyContent: 'space-between',
  gap: 'min(2px, 4%)',
});
/** Shows at once what the bar under the pointer is; a bar's own name says it to a screen reader. */
const Tip = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  position: 'absolute',
  zIndex: 2,
  bottom: 'calc(100% + 4px)',
  left: 'calc(34px + (100% - 98px) * var(--x))',
  transform: 'translateX(calc(-100% * var(--x)))',
  padding: '4px 8px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  whiteSpace: 'nowrap',
  maxWidth: '100%',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  pointerEvents: 'none',
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.action.selected,
}));
const Column = styled('li')({ flex: '1 1 0', minWidth: 0, display: 'flex', justifyContent: 'center' });
const Bar = styled(Link)(({ theme }) => {
  const { load, text } = theme.vars.palette;
  return {
    display: 'block',
    width: '100%',
    maxWidth: 44,
    textAlign: 'center',
    fontSize: 11,
    lineHeight: '14px',
    fontVariantNumeric: 'tabular-nums',
    color: load.text3,
    '&:hover': { textDecoration: 'none' },
    '& > i': { display: 'flex', height: 'var(--plot)', alignItems: 'flex-end', justifyContent: 'center' },
    '& > i > b': {
      display: 'block',
      width: 'min(15px, 76%)',
      minWidth: 2,
      height: 'calc(var(--h) * 100%)',
      backgroundColor: load.ok,
      borderRadius: '1px 1px 0 0',
    },
    '&[data-band="near"] > i > b': { backgroundColor: load.near },
    '&[data-band="over"] > i > b': { backgroundColor: load.over },
    '&[data-kind="late"] > i > b, &[data-kind="new"] > i > b': {
      backgroundColor: 'transparent',
      border: `1px dashed ${load.stale}`,
      borderBottom: 0,
    },
    '& > strong, & > small': { [theme.breakpoints.down('sm')]: { display: 'none !important' } },
    '& > small': { display: 'block', fontSize: 11 },
    '& > strong': { display: 'block', marginTop: 4, fontWeight: 500, color: text.primary },
    '&[data-band="over"] > strong': { color: load.overText, fontWeight: 600 },
    '&[data-band="near"] > strong': { color: load.nearText },
    '&[data-kind="late"] > strong, &[data-kind="new"] > strong': { color: load.text3 },
  };
});

/** Left and right walk the bars, Home and End jump; Tab passes the whole strip at once. */
function walk(event: KeyboardEvent<HTMLOListElement>) {
  const links = [...event.currentTarget.querySelectorAll('a')];
  const here = links.findIndex((link) => link === document.activeElement);
  const last = links.length - 1;
  const steps: Record<string, number> = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: last };
  const next = steps[event.key];
  if (next === undefined || here < 0) return;
  event.preventDefault();
  links[Math.min(last, Math.max(0, next))]?.focus();
}

interface FleetStripProps {
  fleet: readonly FleetEntry[];
  to: (serverId: string) => string;
}

function FleetBarLink({ bar, labelled, first, to }: { bar: FleetBar; labelled: boolean; first: boolean; to: string }) {
  return (
    <Column>
      <Bar to={to} tabIndex={first ? 0 : -1} data-band={bar.band} data-kind={bar.kind}>
        <i style={cssVars({ h: bar.height })}>
          <b />
        </i>
        <VisuallyHidden>{bar.words}</VisuallyHidden>
        {labelled && (
          <>
            <strong aria-hidden>{bar.value}</strong>
            <small aria-hidden>{bar.note}</small>
          </>
        )}
      </Bar>
    </Column>
  );
}

/** Every server's nearest resource as a share of its own line: one line for the whole fleet. */
export function FleetStrip({ fleet, to }: FleetStripProps) {
  const bars = fleetBars(fleet);
  const labelled = bars.length <= LABELLED_BARS;
  const [pointed, setPointed] = useState<{ words: string; x: number } | null>(null);
  const point = ({ target, currentTarget }: { target: EventTarget; currentTarget: HTMLElement }) => {
    const link = target instanceof Element ? target.closest('a') : null;
    const bar = link === null ? undefined : bars[[...currentTarget.querySelectorAll('a')].indexOf(link)];
    if (link === null || bar === undefined) return;
    const plot = currentTarget.getBoundingClientRect();
    const { left, width } = link.getBoundingClientRect();
    setPointed({ words: bar.words, x: (left + width / 2 - plot.left) / plot.width });
  };
  const leave = () => setPointed(null);
  return (
    <Plot style={cssVars({ plot: `${PLOT_PX[labelled ? 'labelled' : 'bare']}px` })}>
      {pointed !== null && (
        <Tip aria-hidden style={cssVars({ x: pointed.x })}>
          {pointed.words}
        </Tip>
      )}
      <div className="rule critical" />
      <div className="rule foot" />
      <Bars
        aria-label="Nearest resource of each server"
        onKeyDown={walk}
        onPointerOver={point}
        onPointerLeave={leave}
        onFocus={point}
        onBlur={leave}
      >
        {bars.map((bar, index) => (
          <FleetBarLink key={bar.id} bar={bar} labelled={labelled} first={index === 0} to={to(bar.id)} />
        ))}
      </Bars>
      <div className="rule line" />
      <span className="mark" />
      <span className="name" style={{ top: down(CRITICAL_SHARE, -7) }}>
        critical
      </span>
      <span className="name" style={{ top: down(LINE_SHARE, -7) }}>
        load line
      </span>
    </Plot>
  );
}
