import { styled } from '@mui/material/styles';

/** Scrolls sideways where its table is wider than the screen. */
export const CapacityScroll = styled('div')(({ theme }) => ({
  overflowX: 'auto',
  '& td, & th': { padding: '6px 10px', whiteSpace: 'nowrap' },
  '& td:first-of-type, & th:first-of-type': { paddingLeft: 16 },
  '& td:last-of-type, & th:last-of-type': { paddingRight: 16 },
  '& .words': { whiteSpace: 'normal', minWidth: 140, overflowWrap: 'anywhere' },
  '& .number': { textAlign: 'right', fontVariantNumeric: 'tabular-nums' },
  '& a': { fontWeight: 600 },
  '& td > svg': { marginRight: 6 },
  '& [data-tone="over"]': { color: theme.vars.palette.load.overText, fontWeight: 600 },
  '& [data-tone="near"]': { color: theme.vars.palette.load.nearText, fontWeight: 600 },
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& .bar': { display: 'inline-block', width: 72, verticalAlign: 'middle', marginLeft: 8 },
}));
export const Below = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  padding: '8px 16px',
  color: theme.vars.palette.load.text3,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}));
