import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { BrowserRouter, MemoryRouter } from 'react-router-dom';
import { render } from 'vitest-browser-react';
import { theme } from '../theme.ts';

/** Draws a component in the browser with the theme, in its dark scheme, and a router; nothing calls an API. */
export const draw = (component: ReactElement) =>
  render(
    <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey="component-tests">
      <CssBaseline />
      <MemoryRouter>{component}</MemoryRouter>
    </ThemeProvider>,
  );

/** Draws a component that keeps its state in the address, beginning with these parameters. */
export function drawAt(component: ReactElement, search: string) {
  window.history.replaceState(null, '', `${window.location.pathname}${search}`);
  return render(
    <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey="component-tests">
      <CssBaseline />
      <BrowserRouter>{component}</BrowserRouter>
    </ThemeProvider>,
  );
}

/** Returns a colour as computed styles write it: "rgb(255, 111, 97)" for "#ff6f61". */
export function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(hex.slice(start, start + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}

export const colourOf = (element: Element): string => getComputedStyle(element).color;
export const fillOf = (element: Element): string => getComputedStyle(element).backgroundColor;
