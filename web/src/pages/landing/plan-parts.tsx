import { styled } from '@mui/material/styles';

export const Price = styled('strong')(({ theme }) => ({
  display: 'block',
  margin: '4px 0 8px',
  fontSize: 32,
  lineHeight: '40px',
  fontWeight: 600,
  letterSpacing: '-0.02em',
  fontVariantNumeric: 'tabular-nums',
  '& > small': { fontSize: 14, fontWeight: 400, letterSpacing: 0, color: theme.vars.palette.load.text3 },
}));

export const Facts = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: 0,
  padding: 0,
  fontSize: 14,
  lineHeight: '22px',
  color: theme.vars.palette.text.secondary,
  '& > li': { padding: '6px 0', borderTop: `1px solid ${theme.vars.palette.divider}` },
}));
