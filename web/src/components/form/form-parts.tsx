import { styled } from '@mui/material/styles';

/** Fields of a form below each other. */
export const FieldStack = styled('div')({ display: 'grid', gap: 12, minWidth: 0 });
/** Fields side by side where there is room. */
export const FieldRow = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(160px, 100%), 1fr))',
  alignItems: 'start',
  gap: 12,
});
export const FieldGroup = styled('fieldset')(({ theme }) => ({
  display: 'grid',
  gap: 12,
  minWidth: 0,
  margin: 0,
  padding: '12px 0 0',
  border: 0,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  '& > legend': { ...theme.typography.h3, float: 'left', padding: 0 },
  '& > legend + *': { clear: 'both' },
  '& p': { ...theme.typography.caption, margin: 0, color: theme.vars.palette.load.text3 },
  '& p[data-error]': { color: theme.vars.palette.load.overText },
}));
export const CheckRow = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: '0 16px' });
export const ButtonRow = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: 8 });
export const Quiet = styled('span')(({ theme }) => ({
  ...theme.typography.caption,
  color: theme.vars.palette.load.text3,
}));
