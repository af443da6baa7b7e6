import { styled } from '@mui/material/styles';

/** A link past what comes before; it shows only while it has the focus. */
export const SkipLink = styled('a')(({ theme }) => ({
  position: 'fixed',
  top: 8,
  left: 8,
  zIndex: theme.zIndex.tooltip,
  padding: '6px 12px',
  background: theme.vars.palette.background.paper,
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  '&:not(:focus)': { clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden', padding: 0 },
}));
