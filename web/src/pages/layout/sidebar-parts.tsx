import { styled } from '@mui/material/styles';
import type { CSSObject, Theme } from '@mui/material/styles';
import { NavLink } from '../../router.ts';
import { TOUCH } from '../../components/screen.ts';

/** Inside a navigation that shows icons only. */
const COLLAPSED = 'nav[data-collapsed] &';

export const Nav = styled('nav')({
  display: 'flex',
  flexDirection: 'column',
  gap: 2,
  height: '100%',
  padding: '0 12px 16px',
  overflowY: 'auto',
  overflowX: 'hidden',
});

export const Brand = styled('div')(({ theme }) => ({
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minHeight: 56,
  paddingLeft: 10,
  marginBottom: 2,
  fontSize: 15,
  fontWeight: 600,
  color: theme.vars.palette.text.primary,
  '& > svg': { flex: 'none' },
  '& > button': { marginLeft: 'auto' },
  [COLLAPSED]: { flexDirection: 'column', gap: 4, padding: '16px 0 8px', '& > button': { marginLeft: 0 } },
}));

const item = (theme: Theme): CSSObject => ({
  ...theme.typography.button,
  position: 'relative',
  display: 'flex',
  alignItems: 'center',
  gap: 12,
  minHeight: 36,
  padding: '0 12px',
  borderRadius: 6,
  border: 0,
  background: 'none',
  textAlign: 'left',
  cursor: 'pointer',
  color: theme.vars.palette.text.secondary,
  transition: 'background-color 120ms',
  [TOUCH]: { minHeight: 44 },
  '& > svg': { fontSize: 18, flex: 'none' },
  '&:hover': { backgroundColor: theme.vars.palette.action.selected, textDecoration: 'none' },
  '&:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: -2 },
  '&.active': {
    color: theme.vars.palette.text.primary,
    fontWeight: 600,
    backgroundColor: theme.vars.palette.action.selected,
    '&::before': {
      content: '""',
      position: 'absolute',
      left: -12,
      top: 0,
      bottom: 0,
      width: 2,
      backgroundColor: theme.vars.palette.info.main,
    },
  },
});

export const Item = styled(NavLink)(({ theme }) => item(theme));
export const ItemButton = styled('button')(({ theme }) => item(theme));
export const Spacer = styled('div')({ flex: 1 });

export const Label = styled('span')({
  // Kept for screen readers: the icon alone has no name.
  [COLLAPSED]: { position: 'absolute', clipPath: 'inset(50%)', width: 1, height: 1, overflow: 'hidden' },
});

export const Badge = styled('span')(({ theme }) => ({
  marginLeft: 'auto',
  minWidth: 18,
  height: 18,
  padding: '0 5px',
  borderRadius: 9,
  fontSize: 11,
  lineHeight: '18px',
  fontWeight: 600,
  textAlign: 'center',
  fontVariantNumeric: 'tabular-nums',
  color: theme.vars.palette.background.paper,
  backgroundColor: theme.vars.palette.error.main,
  [COLLAPSED]: { position: 'absolute', top: 2, right: 6 },
}));
