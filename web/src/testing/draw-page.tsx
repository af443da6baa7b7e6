import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { UserProfile } from '@plimsoll/contract/wire/accounts/users';
import type { ReactElement } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { theme } from '../theme.ts';

/** A call that the page made. */
export interface Call {
  method: string;
  path: string;
  body: unknown;
}
/** Answers of the API: `data` of a success, an error of the API, `pending` for no answer yet, or a whole response. */
export type Answer =
  | { data: unknown }
  | { status: number; detail: string; field?: string; remedy?: string }
  | 'pending'
  | Response;
/** Answers by "GET /api/path", without the query. A function answers by the call, also later. */
export type Answers = Readonly<Record<string, Answer | ((call: Call) => Answer | Promise<Answer>)>>;

const PROFILE: UserProfile = {
  id: '00000000-0000-4000-8000-000000000001',
  name: 'Mira',
  email: 'mira@example.com',
  avatar: null,
  github_username: null,
  is_active: true,
  role: 'admin',
  is_operator: true,
  created_at: '2026-01-01T00:00:00.000Z',
  last_login: null,
};

function responseOf(answer: Answer): Response {
  if (answer === 'pending') throw new Error('a pending call has no response');
  if (answer instanceof Response) return answer;
  if ('data' in answer) return Response.json({ success: true, data: answer.data });
  const { status, ...error } = answer;
  return Response.json({ success: false, code: 'test', ...error }, { status });
}

/**
 * Answers the page's calls of the API until the test ends; `otherwise` answers those that have no answer of their own.
 * Returns every call in its order, and `callsTo`, which picks those of a method to a path.
 */
export function stubApi(answers: Answers, otherwise: (call: Call) => Answer) {
  const calls: Call[] = [];
  const real = window.fetch;
  let underWay = 0;
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, window.location.origin);
    if (!url.pathname.startsWith('/api/')) return real(input, init);
    const method = init?.method ?? 'GET';
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const call = { method, path: url.pathname + url.search, body };
    calls.push(call);
    const given = answers[`${method} ${url.pathname}`] ?? otherwise(call);
    underWay += 1;
    const answer = await (typeof given === 'function' ? given(call) : given);
    underWay -= 1;
    return answer === 'pending' ? new Promise<Response>(() => undefined) : responseOf(answer);
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  /** Returns the calls of a method to a path, in their order. */
  const callsTo = (method: string, path: string) =>
    calls.filter((call) => call.method === method && pathOf(call) === path);
  return { calls, callsTo, isIdle: () => underWay === 0 };
}

/** Returns the path of a call without its query. */
export const pathOf = ({ path }: Call): string => path.split('?')[0] ?? path;

interface DrawPageOptions {
  /** Address of the page. */
  at?: string;
  role?: UserProfile['role'];
  isOperator?: boolean;
  mode?: 'dark' | 'light';
}

/**
 * Draws a whole page in the browser with the queries it makes. The answers stand in for the API, whose own tests check
 * the routes; a call without an answer fails with 404 and is listed like every other.
 */
export async function drawPage(page: ReactElement, answers: Answers, options: DrawPageOptions = {}) {
  const { at = '/', role = 'admin', isOperator = true, mode = 'dark' } = options;
  const profile = { data: { user: { ...PROFILE, role, is_operator: isOperator }, demo: false, public_url: null } };
  const { callsTo } = stubApi({ 'GET /api/auth/profile': profile, ...answers }, (call) => ({
    status: 404,
    detail: `No answer for ${pathOf(call)}`,
  }));
  const address = window.location.href;
  window.history.replaceState(null, '', at);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } });
  onTestFinished(() => {
    queries.clear();
    window.history.replaceState(null, '', address);
  });
  const screen = await render(
    <ThemeProvider theme={theme} defaultMode={mode} modeStorageKey={`component-tests-${mode}`}>
      <CssBaseline />
      <QueryClientProvider client={queries}>
        <BrowserRouter>{page}</BrowserRouter>
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return { screen, callsTo };
}
