import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { paths } from './paths.ts';
import { createBrowserRouter, RouterProvider } from './router.ts';
import { createRoutes } from './routes.tsx';
import { sessionToken } from './state/session-token.ts';
import { everyAnswer, ID } from './testing/every-answer.ts';
import { theme } from './theme.ts';

const PUBLIC = [paths.landing, paths.login, paths.terms, paths.privacy, `/status/${ID}`];
const PROTECTED = [
  paths.dashboard,
  paths.servers,
  `${paths.servers}?view=table`,
  `${paths.servers}?compare=${ID}`,
  paths.server(ID),
  paths.kubernetes,
  paths.kubernetesNodes,
  `${paths.kubernetesNodes}?view=table`,
  paths.kubernetesNode(ID, 'node-name'),
  paths.kubernetesNamespaces,
  paths.kubernetesWorkloads,
  paths.kubernetesPods,
  `${paths.kubernetesPods}?view=owner`,
  `${paths.kubernetesPods}?pod=${ID}/namespace/pod-name`,
  paths.alerts,
  `${paths.alerts}?alert=${ID}`,
  paths.alertRules,
  paths.alertRule('new'),
  paths.alertSilences,
  paths.alertChannels,
  paths.activity,
  paths.network,
  paths.processes,
  paths.setup,
  `${paths.setup}?on=kubernetes`,
  paths.profile,
  paths.statusPages,
  paths.health,
  paths.aiChat,
];
const WIDTHS = [1440, 390] as const;
/** Rules whose result can differ between the two themes. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Keeps silent: nothing changes while a page is looked at. */
class SilentEvents extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 1;
  close(): void {
    // There is no connection.
  }
}

const home = window.location.href;
let underWay = 0;
let unanswered: string[] = [];

beforeEach(() => {
  underWay = 0;
  unanswered = [];
  const real = window.fetch;
  vi.stubGlobal('EventSource', SilentEvents);
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.origin);
    if (!url.pathname.startsWith('/api/')) return real(input, init);
    underWay += 1;
    await Promise.resolve();
    underWay -= 1;
    const data = everyAnswer(url.pathname, Date.now());
    if (data !== null) return Response.json({ success: true, data });
    unanswered.push(`${init?.method ?? 'GET'} ${url.pathname}`);
    return Response.json({ success: false, code: 'test', detail: 'No answer' }, { status: 404 });
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  sessionToken.set(null);
  document.documentElement.removeAttribute('data-light');
  window.history.replaceState(null, '', home);
  await page.viewport(1280, 800);
});

async function open(path: string, signedIn: boolean) {
  sessionToken.set(signedIn ? 'token' : null);
  window.history.replaceState(null, '', path);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
  const router = createBrowserRouter(createRoutes(queries));
  await render(
    <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey="every-page">
      <CssBaseline />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  // Not by its role: on a phone an open pod hides the page from screen readers.
  await expect.poll(() => document.querySelector('h1')).not.toBeNull();
  const busy = '[role="progressbar"], [role="status"][aria-label="Loading"], .MuiSkeleton-root';
  await expect.poll(() => underWay === 0 && document.querySelector(busy) === null).toBe(true);
  return { close: () => router.dispose() };
}

/** Every finding of any level, with what it is about. */
async function findings(rules?: readonly string[]): Promise<string[]> {
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    ...(rules === undefined ? {} : { runOnly: [...rules] }),
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

const cases = WIDTHS.flatMap((width) => [
  ...PUBLIC.map((path) => ({ path, width, signedIn: false })),
  ...PROTECTED.map((path) => ({ path, width, signedIn: true })),
]);

describe('every page, full of every part it can show', () => {
  it.each(cases)('$path at $width px has no finding in either theme', { timeout: 90_000 }, async (each) => {
    await page.viewport(each.width, 900);
    const { close } = await open(each.path, each.signedIn);
    const dark = await findings();
    document.documentElement.removeAttribute('data-dark');
    document.documentElement.setAttribute('data-light', '');
    // A colour on its way to the other theme has the contrast of neither.
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
    const light = await findings(OF_COLOUR);
    const sideways = document.documentElement.scrollWidth - window.innerWidth;
    close();
    expect({ dark, light, unanswered, sideways: Math.max(0, sideways) }).toEqual({
      dark: [],
      light: [],
      unanswered: [],
      sideways: 0,
    });
  });
});
