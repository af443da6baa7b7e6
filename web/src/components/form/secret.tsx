import { styled } from '@mui/material/styles';

/** A secret that is shown once; hidden parts cannot be selected. */
export const Secret = styled('code')(({ theme }) => ({
  display: 'block',
  padding: '10px 14px',
  border: `1px solid ${theme.vars.palette.load.edge}`,
  borderRadius: 6,
  backgroundColor: theme.vars.palette.background.default,
  fontSize: 12.5,
  lineHeight: '20px',
  minHeight: 20,
  overflowWrap: 'anywhere',
  fontVariantLigatures: 'none',
  '& > span[data-hidden]': { filter: 'blur(4px)', userSelect: 'none' },
}));
