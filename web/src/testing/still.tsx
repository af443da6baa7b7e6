import { ThemeProvider } from '@mui/material/styles';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router-dom';
import { theme } from '../theme.ts';

/** The markup of a part as it first stands, without the style sheets that come along: for parts that ask nothing. */
export function still(part: ReactElement): string {
  const framed = (
    <ThemeProvider theme={theme}>
      <MemoryRouter>{part}</MemoryRouter>
    </ThemeProvider>
  );
  return renderToStaticMarkup(framed).replaceAll(/<style[^>]*>.*?<\/style>/gs, '');
}

/** Returns the readable text of the markup, in single spaces. */
export const wordsOf = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/[\s\u200b]+/g, ' ')
    .trim();

/** The values of an attribute, in the order they come. */
export const attributes = (markup: string, name: string): string[] =>
  [...markup.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value ?? '');
