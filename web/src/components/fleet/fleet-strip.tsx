import { styled } from '@mui/material/styles';
import type { FleetEntry } from '@plimsoll/contract/wire/servers';
import type { KeyboardEvent } from 'react';
import { cssVars } from '../css-vars.ts';
import { fleetBars, LABELLED_BARS, LINE_SHARE } from './fleet-bars.ts';
import type { FleetBar } from './fleet-bars.ts';
import { Link } from '../../router.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';

const PLOT_PX = 108;

const Plot = styled('div')(({ theme }) => {
  const { load, divider, background } = theme.vars.palette;
  return {
    position: 'relative',
    padding: '0 64px 0 34px',
    [theme.breakpoints.down('sm')]: { paddingRight: 8 },
    '& > .rule': { position: 'absolute', left: 0, right: 0, pointerEvents: 'none' },
    '& > .line': { top: PLOT_PX * (1 - LINE_SHARE) - 1, right: 58, height: 2, backgroundColor: load.line },
    '& > .critical': {
      top: PLOT_PX * (1 - (LINE_SHARE * 95) / 80),
      left: 34,
      right: 58,
      borderTop: `1px dashed ${load.control}`,
    },
    '& > .foot': { top: PLOT_PX, left: 34, right: 58, borderTop: `1px solid ${divider}` },
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
      top: PLOT_PX * (1 - LINE_SHARE) - 11,
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
    '& > i': { display: 'flex', height: PLOT_PX, alignItems: 'flex-end', justifyContent: 'center' },
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
      <Bar to={to} title={bar.words} tabIndex={first ? 0 : -1} data-band={bar.band} data-kind={bar.kind}>
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
  return (
    <Plot>
      <div className="rule critical" />
      <div className="rule foot" />
      <Bars aria-label="Nearest resource of each server" onKeyDown={walk}>
        {bars.map((bar, index) => (
          <FleetBarLink key={bar.id} bar={bar} labelled={labelled} first={index === 0} to={to(bar.id)} />
        ))}
      </Bars>
      <div className="rule line" />
      <span className="mark" />
      <span className="name" style={{ top: PLOT_PX * (1 - (LINE_SHARE * 95) / 80) - 7 }}>
        critical
      </span>
      <span className="name" style={{ top: PLOT_PX * (1 - LINE_SHARE) - 7 }}>
        load line
      </span>
    </Plot>
  );
}
