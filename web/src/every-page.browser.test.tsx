import axe from 'axe-core';
import { describe, expect, it } from 'vitest';
import { drawApp } from './testing/draw-app.tsx';
import { PROTECTED_PAGES, PUBLIC_PAGES } from './testing/every-page.ts';

const WIDTHS = [1440, 390] as const;
/** Rules whose result can differ between the two themes. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Every finding of any level, with what it is about. */
async function findings(rules?: readonly string[]): Promise<string[]> {
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: [...rules] }),
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

const cases = WIDTHS.flatMap((width) => [
  ...PUBLIC_PAGES.map((path) => ({ path, width, signedIn: false })),
  ...PROTECTED_PAGES.map((path) => ({ path, width, signedIn: true })),
]);

describe('every page, full of every part it can show', () => {
  it.each(cases)('$path at $width px has no finding in either theme', { timeout: 90_000 }, async (each) => {
    const { settled, unanswered } = await drawApp(each.path, { isSignedIn: each.signedIn, width: each.width });
    await settled();
    const dark = await findings();
    document.documentElement.removeAttribute('data-dark');
    document.documentElement.setAttribute('data-light', '');
    // A colour on its way to the other theme has the contrast of neither.
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
    const light = await findings(OF_COLOUR);
    const sideways = document.documentElement.scrollWidth - window.innerWidth;
    expect({ dark, light, unanswered, sideways: Math.max(0, sideways) }).toEqual({
      dark: [],
      light: [],
      unanswered: [],
      sideways: 0,
    });
  });
});
