import { boundedPercentOf } from '@plimsoll/contract/rules/percent-of';
import { styled } from '@mui/material/styles';
import { bandOf, NEAR_POINTS } from '@plimsoll/contract/rules/headroom';
import { cssVars } from '../css-vars.ts';
import { meterLabel } from '@plimsoll/contract/rules/load-words';

const Track = styled('span')(({ theme }) => {
  const { load, background } = theme.vars.palette;
  const cut = `0 0 0 1px var(--row, ${background.paper})`;
  return {
    position: 'relative',
    display: 'block',
    height: 6,
    borderRadius: 1,
    backgroundColor: load.track,
    '& > i': { position: 'absolute', display: 'block' },
    '& > .fill': {
      inset: '0 auto 0 0',
      maxWidth: '100%',
      width: 'calc(var(--v) * 1%)',
      borderRadius: 1,
      backgroundColor: load.ok,
    },
    '&[data-band="near"] > .fill': { backgroundColor: load.near },
    // A value a hair over its line must still be seen beyond it.
    '&[data-band="over"] > .fill': {
      backgroundColor: load.over,
      width: 'max(calc(var(--v) * 1%), calc(var(--l) * 1% + 5px))',
    },
    '&[data-band="stale"] > .fill': { backgroundColor: load.stale },
    '& > .line': {
      left: 'calc(var(--l) * 1% - 1px)',
      top: -4,
      bottom: -4,
      width: 2,
      backgroundColor: load.line,
      boxShadow: cut,
    },
    '& > .critical': { left: 'calc(var(--c) * 1%)', top: 0, bottom: 0, width: 1, backgroundColor: load.control },
    '&[data-critical] > .critical': { backgroundColor: load.line, boxShadow: cut },
  };
});

const None = styled('span')(({ theme }) => ({
  display: 'block',
  height: 0,
  margin: '3px 0',
  borderTop: `1px dashed ${theme.vars.palette.load.edge}`,
}));

interface CapacityBarProps {
  /** "CPU", "Memory": what the meter measures. */
  name: string;
  /** Per cent of capacity; null is not available. */
  value: number | null;
  /** Position of the load line, on the scale of `max`; null draws none. */
  line: number | null;
  critical?: number | null;
  /** Points below the line that count as near. */
  near?: number;
  /** The end of the scale: 100 for a per cent. */
  max?: number;
  /** Old figures: grey, whatever their size. */
  stale?: boolean;
}

/** Shows the used share of a capacity against its load line. */
export function CapacityBar({ name, value, line, critical, near = NEAR_POINTS, max = 100, stale }: CapacityBarProps) {
  if (value === null) return <None role="img" aria-label={`${name} not available`} />;
  const share = (part: number) => boundedPercentOf(part, max) ?? 0;
  const band = stale ? 'stale' : line === null ? 'ok' : bandOf(value, line, near);
  return (
    <Track
      role="meter"
      aria-label={meterLabel(name, value, line)}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(max, Math.round(value * 10) / 10)}
      data-band={band}
      data-critical={critical != null && value >= critical ? '' : undefined}
      style={cssVars({ v: share(value), l: share(line ?? 0), c: share(critical ?? 0) })}
    >
      <i className="fill" />
      {critical != null && <i className="critical" />}
      {line !== null && <i className="line" />}
    </Track>
  );
}
