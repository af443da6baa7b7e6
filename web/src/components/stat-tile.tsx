import Paper from '@mui/material/Paper';
import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';
import type { Band } from '@plimsoll/contract/rules/headroom';
import { Figure } from './figure.tsx';
import { BandIcon } from './status-icons.tsx';

/** One surface for all tiles: every child draws its left and top edge, the surface clips the outer ones. */
export const StatGrid = styled(Paper)(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(var(--columns), minmax(0, 1fr))',
  overflow: 'hidden',
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' },
  [theme.breakpoints.down('sm')]: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
}));

const Tile = styled('div')(({ theme }) => ({
  margin: '-1px 0 0 -1px',
  padding: '12px 16px',
  minHeight: 84,
  minWidth: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  borderLeft: `1px solid ${theme.vars.palette.divider}`,
  '&[data-wide]': { [theme.breakpoints.down('sm')]: { gridColumn: '1 / -1' } },
  '& > .label': {
    ...theme.typography.caption,
    display: 'flex',
    justifyContent: 'space-between',
    gap: '0 8px',
    color: theme.vars.palette.text.secondary,
    [theme.breakpoints.down('sm')]: { flexWrap: 'wrap' },
  },
  '& > .label > :first-of-type': { flex: 'none' },
  '& > .label > span + span': {
    minWidth: 0,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: theme.vars.palette.load.text3,
  },
  '& > .value': { fontSize: 22, lineHeight: '28px', fontWeight: 600, display: 'block' },
  '& > .value > span > span': { fontSize: 13 },
  '& > .value > svg': { marginRight: 8, verticalAlign: '2px' },
  '&[data-band="near"] > .value': { color: theme.vars.palette.load.nearText },
  '&[data-band="over"] > .value': { color: theme.vars.palette.load.overText },
  '& > .fact': {
    ...theme.typography.caption,
    display: 'block',
    color: theme.vars.palette.load.text3,
    // The figure often stands at its end: a second line shows it where one line would cut it.
    overflowWrap: 'anywhere',
  },
  // Counts with a word beside them: nothing stands below.
  '&[data-low]': { minHeight: 0 },
  '& > .value > .beside': {
    ...theme.typography.caption,
    display: 'inline-block',
    marginLeft: 14,
    color: theme.vars.palette.load.text3,
  },
  '& > .bar': { padding: '7px 0 6px' },
}));

interface StatTileProps {
  label: string;
  /** Right of the label: "line 80". */
  aside?: string | undefined;
  /** Formatted; null is not available. */
  value: string | null;
  unit?: string;
  reason?: string | null | undefined;
  band?: Band;
  bar?: ReactNode;
  fact?: ReactNode;
  /** On small screens across both columns. */
  wide?: boolean;
  /** The fact stands beside the value, and no room is kept below it. */
  low?: boolean;
  /** A mark of the band stands before the value, so that its colour is not alone. */
  marked?: boolean;
}

export function StatTile({
  label,
  aside,
  value,
  unit,
  reason,
  band = 'ok',
  bar,
  fact,
  wide,
  low,
  marked,
}: StatTileProps) {
  const said = value === null && reason ? reason : fact;
  return (
    <Tile data-band={band} data-wide={wide ? '' : undefined} data-low={low ? '' : undefined}>
      <span className="label">
        <span>{label}</span>
        {aside !== undefined && <span title={aside}>{aside}</span>}
      </span>
      <span className="value">
        {marked && <BandIcon band={band} size={12} />}
        <Figure value={value} {...(unit === undefined ? {} : { unit })} />
        {low && said !== undefined && <span className="beside">{said}</span>}
      </span>
      {bar !== undefined && <div className="bar">{bar}</div>}
      {!low && <span className="fact">{said}</span>}
    </Tile>
  );
}
