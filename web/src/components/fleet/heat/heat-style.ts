import { styled } from '@mui/material/styles';
import { LINE_SHARE } from '../fleet-bars.ts';

export const CELL_PX = { width: 28, height: 38 } as const;
export const COLUMN_GAP_PX = 4;

/** One class for all cells: five hundred styled components would cost more than they draw. */
export const Frame = styled('div')(({ theme }) => {
  const { load, text, background } = theme.vars.palette;
  return {
    position: 'relative',
    minWidth: 0,
    '& .by': { marginBottom: 8 },
    '& section + section': { marginTop: 12 },
    '& h3': {
      ...theme.typography.caption,
      display: 'flex',
      flexWrap: 'wrap',
      alignItems: 'center',
      gap: '0 8px',
      margin: '0 0 6px',
      fontWeight: 600,
      color: text.primary,
    },
    '& h3 small': { ...theme.typography.caption, color: load.text3 },
    '& h3 b': { fontWeight: 600, color: text.primary },
    '& h3 > .counts': { marginLeft: 'auto', display: 'flex', gap: 12 },
    '& ol': {
      display: 'grid',
      gridTemplateColumns: `repeat(auto-fill, ${CELL_PX.width}px)`,
      gap: `6px ${COLUMN_GAP_PX}px`,
      listStyle: 'none',
      margin: 0,
      padding: 0,
    },
    '& li': { position: 'relative', height: CELL_PX.height },
    // Each cell draws its piece of the line, up to the next cell.
    '& li:has(> a)::after': {
      content: '""',
      position: 'absolute',
      left: -COLUMN_GAP_PX,
      right: -COLUMN_GAP_PX,
      bottom: CELL_PX.height * LINE_SHARE - 1,
      height: 2,
      backgroundColor: load.line,
      pointerEvents: 'none',
    },
    '& li > a, & li > button': { position: 'absolute', inset: 0, borderRadius: 1 },
    '& li > a': {
      display: 'flex',
      alignItems: 'flex-end',
      justifyContent: 'center',
      backgroundColor: background.default,
    },
    '& li > a:hover, & li > a:focus-visible': {
      outline: `2px solid ${theme.vars.palette.info.main}`,
      outlineOffset: 1,
    },
    '& li > a > i': {
      position: 'absolute',
      inset: 'auto 0 0',
      height: 'calc(var(--h) * 100%)',
      borderRadius: 1,
      backgroundColor: load.ok,
    },
    '& li > a[data-band="near"] > i': { backgroundColor: load.near },
    '& li > a[data-band="over"] > i': { backgroundColor: load.over },
    '& li > a[data-kind="late"], & li > a[data-kind="new"]': { outline: `1px dashed ${load.stale}`, outlineOffset: -1 },
    '& li > a[data-kind="late"] > i, & li > a[data-kind="new"] > i': {
      backgroundColor: 'transparent',
      borderTop: `1px dashed ${load.stale}`,
    },
    '& li > a[data-kind]:is(:hover, :focus-visible)': { outline: `2px solid ${theme.vars.palette.info.main}` },
    '& li > a > svg': { position: 'relative', marginBottom: 6, fill: background.paper },
    '& li > button': {
      ...theme.typography.caption,
      width: '100%',
      padding: 0,
      border: `1px solid ${load.edge}`,
      color: text.secondary,
      backgroundColor: 'transparent',
      cursor: 'pointer',
    },
    '& li > button:hover': { backgroundColor: theme.vars.palette.action.selected },
    '& li > button:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: 2 },
  };
});

/** Shows at once what the cell under the pointer is; the cell's own name says it to a screen reader. */
export const Tip = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  position: 'absolute',
  zIndex: 3,
  top: 'var(--y)',
  left: 'calc(100% * var(--x))',
  transform: 'translateX(calc(-100% * var(--x)))',
  '&[data-above]': { transform: 'translate(calc(-100% * var(--x)), -100%)' },
  padding: '6px 10px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  maxWidth: '100%',
  pointerEvents: 'none',
  color: theme.vars.palette.text.primary,
  backgroundColor: theme.vars.palette.action.selected,
  boxShadow: '0 8px 24px #0006',
  '& > .words': { display: 'block', overflowWrap: 'anywhere' },
}));
