import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClientProvider } from '@tanstack/react-query';
import type { UserProfile } from '@plimsoll/contract/wire/accounts/users';
import { expect, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { createQueryClient } from '../api/query-client.ts';
import { createBrowserRouter, RouterProvider } from '../router.ts';
import { createRoutes } from '../routes.tsx';
import { recordAnswer } from '../state/connection.ts';
import { liveness } from '../state/liveness.ts';
import { sessionToken } from '../state/session-token.ts';
import { theme, THEME_STORAGE_KEY } from '../theme.ts';
import { chosenZone } from '../time/zone.ts';
import { pathOf, stubApi, type Answers } from './draw-page.tsx';
import { everyAnswer } from './every-answer.ts';

/** Keeps silent: nothing changes while a page is looked at. */
class SilentEvents extends EventTarget {
  static readonly CLOSED = 2;
  readonly readyState = 1;
  close(): void {
    // There is no connection.
  }
}

const BUSY = '[role="progressbar"], [role="status"][aria-label="Loading"], .MuiSkeleton-root';

/** The first page of a file loads every module it has, one by one: long on a busy machine. */
const FIRST_PAGE = { timeout: 25_000 };

interface DrawAppOptions {
  answers?: Answers;
  isSignedIn?: boolean;
  width?: number;
  /** Default: an admin, who sees every button. */
  role?: UserProfile['role'];
  /** Text of each field that no other answer has, by its name. */
  textOf?: (name: string) => string;
}

/**
 * Draws the whole dashboard at an address: every route, the frame around the pages, and the queries as the product makes
 * them. Calls that `answers` leaves out get one with every part of their schema.
 */
export async function drawApp(
  at: string,
  { answers = {}, isSignedIn = true, width = 1280, role = 'admin', textOf }: DrawAppOptions = {},
) {
  const home = window.location.href;
  const unanswered: string[] = [];
  const api = stubApi(answers, (call) => {
    const data = everyAnswer(pathOf(call), Date.now(), textOf);
    if (data !== null) return { data: pathOf(call) === '/api/auth/profile' ? withRole(data, role) : data };
    unanswered.push(`${call.method} ${pathOf(call)}`);
    return { status: 404, detail: 'No answer' };
  });
  vi.stubGlobal('EventSource', SilentEvents);
  sessionToken.set(isSignedIn ? 'token' : null);
  chosenZone.set('UTC');
  recordAnswer(Date.now());
  window.history.replaceState(null, '', at);
  await page.viewport(width, 900);
  const queries = createQueryClient();
  queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, retry: false } });
  const router = createBrowserRouter(createRoutes(queries));
  const screen = await render(
    <ThemeProvider theme={theme} defaultMode="dark" modeStorageKey={THEME_STORAGE_KEY}>
      <CssBaseline />
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  onTestFinished(async () => {
    localStorage.clear();
    // Every stored value then reads again, as after a change in another tab.
    window.dispatchEvent(new StorageEvent('storage'));
    await screen.unmount();
    router.dispose();
    queries.clear();
    vi.unstubAllGlobals();
    sessionToken.set(null);
    chosenZone.set(null);
    liveness.set(true);
    document.documentElement.removeAttribute('data-light');
    window.history.replaceState(null, '', home);
    await page.viewport(1280, 800);
  });
  /** Waits until the page has its heading and nothing on it loads any more. */
  const settled = async () => {
    // Not by its role: on a phone an open pod hides the page from screen readers.
    await expect.poll(() => document.querySelector('h1'), FIRST_PAGE).not.toBeNull();
    await expect.poll(() => api.isIdle() && document.querySelector(BUSY) === null).toBe(true);
  };
  return { screen, queries, unanswered, callsTo: api.callsTo, calls: api.calls, settled };
}

function withRole(profile: unknown, role: UserProfile['role']): unknown {
  const { user, ...rest } = profile as { user: UserProfile };
  return { ...rest, user: { ...user, role } };
}

/** An answer with every part of its schema, in which the given parts stand instead. */
export const filled = (path: string, given: object = {}): { data: object } => ({
  data: { ...(everyAnswer(path, Date.now()) as object), ...given },
});

/** An answer with every part of its schema and nothing in its lists. */
export const emptied = (path: string, given: object = {}): { data: object } => ({
  data: { ...(withoutRows(everyAnswer(path, Date.now())) as object), ...given },
});
function withoutRows(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutRows(part)]));
}

const turn = () =>
  new Promise((next) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', next, { once: true });
    port1.start();
    port2.postMessage(null);
  });
/**
 * Lets React draw what changed, and what it then asks be answered, without a timer: `expect.poll` would move a fake
 * clock.
 */
export async function rest(): Promise<void> {
  for (let left = 20; left > 0; left -= 1) await turn();
}
