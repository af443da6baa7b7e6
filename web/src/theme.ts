import { createTheme } from '@mui/material/styles';
import type { ColorSystemOptions } from '@mui/material/styles';
import { components } from './theme-components.ts';
import { DARK, LIGHT, PRIMARY, SANS } from './tokens.ts';
import type { LoadPalette } from './tokens.ts';

declare module '@mui/material/styles' {
  interface CssThemeVariables {
    enabled: true;
  }
  interface Palette {
    load: LoadPalette;
  }
  interface PaletteOptions {
    load?: LoadPalette;
  }
}

/** Under this key the chosen mode is remembered; public/start.js reads it before the first paint. */
export const THEME_STORAGE_KEY = 'plimsoll.theme';

const scheme = (tokens: typeof DARK | typeof LIGHT): ColorSystemOptions => ({
  palette: {
    primary: { main: PRIMARY, contrastText: '#ffffff' },
    info: { main: tokens.link },
    success: { main: tokens.load.ok },
    warning: { main: tokens.load.near },
    error: { main: tokens.load.over },
    background: { default: tokens.bg, paper: tokens.surface },
    text: { primary: tokens.ink, secondary: tokens.text2, disabled: tokens.load.text3 },
    divider: tokens.border,
    action: { selected: tokens.raised, hover: tokens.raised },
    contrastThreshold: 4.5,
    load: { ...tokens.load },
  },
});

const text = (size: number, line: number, weight: number) => ({
  fontSize: size,
  lineHeight: `${line}px`,
  fontWeight: weight,
  letterSpacing: 0,
});

/** Dark is the product's default; both schemes live in CSS variables, so switching renders nothing again. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'data' },
  defaultColorScheme: 'dark',
  colorSchemes: { dark: scheme(DARK), light: scheme(LIGHT) },
  shape: { borderRadius: 8 },
  breakpoints: { values: { xs: 0, sm: 600, md: 900, lg: 1200, xl: 1536 } },
  typography: {
    fontFamily: SANS,
    h1: text(20, 28, 600),
    h2: text(14, 20, 600),
    h3: text(13, 20, 600),
    body1: text(13, 20, 400),
    body2: text(13, 20, 400),
    caption: text(12, 16, 400),
    button: { ...text(13, 20, 500), textTransform: 'none' },
  },
  components,
});
