/** Every text of every answer, on every page, in a real browser: nothing of it becomes markup, a script or an address. */
import { afterEach, describe, expect, it } from 'vitest';
import { drawApp } from './testing/draw-app.tsx';
import { PROTECTED_PAGES, PUBLIC_PAGES } from './testing/every-page.ts';

const RUN = 'window.ran=1';
const PAYLOAD = `"'><img src=x onerror="${RUN}"><svg onload="${RUN}"><script>${RUN}</script><a href="javascript:${RUN}">x</a>`;
const PAYLOADS = [PAYLOAD, `javascript:${RUN}`, `data:text/html,<script>${RUN}</script>`];

/** Elements that appear in the document if a payload became markup or an address. */
const TRACES = '[onerror], [onload], [src="x"], script:not([src]):not([type="module"]), iframe, object, embed';
const traces = (): string[] => [
  ...[...document.body.querySelectorAll(TRACES)].map(({ outerHTML }) => outerHTML.slice(0, 200)),
  ...[...document.querySelectorAll<HTMLElement>('[href], [src], [action]')].flatMap((element) =>
    ['href', 'src', 'action']
      .map((name) => element.getAttribute(name) ?? '')
      .filter((address) => /^\s*(?:javascript|data:text|vbscript):?/i.test(address)),
  ),
];

afterEach(() => {
  delete (window as { ran?: number }).ran;
});

const pages = [
  ...PUBLIC_PAGES.map((path) => ({ path, isSignedIn: false })),
  ...PROTECTED_PAGES.map((path) => ({ path, isSignedIn: true })),
];

describe.each(PAYLOADS)('%s', (payload) => {
  it.each(pages)('stays text on $path', async ({ path, isSignedIn }) => {
    const { settled } = await drawApp(path, { isSignedIn, width: 1440, textOf: () => payload });
    await settled();
    expect({ traces: traces(), ran: (window as { ran?: number }).ran }).toEqual({ traces: [], ran: undefined });
  });
});

it('is seen where it is shown, so that the pages above are full of it', async () => {
  const { settled } = await drawApp('/servers', { width: 1440, textOf: () => PAYLOAD });
  await settled();
  expect(document.body.textContent).toContain('<img src=x onerror=');
});
