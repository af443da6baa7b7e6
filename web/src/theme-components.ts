import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';
import { MONO } from './tokens.ts';
import { TOUCH } from './components/screen.ts';

type Overrides = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

const surfaces: Overrides = {
  MuiPaper: {
    defaultProps: { elevation: 0, variant: 'outlined' },
    styleOverrides: { root: { backgroundImage: 'none' } },
  },
  MuiMenu: {
    styleOverrides: {
      paper: ({ theme }) => ({
        backgroundColor: theme.vars.palette.action.selected,
        borderColor: theme.vars.palette.load.edge,
        boxShadow: '0 8px 24px #0006',
      }),
    },
  },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme }) => ({
        backgroundColor: theme.vars.palette.background.paper,
        borderColor: theme.vars.palette.load.edge,
        boxShadow: '0 8px 24px #0006',
      }),
    },
  },
  MuiTooltip: {
    defaultProps: { enterDelay: 300, disableInteractive: true },
    styleOverrides: {
      tooltip: ({ theme }) => ({
        ...theme.typography.caption,
        color: theme.vars.palette.text.primary,
        backgroundColor: theme.vars.palette.action.selected,
        border: `1px solid ${theme.vars.palette.load.edge}`,
        boxShadow: '0 8px 24px #0006',
        borderRadius: 6,
        maxWidth: 360,
      }),
    },
  },
};

const controls: Overrides = {
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: {
      root: ({ theme }) => ({
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.info.main}`, outlineOffset: 2 },
      }),
    },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, size: 'small' },
    styleOverrides: {
      root: ({ theme }) => ({
        minHeight: 32,
        padding: '5px 12px',
        borderRadius: 6,
        transition: 'none',
        // Not at rest, where a change of the theme would fade every button.
        '&:hover': { transition: 'background-color 120ms, border-color 120ms' },
        [TOUCH]: { minHeight: 40 },
        '& .MuiButton-startIcon > svg': { fontSize: 16 },
        '&.Mui-disabled': { color: theme.vars.palette.load.text3 },
      }),
    },
    variants: [
      {
        props: { variant: 'outlined' },
        style: ({ theme }) => ({
          color: theme.vars.palette.text.primary,
          borderColor: theme.vars.palette.load.edge,
          '&:hover': {
            backgroundColor: theme.vars.palette.action.selected,
            borderColor: theme.vars.palette.load.control,
          },
        }),
      },
      {
        props: { variant: 'text' },
        style: ({ theme }) => ({
          color: theme.vars.palette.text.secondary,
          '&:hover': { backgroundColor: theme.vars.palette.action.selected },
        }),
      },
    ],
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        width: 32,
        height: 32,
        borderRadius: 6,
        color: theme.vars.palette.text.secondary,
        '& svg': { fontSize: 18 },
        '&:hover': { backgroundColor: theme.vars.palette.action.selected },
        [TOUCH]: { width: 40, height: 40 },
      }),
    },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...theme.typography.button,
        minHeight: 32,
        padding: '5px 12px',
        gap: 8,
        borderRadius: 6,
        borderColor: theme.vars.palette.load.edge,
        color: theme.vars.palette.text.secondary,
        '& svg': { fontSize: 16 },
        [TOUCH]: { minHeight: 40 },
        '&.Mui-selected, &.Mui-selected:hover': {
          color: theme.vars.palette.text.primary,
          backgroundColor: theme.vars.palette.action.selected,
          boxShadow: `inset 0 -2px ${theme.vars.palette.info.main}`,
        },
      }),
    },
  },
  MuiOutlinedInput: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: ({ theme }) => ({
        ...theme.typography.body2,
        borderRadius: 6,
        minHeight: 32,
        [TOUCH]: { minHeight: 40 },
        '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.load.control },
        '&.Mui-focused .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars.palette.info.main },
        '&.MuiInputBase-multiline': { padding: '6px 12px' },
      }),
      input: {
        padding: '6px 12px',
        height: 20,
        '&::placeholder': { opacity: 1, color: 'var(--mui-palette-load-text3)' },
      },
    },
  },
  MuiMenuItem: {
    styleOverrides: { root: ({ theme }) => ({ ...theme.typography.body2, minHeight: 32 }) },
  },
};

const tables: Overrides = {
  MuiTableCell: {
    styleOverrides: {
      root: ({ theme }) => ({
        ...theme.typography.body2,
        height: 40,
        padding: '0 12px',
        borderColor: theme.vars.palette.divider,
        whiteSpace: 'nowrap',
      }),
      head: ({ theme }) => ({ ...theme.typography.caption, height: 34, color: theme.vars.palette.text.secondary }),
      sizeSmall: { height: 32, padding: '0 9px' },
    },
  },
  MuiTableRow: { styleOverrides: { root: { '&:last-child > td, tbody > &:last-child > th': { borderBottom: 0 } } } },
  MuiTableSortLabel: { styleOverrides: { icon: { fontSize: 16 } } },
};

const base: Overrides = {
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      body: { ...theme.typography.body2, backgroundColor: 'var(--mui-palette-background-default)' },
      'code, kbd, pre': { fontFamily: MONO, fontSize: 12 },
      a: { color: 'var(--mui-palette-info-main)', textDecoration: 'none' },
      'a:hover': { textDecoration: 'underline' },
      'a:focus-visible, [tabindex]:focus-visible': {
        outline: '2px solid var(--mui-palette-info-main)',
        outlineOffset: 2,
        borderRadius: 2,
      },
      '@media print': {
        // Bars and marks are backgrounds, which browsers leave out by themselves.
        '*': { printColorAdjust: 'exact' },
        '.MuiButton-root, .MuiIconButton-root, .MuiToggleButtonGroup-root': { display: 'none' },
        '.MuiPaper-root': { maxHeight: 'none !important', breakInside: 'avoid-page' },
        'tr, li, article': { breakInside: 'avoid' },
      },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': { animation: 'none !important', transition: 'none !important' },
      },
    }),
  },
  MuiLink: { defaultProps: { underline: 'hover', color: 'info' } },
  MuiSvgIcon: { styleOverrides: { root: { fontSize: 18 } } },
  MuiSkeleton: { defaultProps: { animation: 'pulse', variant: 'rounded' } },
};

/** Styles of MUI's own components. */
export const components: Overrides = { ...surfaces, ...controls, ...tables, ...base };
