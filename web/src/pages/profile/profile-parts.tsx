import { styled } from '@mui/material/styles';

export const Columns = styled('div')(({ theme }) => ({
  display: 'grid',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  alignItems: 'start',
  gap: 12,
  [theme.breakpoints.down('lg')]: { gridTemplateColumns: 'minmax(0, 1fr)' },
}));
export const Stack = styled('div')({ display: 'grid', gap: 12, minWidth: 0 });
export const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 8 });
export const Text = styled('p')(({ theme }) => ({
  margin: 0,
  color: theme.vars.palette.text.secondary,
  '& a': { textDecoration: 'underline' },
}));
export const Quiet = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  color: theme.vars.palette.load.text3,
}));
/** A row: its name, a fact below, one action at the right. */
export const Entry = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) auto',
  alignItems: 'center',
  gap: 12,
  minHeight: 52,
  padding: '6px 16px',
  '& > div': { minWidth: 0, overflowWrap: 'anywhere' },
  '& b': { fontWeight: 600 },
});
