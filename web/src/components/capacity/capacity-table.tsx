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
  // A row of a phone: its name, then each figure under the name of its column.
  [theme.breakpoints.down('md')]: {
    '& thead': { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
    '& table, & tbody': { display: 'block' },
    '& tbody tr': {
      display: 'grid',
      gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
      gap: '4px 12px',
      padding: '8px 16px',
      borderBottom: `1px solid ${theme.vars.palette.divider}`,
    },
    '& td, & td:first-of-type, & td:last-of-type': {
      display: 'block',
      minWidth: 0,
      height: 'auto',
      border: 0,
      padding: 0,
      textAlign: 'left',
      whiteSpace: 'normal',
      overflowWrap: 'anywhere',
    },
    '& td:first-of-type, & td[data-wide]': { gridColumn: '1 / -1' },
    '& td[data-name]::before': {
      content: 'attr(data-name)',
      display: 'block',
      fontSize: 11,
      lineHeight: '14px',
      fontWeight: 400,
      color: theme.vars.palette.text.secondary,
    },
    '& td:first-of-type a': { display: 'inline-block', padding: '10px 0 4px' },
  },
}));
export const Below = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: 0,
  padding: '8px 16px',
  color: theme.vars.palette.load.text3,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}));
