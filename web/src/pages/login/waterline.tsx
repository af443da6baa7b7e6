import { styled } from '@mui/material/styles';
import type { ReactNode } from 'react';

const Frame = styled('main')({
  minHeight: '100vh',
  display: 'flex',
  flexDirection: 'column',
  alignItems: 'center',
  padding: 'clamp(24px, 12vh, 182px) 16px 32px',
  boxSizing: 'border-box',
  overflowX: 'clip',
});
const Ring = styled('div')(({ theme }) => ({
  position: 'relative',
  width: 54,
  height: 54,
  boxSizing: 'border-box',
  flex: 'none',
  border: `2px solid ${theme.vars.palette.load.line}`,
  borderRadius: '50%',
  '&::before': {
    content: '""',
    position: 'absolute',
    left: '-50vw',
    right: '-50vw',
    top: 24,
    height: 2,
    backgroundColor: theme.vars.palette.load.line,
  },
}));

/** The mark of the product, its line drawn from edge to edge, and one column below it. */
export function Waterline({ children }: { children: ReactNode }) {
  return (
    <Frame>
      <Ring aria-hidden />
      {children}
    </Frame>
  );
}
