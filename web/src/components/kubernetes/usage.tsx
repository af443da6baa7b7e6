import { styled } from '@mui/material/styles';
import type { Origin } from '@plimsoll/contract/wire/kubernetes';
import { bandOf } from '@plimsoll/contract/rules/headroom';
import { cssVars } from '../css-vars.ts';
import { percentText, USAGE_LINE } from './kubernetes-words.ts';
import { originText } from './usage-origin.ts';
import { CapacityBar } from '../fleet/capacity-bar.tsx';

const Missing = styled('span')(({ theme }) => ({
  color: theme.vars.palette.load.text3,
  cursor: 'help',
  textDecoration: 'underline dotted',
  textUnderlineOffset: 3,
  '&:not([title])': { cursor: 'inherit', textDecoration: 'none' },
}));

/** Source and age of a figure, for a tooltip. */
export const told = (origin: Origin): string | undefined => originText(origin) ?? undefined;

/** N/A; why on hover and for a screen reader. */
export function NotAvailable({ reason }: { reason: string | null | undefined }) {
  return (
    <Missing title={reason ?? undefined} {...(reason == null ? {} : { 'aria-label': `N/A: ${reason}` })}>
      N/A
    </Missing>
  );
}

const Cell = styled('span')(({ theme }) => ({
  display: 'grid',
  // A place with room to fill says `--bar: 1fr`.
  gridTemplateColumns: '52px minmax(40px, var(--bar, 120px))',
  alignItems: 'center',
  gap: 10,
  '& > .figure': { textAlign: 'right', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  '& > .figure > i': {
    fontStyle: 'normal',
    marginLeft: '.18em',
    fontSize: '.85em',
    color: theme.vars.palette.load.text3,
  },
  '&[data-band="near"] > .figure': { color: theme.vars.palette.load.nearText },
  '&[data-band="over"] > .figure': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '& .bars': { position: 'relative', display: 'block' },
  // The thin bar under the thick one: what is requested.
  '& .requested': {
    position: 'absolute',
    left: 0,
    top: 8,
    height: 2,
    width: 'min(100%, calc(var(--r) * 1%))',
    backgroundColor: theme.vars.palette.load.stale,
  },
}));

interface UsageCellProps {
  name: string;
  percent: number | null;
  origin?: Origin | undefined;
  line?: number;
  critical?: number | null;
  /** Per cent of allocatable that the pods request. */
  requestedPercent?: number | null;
}

/** Per cent and bar of one resource in a row; N/A says why. */
export function UsageCell({ name, percent, origin, line = USAGE_LINE, critical, requestedPercent }: UsageCellProps) {
  const requested = requestedPercent ?? null;
  return (
    <Cell data-band={percent === null ? undefined : bandOf(percent, line)}>
      <span className="figure" title={percent === null || origin === undefined ? undefined : told(origin)}>
        {percent === null ? (
          <NotAvailable reason={origin?.reason} />
        ) : (
          <>
            {percentText(percent)}
            <i>%</i>
          </>
        )}
      </span>
      <span className="bars">
        <CapacityBar name={name} value={percent} line={line} {...(critical === undefined ? {} : { critical })} />
        {requested !== null && (
          <span
            className="requested"
            title={`requested ${percentText(requested)} %`}
            style={cssVars({ r: Math.max(0, requested) })}
          />
        )}
      </span>
    </Cell>
  );
}
