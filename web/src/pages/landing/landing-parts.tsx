import { styled } from '@mui/material/styles';
import { Link } from '../../router.ts';
import { TOUCH } from '../../components/screen.ts';

/** A link that looks like the primary button, without the button's code. */
export const CallToAction = styled(Link)(({ theme }) => ({
  '&&': {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    minHeight: 32,
    padding: '0 14px',
    borderRadius: 6,
    fontWeight: 600,
    color: theme.vars.palette.primary.contrastText,
    backgroundColor: theme.vars.palette.primary.main,
    whiteSpace: 'nowrap',
    transition: 'background-color 120ms',
    [TOUCH]: { minHeight: 40 },
  },
  '&:hover': { textDecoration: 'none', backgroundColor: theme.vars.palette.primary.dark },
  '&[data-size="large"]': { minHeight: 44, padding: '0 20px', fontSize: 15 },
}));

export const Section = styled('section')(({ theme }) => ({
  maxWidth: 1296,
  margin: '0 auto',
  padding: '80px 24px 0',
  [theme.breakpoints.down('sm')]: { padding: '56px 12px 0' },
  scrollMarginTop: 16,
  '& > h2': {
    maxWidth: 720,
    margin: 0,
    fontSize: 32,
    lineHeight: '40px',
    fontWeight: 600,
    letterSpacing: '-0.02em',
    textWrap: 'balance',
    [theme.breakpoints.down('sm')]: { fontSize: 26, lineHeight: '32px' },
  },
  '& > p': {
    maxWidth: 720,
    margin: '8px 0 0',
    fontSize: 16,
    lineHeight: '26px',
    textWrap: 'pretty',
    color: theme.vars.palette.text.secondary,
  },
}));

/** One bordered panel; its children are separated by hairlines, whatever the number of columns. */
export const Cells = styled('ul')(({ theme }) => ({
  listStyle: 'none',
  margin: '32px 0 0',
  padding: 0,
  display: 'grid',
  overflow: 'hidden',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(340px, 100%), 1fr))',
  border: `1px solid ${theme.vars.palette.divider}`,
  borderRadius: 8,
  backgroundColor: theme.vars.palette.background.paper,
  '& > li': {
    padding: '20px 24px 24px',
    margin: '-1px 0 0 -1px',
    borderTop: `1px solid ${theme.vars.palette.divider}`,
    borderLeft: `1px solid ${theme.vars.palette.divider}`,
    [theme.breakpoints.down('sm')]: { padding: 16 },
  },
  '& h3': { margin: 0, fontSize: 15, lineHeight: '24px', fontWeight: 600 },
  '& p': { margin: '4px 0 0', fontSize: 14, lineHeight: '22px', color: theme.vars.palette.text.secondary },
}));
