import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';

export const Title = styled('h1')({ margin: '28px 0 0', fontSize: 22, lineHeight: '32px', fontWeight: 600 });
export const Host = styled('p')(({ theme }) => ({ margin: 0, color: theme.vars.palette.text.secondary }));
export const Column = styled('div')({
  display: 'flex',
  flexDirection: 'column',
  gap: 8,
  width: 'min(344px, 100%)',
  marginTop: 28,
});
export const Form = styled('form')({
  display: 'flex',
  flexDirection: 'column',
  gap: 12,
  '& .MuiOutlinedInput-root': { minHeight: 40, fontSize: 14 },
});

export const TallButton = styled(Button)({ minHeight: 42, fontSize: 14, gap: 10 });
export const ProviderButton = styled(TallButton)(({ theme }) => ({
  backgroundColor: theme.vars.palette.background.paper,
  '&.Mui-disabled > svg': { opacity: 0.5 },
}));
export const Reasons = styled('details')(({ theme }) => ({
  ...theme.typography.caption,
  color: theme.vars.palette.text.secondary,
  '& > summary': { cursor: 'pointer', minHeight: 24 },
}));
export const Why = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: '4px 0',
  color: theme.vars.palette.load.text3,
  overflowWrap: 'anywhere',
}));

export const Divider = styled('div')(({ theme }) => ({
  ...theme.typography.caption,
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  margin: '8px 0 4px',
  color: theme.vars.palette.load.text3,
  '&::before, &::after': { content: '""', flex: 1, borderTop: `1px solid ${theme.vars.palette.divider}` },
}));

export const Fine = styled('p')(({ theme }) => ({
  ...theme.typography.caption,
  margin: '24px 0 0',
  textAlign: 'center',
  color: theme.vars.palette.load.text3,
  '& a': { textDecoration: 'underline' },
}));
