import { ThemeProvider } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { theme } from '../theme.ts';

/** Renders a part that fetches nothing in the browser, and returns its markup. */
export function drawnMarkup(part: ReactElement): string {
  const host = document.createElement('div');
  const root = createRoot(host);
  const framed = (
    <ThemeProvider theme={theme}>
      <MemoryRouter>{part}</MemoryRouter>
    </ThemeProvider>
  );
  flushSync(() => root.render(framed));
  const markup = host.innerHTML;
  root.unmount();
  return markup;
}

/** Returns the readable text of the markup, in single spaces. */
export const wordsOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u200b]+/g, ' ')
    .trim();

/** Returns the values of an attribute, in the order they come. */
export const attributes = (markup: string, name: string): string[] =>
  [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value ?? '');
