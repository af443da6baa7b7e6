import { styled } from '@mui/material/styles';
import TableRow from '@mui/material/TableRow';

/** The row of an incident or a group. `data-muted`: resolved, or its server is silent. `data-over`: past its line. */
export const Row = styled(TableRow)(({ theme }) => ({
  cursor: 'pointer',
  '&:hover, &[data-open]': { backgroundColor: theme.vars.palette.action.selected },
  '&[data-muted] td': { color: theme.vars.palette.load.text3 },
  '& td': { height: 48, paddingBlock: 5 },
  '& .tick': { width: 40, padding: '0 0 0 8px' },
  '& .level': { width: 28, paddingInline: '8px 0' },
  '& .level > span': { display: 'inline-flex', verticalAlign: 'middle' },
  // It takes what the other columns leave: a long note is cut and never widens the table.
  '& .what': { whiteSpace: 'normal', width: '100%', maxWidth: 0 },
  // The name and what is wrong with it are one sentence of two lines at most.
  '& .title': {
    display: '-webkit-box',
    WebkitLineClamp: 2,
    WebkitBoxOrient: 'vertical',
    overflow: 'hidden',
    fontWeight: 600,
  },
  '&[data-muted] .title': { fontWeight: 500 },
  '& .title > a': { color: 'inherit' },
  '& .title > a:hover': { textDecoration: 'underline' },
  '& .title > .dot': { marginInline: 4 },
  '& .title > .message': {
    ...theme.typography.body2,
    display: 'inline',
    verticalAlign: 'baseline',
    lineHeight: '20px',
    fontWeight: 'inherit',
    textAlign: 'left',
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
  },
  '& .reading': { display: 'inline-flex', alignItems: 'center', gap: 8, whiteSpace: 'nowrap' },
  '& .reading > b': { minWidth: 48, fontWeight: 600, textAlign: 'right' },
  '& .reading > .bar': { width: 72, flex: 'none' },
  '&[data-over] .reading > b': { color: theme.vars.palette.load.overText },
  '& .quiet': { color: theme.vars.palette.load.text3 },
  '& .state': { minWidth: 112, maxWidth: 280, color: theme.vars.palette.text.secondary, whiteSpace: 'normal' },
  '& .acts': { display: 'inline-flex', gap: 6 },
  '& .acts .MuiButton-root': { padding: '3px 10px', whiteSpace: 'nowrap' },
  '& .menu': { width: 84, paddingBlock: 0, paddingInline: '0 8px', textAlign: 'right', whiteSpace: 'nowrap' },
  [theme.breakpoints.down('sm')]: {
    '& td': { paddingBlock: 7, paddingInline: 8, verticalAlign: 'top' },
    '& .what': { paddingLeft: 8 },
    '& .level': { width: 24, paddingTop: 8 },
    '& .menu': { width: 40, padding: '4px 0', verticalAlign: 'middle' },
    '& .tick': { display: 'none' },
  },
}));
